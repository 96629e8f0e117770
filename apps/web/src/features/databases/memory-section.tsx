import type { DatabaseMemory } from '@nephos/contracts';
import { DATABASE_EVICTIONS } from '@nephos/contracts/constants';
import { LoadFailure } from '../../lib/load-failure.tsx';
import { trpc } from '../../lib/trpc.ts';
import { useAction } from '../../lib/use-action.ts';
import { useDraft } from '../../lib/use-draft.ts';
import { useNeed } from '../../lib/use-refusal.ts';
import { Button } from '../../ui/button.tsx';
import { Card, CardHeader } from '../../ui/card.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { Field } from '../../ui/field.tsx';
import { Select } from '../../ui/select.tsx';
import { Skeleton, SkeletonGroup } from '../../ui/skeleton.tsx';

const MB = 1024 ** 2;

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
  const memory = trpc.databases.memory.useQuery({ id }, { staleTime: 0 });
  const shared = memory.error?.data?.reason === 'SHARED_SERVER' && memory.error.message;
  return (
    <Card className="min-w-0">
      <CardHeader title="Memory" />
      <div className="mt-4">
        {shared && <p className="break-words text-muted">{shared}</p>}
        {memory.error && !shared && <LoadFailure query={memory} failure="Failed to load the memory limit" />}
        {!memory.error && !memory.data && (
          <SkeletonGroup label="Loading the memory limit">
            <Skeleton className="h-16" />
          </SkeletonGroup>
        )}
        {!memory.error && memory.data && <MemoryForm id={id} memory={memory.data} />}
      </div>
    </Card>
  );
}

interface MemoryFormProps {
  id: string;
  memory: DatabaseMemory;
}

function MemoryForm({ id, memory }: MemoryFormProps) {
  const utils = trpc.useUtils();
  const need = useNeed('build');
  const usage = trpc.databases.usage.useQuery({ id });
  const { values, set, reset, changed } = useDraft<DatabaseMemory>(memory);
  const save = useAction(trpc.databases.setMemory.useMutation(), {
    success: 'Saved',
    failure: 'Failed to save',
    serverSpeaks: true,
    refresh: [utils.databases.usage],
    onDone: (saved) => {
      utils.databases.memory.setData({ id }, saved);
      reset();
    },
  });
  const loss = lossOf(memory, values, usage.data?.size);
  return (
    <form
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        if (changed && loss === undefined) save.run({ id, ...values });
      }}
    >
      <Field label="Limit" hint="For keys and values. The server itself needs some more.">
        <Select
          value={String(values.limit)}
          onValueChange={(limit) => set('limit', Number(limit))}
          options={limitsWith(values.limit)}
        />
      </Field>
      <Field label="When it is full">
        <Select
          value={values.eviction}
          onValueChange={(eviction) => set('eviction', eviction)}
          options={DATABASE_EVICTIONS.map((value) => ({ value, label: EVICTIONS[value] }))}
        />
      </Field>
      {loss === undefined ? (
        <Button type="submit" className="self-start" {...need} disabled={!changed} pending={save.pending}>
          Save
        </Button>
      ) : (
        <ConfirmDialog
          title="Change the memory?"
          description={loss}
          label="Change memory"
          action={save}
          onConfirm={(close) => save.run({ id, ...values }, close)}
          trigger={(open) => (
            <Button type="button" className="self-start" {...need} onClick={open}>
              Save
            </Button>
          )}
        />
      )}
    </form>
  );
}

/** What is lost by a change, in bytes used; a smaller limit may be too small for as long as nobody knows those. */
function lossOf(
  before: DatabaseMemory,
  { limit, eviction }: DatabaseMemory,
  used = Number.POSITIVE_INFINITY,
): string | undefined {
  const isTooSmall = limit < before.limit && limit * MB < used;
  if (eviction === 'noeviction') {
    return isTooSmall ? 'It stores nothing more until keys are removed by hand.' : undefined;
  }
  return isTooSmall || before.eviction === 'noeviction'
    ? 'Keys that do not fit are removed for good.'
    : undefined;
}

/** The usual ones, with another that was set by the API. */
function limitsWith(limit: number) {
  return [...new Set([...LIMITS, limit])]
    .toSorted((one, other) => one - other)
    .map((megabytes) => ({ value: String(megabytes), label: `${megabytes} MB` }));
}
