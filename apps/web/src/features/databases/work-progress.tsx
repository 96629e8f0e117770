import type { ManagedDatabase } from '@nephos/contracts';
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
  database: { id, name, workPercent },
  work,
}: {
  database: ManagedDatabase;
  work: Work;
}) {
  const utils = trpc.useUtils();
  const cancel = useAction(trpc.databases.cancelWork.useMutation(), {
    success: 'Cancelled',
    failure: 'Failed to cancel',
    serverSpeaks: true,
    refresh: [utils.databases.list, utils.databases.get],
  });
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-3">
      <div className="min-w-0 grow basis-40">
        <p className="mb-2 font-medium text-sm">
          {DOING[work]}
          {workPercent === null ? '…' : ` · ${workPercent}%`}
        </p>
        {workPercent !== null && <Progress label={DOING[work]} value={workPercent} max={100} />}
      </div>
      {/* A swap is over before it could be cancelled. */}
      {work !== 'swapping' && (
        <Button
          size="sm"
          {...cancel.button}
          aria-label={`Cancel ${DOING[work].toLowerCase()} ${name}`}
          onClick={() => cancel.run({ id })}
        >
          Cancel
        </Button>
      )}
    </div>
  );
}
