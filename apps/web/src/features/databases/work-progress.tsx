import type { ManagedDatabase } from '@nephos/contracts';
import { useNavigate } from '@tanstack/react-router';
import { trpc } from '../../lib/trpc.ts';
import { useAction } from '../../lib/use-action.ts';
import { Button } from '../../ui/button.tsx';
import { Progress } from '../../ui/progress.tsx';

type Work = NonNullable<ManagedDatabase['work']>;

const DOING: Record<Work, string> = {
  restoring: 'Restoring',
  swapping: 'Swapping',
  importing: 'Importing',
  moving: 'Moving',
};

/** How far what is being done with a database has come, and the way to end it. */
export function WorkProgress({
  database: { id, name, workPercent, workError },
  work,
}: {
  database: ManagedDatabase;
  work: Work;
}) {
  const utils = trpc.useUtils();
  const navigate = useNavigate();
  // Without what is restored there is no database.
  const deletes = work === 'restoring';
  const cancel = useAction(trpc.databases.cancelWork.useMutation(), {
    success: 'Cancelled',
    failure: 'Failed to cancel',
    serverSpeaks: true,
    refresh: deletes ? [utils.databases.list] : [utils.databases.list, utils.databases.get],
    leave: () => {
      if (deletes) void navigate({ to: '/databases' }).then(() => utils.databases.get.reset({ id }));
    },
  });
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-3">
      <div className="min-w-0 grow basis-40">
        <p className="mb-2 font-medium text-sm">
          {DOING[work]}
          {workPercent === null ? '…' : ` · ${workPercent}%`}
        </p>
        {workPercent !== null && <Progress label={DOING[work]} value={workPercent} max={100} />}
        {workError && <p className="break-words text-danger text-sm">{workError}</p>}
      </div>
      {/* A swap is over before it could be cancelled. */}
      {work !== 'swapping' && (
        <Button
          size="sm"
          {...cancel.button}
          aria-label={deletes ? `Cancel and delete ${name}` : `Cancel ${DOING[work].toLowerCase()} ${name}`}
          onClick={() => cancel.run({ id })}
        >
          {deletes ? 'Cancel and delete' : 'Cancel'}
        </Button>
      )}
    </div>
  );
}
