import type { DatabaseUsage, ManagedDatabase } from '@nephos/contracts';
import { RefreshCw } from 'lucide-react';
import { formatInstant, formatSize } from '../../lib/format.ts';
import { LoadFailure } from '../../lib/load-failure.tsx';
import { trpc } from '../../lib/trpc.ts';
import { Badge } from '../../ui/badge.tsx';
import { Card, CardHeader } from '../../ui/card.tsx';
import { classNames } from '../../ui/class-names.ts';
import { IconButton } from '../../ui/icon-button.tsx';
import { Progress } from '../../ui/progress.tsx';
import { Skeleton, SkeletonGroup } from '../../ui/skeleton.tsx';

/** How full the database is and who is connected, asked at each visit and whenever the person wants to know. */
export function UsageSection({ database: { id, type, status } }: { database: ManagedDatabase }) {
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
        {!available && <p className="text-muted">Usage appears once the database is available.</p>}
        {available && usage.error && <LoadFailure query={usage} failure="Failed to load the usage" />}
        {available && !usage.error && (
          <Meters type={type} usage={usage.data} at={new Date(usage.dataUpdatedAt).toISOString()} />
        )}
      </div>
    </Card>
  );
}

interface MetersProps {
  type: ManagedDatabase['type'];
  usage: DatabaseUsage | undefined;
  at: string;
}

function Meters({ type, usage, at }: MetersProps) {
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
        label={type === 'redis' ? 'Memory' : 'Storage'}
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

/** Share of the limit from which on a person should act. */
const NEARLY = 0.9;

interface Amount {
  value: number;
  text: string;
}

interface MeterProps {
  label: string;
  used: Amount;
  limit: Amount;
}

/** How much of a limit is used, in words and as a bar; it warns near the end. */
function Meter({ label, used, limit }: MeterProps) {
  return (
    <div className="not-first:mt-5">
      <div className="mb-2 flex flex-wrap items-baseline justify-between gap-x-3 gap-y-1">
        <span className="font-medium text-sm">{label}</span>
        <span className="text-muted text-sm">
          <span className="text-fg">{used.text}</span> of {limit.text}
        </span>
      </div>
      <Progress label={`${label} used`} value={used.value} max={limit.value} />
      <Warning used={used.value} limit={limit.value} />
    </div>
  );
}

function Warning({ used, limit }: { used: number; limit: number }) {
  if (used >= limit) {
    return (
      <Badge tone="danger" className="mt-2">
        Limit reached
      </Badge>
    );
  }
  if (used < limit * NEARLY) return null;
  return (
    <Badge tone="warning" className="mt-2">
      Close to the limit
    </Badge>
  );
}
