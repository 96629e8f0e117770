import type { DatabaseUsage, ManagedDatabase } from '@nephos/contracts';
import { RefreshCw } from 'lucide-react';
import { formatInstant, formatSize } from '../../lib/format.ts';
import { LoadFailure } from '../../lib/load-failure.tsx';
import { trpc } from '../../trpc.ts';
import { Card, CardHeader } from '../../ui/card.tsx';
import { classNames } from '../../ui/class-names.ts';
import { IconButton } from '../../ui/icon-button.tsx';
import { Skeleton, SkeletonGroup } from '../../ui/skeleton.tsx';
import { Meter } from './meter.tsx';

/** How full the database is and who is connected, asked at each visit and whenever the person wants to know. */
export function UsageSection({ database: { id, status } }: { database: ManagedDatabase }) {
  const available = status === 'available';
  const usage = trpc.databases.usage.useQuery({ id }, { staleTime: 0, enabled: available });
  return (
    <Card className="min-w-0">
      <CardHeader
        title="Usage"
        aside={
          available && (
            <IconButton
              label="Refresh usage"
              title="Refresh usage"
              size="sm"
              disabled={usage.isFetching}
              onClick={() => void usage.refetch()}
            >
              <RefreshCw aria-hidden="true" className={classNames(usage.isFetching && 'animate-spin')} />
            </IconButton>
          )
        }
      />
      <div className="mt-4">
        {!available && <p className="text-muted">It is counted once the database is available.</p>}
        {available && usage.error && <LoadFailure query={usage} failure="Failed to load the usage" />}
        {available && !usage.error && (
          <Meters usage={usage.data} at={new Date(usage.dataUpdatedAt).toISOString()} />
        )}
      </div>
    </Card>
  );
}

function Meters({ usage, at }: { usage: DatabaseUsage | undefined; at: string }) {
  if (!usage) {
    return (
      <SkeletonGroup label="Loading the usage">
        <Skeleton className="h-12" />
        <Skeleton className="mt-5 h-12" />
      </SkeletonGroup>
    );
  }
  const { size, sizeLimit, connections, connectionLimit } = usage;
  return (
    <>
      <Meter
        label="Storage"
        used={{ value: size, text: formatSize(size) }}
        limit={{ value: sizeLimit, text: formatSize(sizeLimit) }}
      />
      <Meter
        label="Connections"
        used={{ value: connections, text: String(connections) }}
        limit={{ value: connectionLimit, text: String(connectionLimit) }}
      />
      <p className="mt-5 text-faint text-sm">
        As of <time dateTime={at}>{formatInstant(at)}</time>
      </p>
    </>
  );
}
