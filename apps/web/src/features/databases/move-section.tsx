import type { ManagedDatabase } from '@nephos/contracts';
import { LoadFailure } from '../../lib/load-failure.tsx';
import { trpc } from '../../lib/trpc.ts';
import { useAction } from '../../lib/use-action.ts';
import { useNeed } from '../../lib/use-refusal.ts';
import { Button } from '../../ui/button.tsx';
import { Card, CardHeader } from '../../ui/card.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Skeleton, SkeletonGroup } from '../../ui/skeleton.tsx';

/** That a database shares its server, and the way to one of its own. */
export function MoveSection({ database: { id, name, work } }: { database: ManagedDatabase }) {
  const utils = trpc.useUtils();
  const need = useNeed('build');
  // The end of a move brings another answer.
  const state = trpc.databases.moveState.useQuery({ id }, { staleTime: 0, enabled: work === null });
  const move = useAction(trpc.databases.move.useMutation(), {
    success: 'The database is being moved',
    failure: 'Failed to move the database',
    refresh: [utils.databases.get, utils.databases.list, utils.databases.moveState],
  });
  const { data } = state;
  return (
    <Card className="min-w-0">
      <CardHeader title="Server" description="This database shares its server with others." />
      <div className="mt-4 flex flex-col gap-4">
        {state.error && <LoadFailure query={state} failure="Failed to load whether it can be moved" />}
        {!state.error && !data && work === null && (
          <SkeletonGroup label="Loading whether it can be moved">
            <Skeleton className="h-16" />
          </SkeletonGroup>
        )}
        {data?.unavailable && <p className="text-muted text-sm">{data.unavailable}</p>}
        {data?.error && work === null && (
          <Notice tone="danger" title="The last move failed">
            <p>{data.error}</p>
          </Notice>
        )}
        {data?.unavailable === '' && (
          <>
            <p className="text-muted text-sm">
              On a server of its own it sleeps while nobody uses it, is backed up to the minute, can be
              restored and copied, and has its own memory, users and extensions.
            </p>
            <ConfirmDialog
              title={`Move ${name} to a server of its own?`}
              description="Open connections end, and nobody can connect until the move is done: minutes for a large server. The address, the user and the password stay. If the move fails or is cancelled, the database stays where it is."
              label="Move"
              action={move}
              onConfirm={(close) => move.run({ id }, close)}
              trigger={(open) => (
                <Button className="self-start" {...need} disabled={work !== null} onClick={open}>
                  Move to a server of its own
                </Button>
              )}
            />
          </>
        )}
      </div>
    </Card>
  );
}
