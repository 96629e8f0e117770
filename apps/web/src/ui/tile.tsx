import type { ReactNode } from 'react';
import { Card } from './card.tsx';

export interface TileProps {
  term: string;
  value: ReactNode;
  /** What there is to say about it. */
  note: ReactNode;
  /** At the right of the term. */
  aside?: ReactNode;
}

/** A figure among others, in a `dl`. */
export function Tile({ term, value, note, aside }: TileProps) {
  return (
    <Card className="flex flex-col px-5 py-4">
      <dt className="flex min-h-6 flex-wrap items-center justify-between gap-x-3 gap-y-1 text-muted text-sm">
        {term}
        {aside}
      </dt>
      <dd className="mt-1 break-words font-semibold text-xl tracking-tight">{value}</dd>
      <dd className="mt-0.5 text-faint text-sm">{note}</dd>
    </Card>
  );
}
