import { type ReactNode, useId } from 'react';
import { LoadFailure, type LoadFailureProps } from '../../lib/load-failure.tsx';
import { Button } from '../../ui/button.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';

const ROWS = ['first', 'second', 'third'];

export interface PanelProps extends LoadFailureProps {
  title: string;
  /** What it says in a sentence or two. */
  about: ReactNode;
  /** What the button says that asks once more. */
  again: string;
  children: ReactNode;
}

/** What the server works out when it is asked, and the way to ask once more. A failure leaves what was found before. */
export function Panel({ title, about, again, query, failure, children }: PanelProps) {
  const id = useId();
  return (
    <section aria-labelledby={id} className="flex flex-col gap-4">
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
        <div className="min-w-0 grow basis-72">
          <h2 id={id} className="font-semibold text-lg">
            {title}
          </h2>
          {about}
        </div>
        <Button pending={query.isFetching} onClick={() => void query.refetch()}>
          {again}
        </Button>
      </div>
      {query.error && <LoadFailure query={query} failure={failure} />}
      {children}
    </section>
  );
}

/** A heading and three rows in a frame; what is loading is said in words. */
export function PanelSkeleton({ label }: { label: string }) {
  return (
    <div role="status" aria-busy="true">
      <Skeleton className="h-6 w-32" />
      <p className="mt-1 mb-4 text-muted">{label}</p>
      <div className="divide-y divide-line rounded-xl border border-line bg-surface">
        {ROWS.map((row) => (
          <div key={row} data-testid="skeleton-row" className="px-5 py-4">
            <Skeleton className="h-5 w-48" />
            <Skeleton className="mt-2 h-4 w-64 max-w-full" />
          </div>
        ))}
      </div>
    </div>
  );
}
