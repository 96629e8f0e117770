import type { DatabaseMemory } from '@nephos/contracts';
import { DATABASE_EVICTIONS } from '@nephos/contracts/constants';
import { LoadFailure } from '../../lib/load-failure.tsx';
import { trpc } from '../../lib/trpc.ts';
import { useAction } from '../../lib/use-action.ts';
import { Card, CardHeader } from '../../ui/card.tsx';
import { Field } from '../../ui/field.tsx';
import { Select } from '../../ui/select.tsx';
import { Skeleton, SkeletonGroup } from '../../ui/skeleton.tsx';

const EVICTIONS: Record<DatabaseMemory['eviction'], string> = {
  noeviction: 'Refuse to store more',
  'allkeys-lru': 'Remove least recently used keys',
  'allkeys-lfu': 'Remove least often used keys',
  'volatile-lru': 'Remove least recently used keys that expire',
  'volatile-ttl': 'Remove keys that expire soonest',
};

const LIMITS: readonly number[] = [64, 128, 256, 512, 1024, 2048, 4096];

/** How much memory a database may take, and what happens when that is used up. */
export function MemorySection({ databaseId: id }: { databaseId: string }) {
  const utils = trpc.useUtils();
  const memory = trpc.databases.memory.useQuery({ id }, { staleTime: 0 });
  const set = useAction(trpc.databases.setMemory.useMutation(), {
    success: 'Saved',
    failure: 'Failed to save',
    serverSpeaks: true,
    refresh: [utils.databases.memory, utils.databases.usage],
  });
  const { data } = memory;
  return (
    <Card className="min-w-0">
      <CardHeader title="Memory" />
      <div className="mt-4">
        {memory.error && <LoadFailure query={memory} failure="Failed to load the memory limit" />}
        {!memory.error && !data && (
          <SkeletonGroup label="Loading the memory limit">
            <Skeleton className="h-16" />
          </SkeletonGroup>
        )}
        {!memory.error && data && (
          <>
            <Field label="Limit" hint="For keys and values. The server itself needs some more.">
              <Select
                value={String(data.limit)}
                disabled={set.pending}
                onValueChange={(limit) => set.run({ ...data, id, limit: Number(limit) })}
                options={limitsWith(data.limit)}
              />
            </Field>
            <Field className="mt-4" label="When it is full">
              <Select
                value={data.eviction}
                disabled={set.pending}
                onValueChange={(eviction) => set.run({ ...data, id, eviction })}
                options={DATABASE_EVICTIONS.map((value) => ({ value, label: EVICTIONS[value] }))}
              />
            </Field>
          </>
        )}
      </div>
    </Card>
  );
}

/** The usual ones, with another that was set by the API. */
function limitsWith(limit: number) {
  return [...new Set([...LIMITS, limit])]
    .toSorted((one, other) => one - other)
    .map((megabytes) => ({ value: String(megabytes), label: `${megabytes} MB` }));
}
