import { useState } from 'react';
import { trpc } from '../../lib/trpc.ts';
import { useAction } from '../../lib/use-action.ts';
import { useRefusal } from '../../lib/use-refusal.ts';
import { useUser } from '../../lib/use-user.ts';
import { useEnterWorkspace, useWorkspace } from '../../lib/use-workspace.ts';
import { lateDialog } from '../../shell/late-dialog.tsx';
import { knowWorkspaceGone } from '../../shell/workspace-gone.ts';
import { Button } from '../../ui/button.tsx';
import { Card, CardHeader } from '../../ui/card.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';

const HandOverDialog = lateDialog({ fields: 1 }, () =>
  import('./hand-over-dialog.tsx').then(({ HandOverDialog }) => HandOverDialog),
);

const DeleteWorkspaceDialog = lateDialog({ fields: 1 }, () =>
  import('./delete-workspace-dialog.tsx').then(({ DeleteWorkspaceDialog }) => DeleteWorkspaceDialog),
);

/** The ways out of a shared workspace. */
export function DangerZone() {
  const refusal = useRefusal('own');
  const [asking, setAsking] = useState<'hand-over' | 'delete'>();
  const close = () => setAsking(undefined);
  return (
    <Card>
      <CardHeader title="Leave or end" description="What is in the workspace stays with it when you leave." />
      <div className="mt-4 flex flex-wrap gap-2">
        <LeaveWorkspace />
        {!refusal && (
          <>
            <Button onClick={() => setAsking('hand-over')}>Hand over</Button>
            <Button variant="danger" onClick={() => setAsking('delete')}>
              Delete workspace
            </Button>
          </>
        )}
      </div>
      {asking === 'hand-over' && <HandOverDialog onClose={close} />}
      {asking === 'delete' && <DeleteWorkspaceDialog onClose={close} />}
    </Card>
  );
}

function LeaveWorkspace() {
  const { id, name } = useWorkspace();
  const { id: personal } = useUser();
  const enter = useEnterWorkspace('/');
  const leave = useAction(trpc.workspaces.leave.useMutation(), {
    success: `You left ${name}`,
    failure: 'Failed to leave the workspace',
    serverSpeaks: true,
    onDone() {
      knowWorkspaceGone(id);
      enter.run({ id: personal });
    },
  });
  return (
    <ConfirmDialog
      title={`Leave ${name}?`}
      description="You lose access at once, and your access tokens of this workspace stop working. To come back, you need an invitation."
      label="Leave"
      action={{ ...leave, pending: leave.pending || enter.pending }}
      onConfirm={(close) => leave.run({ id }, close)}
      trigger={(open) => <Button onClick={open}>Leave workspace</Button>}
    />
  );
}
