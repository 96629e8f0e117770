import { ChevronRight } from 'lucide-react';
import type { ReactNode } from 'react';
import { Card, CardHeader } from '../../ui/card.tsx';
import { SampleLabel } from './sample-label.tsx';

export interface ChartCardProps {
  title: string;
  description: string;
  sample: boolean;
  /** The same figures in words. */
  table: ReactNode;
  /** The chart, which comes later. */
  children: ReactNode;
}

/** A chart, and the same figures as a table. */
export function ChartCard({ title, description, sample, table, children }: ChartCardProps) {
  return (
    <Card className="flex min-w-0 flex-col">
      <CardHeader title={title} description={description} aside={sample && <SampleLabel />} />
      <div className="mt-4 min-h-60">{children}</div>
      <details className="group mt-3">
        <summary className="flex w-fit cursor-default list-none items-center gap-1.5 rounded-sm text-muted text-sm hover:text-fg [&::-webkit-details-marker]:hidden">
          <ChevronRight
            aria-hidden="true"
            className="size-4 shrink-0 transition-transform group-open:rotate-90"
          />
          {title} as a table
        </summary>
        <div className="mt-3 max-h-72 overflow-y-auto">{table}</div>
      </details>
    </Card>
  );
}
