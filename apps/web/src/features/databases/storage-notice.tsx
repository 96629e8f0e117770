import type { ManagedDatabase } from '@nephos/contracts';
import { FREEING_MINUTES } from '@nephos/contracts/constants';
import { formatInstant } from '../../lib/format.ts';
import { trpc } from '../../lib/trpc.ts';
import { useAction } from '../../lib/use-action.ts';
import { useNeed } from '../../lib/use-refusal.ts';
import { Button } from '../../ui/button.tsx';
import { Notice } from '../../ui/notice.tsx';

/** That a database reaches its storage, what follows from it, and what can be done. */
export function StorageNotice({ database }: { database: ManagedDatabase }) {
  const { storageState, storageSize, freeingUntil } = database;
  if (storageState === 'ok') return null;
  if (storageState === 'nearly') {
    return (
      <Notice tone="warning" className="mb-6" title="The database is nearly full">
        It holds 95% of its {storageSize} GB or more. At the limit it becomes read-only: make it larger, or
        delete from it.
      </Notice>
    );
  }
  const isFreeing = freeingUntil !== null && Date.parse(freeingUntil) > Date.now();
  const title = storageState === 'closed' ? 'The database takes no connections' : 'The database is full';
  return (
    <Notice
      tone="danger"
      className="mb-6"
      title={isFreeing && storageState === 'full' ? 'Space is being freed' : title}
      action={!isFreeing && <FreeSpace database={database} />}
    >
      {isFreeing && storageState === 'full' ? (
        <p>
          It can be written until <time dateTime={freeingUntil}>{formatInstant(freeingUntil)}</time>, and may
          not grow. Drop or truncate tables; after deleting rows, run VACUUM FULL, which needs room for a copy
          of the table.
        </p>
      ) : (
        <p>
          {storageState === 'closed'
            ? `It holds over 10% more than its ${storageSize} GB.`
            : `It has reached its ${storageSize} GB and is read-only.`}{' '}
          {isFreeing
            ? 'It takes connections again in a moment. If not, it grew while space was being freed, and only making it larger helps.'
            : `Make it larger, or free space in it for ${FREEING_MINUTES} minutes.`}{' '}
          Nothing is lost.
        </p>
      )}
    </Notice>
  );
}

function FreeSpace({ database: { id } }: { database: ManagedDatabase }) {
  const utils = trpc.useUtils();
  const need = useNeed('build');
  const free = useAction(trpc.databases.freeSpace.useMutation(), {
    success: 'The database can be written',
    failure: 'Failed to free space',
    serverSpeaks: true,
    refresh: [utils.databases.get, utils.databases.list],
  });
  return (
    <Button size="sm" {...need} disabled={free.pending} onClick={() => free.run({ id })}>
      Free space
    </Button>
  );
}
