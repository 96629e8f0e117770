import type { Engine } from '@nephos/contracts';
import { Plug } from 'lucide-react';
import { LoadFailure } from '../../lib/load-failure.tsx';
import { trpc } from '../../trpc.ts';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { EngineRow } from './engine-row.tsx';
import { FRESH } from './fresh.ts';
import { PanelSkeleton } from './panel-skeleton.tsx';

/** What the server drives and is driven by, and how each part is. */
export function EnginesTab() {
  const engines = trpc.admin.engines.useQuery(undefined, FRESH);
  if (!engines.data) {
    if (engines.error) return <LoadFailure query={engines} failure="Failed to check the engines" />;
    return <PanelSkeleton label="Checking the engines..." />;
  }
  return (
    <section aria-labelledby="engines">
      <div className="mb-4 flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
        <div className="min-w-0">
          <h2 id="engines" className="font-semibold text-lg">
            Engines
          </h2>
          <p role="status" className="text-muted">
            {engines.error ? 'This is what was found before.' : summaryOf(engines.data)} Settings are read
            when the server starts.
          </p>
        </div>
        <Button pending={engines.isFetching} onClick={() => void engines.refetch()}>
          Check again
        </Button>
      </div>
      {engines.error && (
        <div className="mb-4">
          <LoadFailure query={engines} failure="Failed to check the engines" />
        </div>
      )}
      {engines.data.length === 0 ? (
        <EmptyState
          icon={Plug}
          title="No engines found"
          description="This server does not say what it runs on."
        />
      ) : (
        <ul className="divide-y divide-line rounded-xl border border-line bg-surface">
          {engines.data.map((engine) => (
            <EngineRow key={engine.id} engine={engine} />
          ))}
        </ul>
      )}
    </section>
  );
}

function summaryOf(engines: readonly Engine[]): string {
  const unhealthy = engines.filter(({ state }) => state === 'unhealthy').length;
  if (unhealthy === 0) return 'Everything that is turned on is healthy.';
  return `${unhealthy} of ${engines.length} unhealthy.`;
}
