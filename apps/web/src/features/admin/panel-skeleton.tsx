import { Skeleton } from '../../ui/skeleton.tsx';

const ROWS = ['first', 'second', 'third'];

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
