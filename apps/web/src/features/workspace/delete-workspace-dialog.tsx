import { LoadFailure } from '../../lib/load-failure.tsx';
import { trpc } from '../../lib/trpc.ts';
import { useAction } from '../../lib/use-action.ts';
import { useUser } from '../../lib/use-user.ts';
import { useEnterWorkspace, useWorkspace } from '../../lib/use-workspace.ts';

import { WorkspaceContentsList } from '../../lib/workspace-contents.tsx';

import { knowWorkspaceGone } from '../../shell/workspace-gone.ts';

import { Button } from '../../ui/button.tsx';
import { DeleteDialog } from '../../ui/delete-dialog.tsx';
import { Dialog, DialogClose, DialogContent, DialogFooter } from '../../ui/dialog.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';

/** Says what goes along, and asks for the workspace's name; or says what is in the way. */
export function DeleteWorkspaceDialog({ onClose }: { onClose: () => void }) {
  const { id, name } = useWorkspace();
  const { id: personal } = useUser();
  const contents = trpc.workspaces.consequences.useQuery({ id }, { staleTime: 0 });
  const enter = useEnterWorkspace('/');
  const remove = useAction(trpc.workspaces.remove.useMutation(), {
    success: 'Workspace deleted',
    failure: 'Failed to delete the workspace',
    serverSpeaks: true,
    onDone() {
      knowWorkspaceGone(id);
      enter.run({ id: personal });
    },
  });
  if (contents.data?.obstacle) {
    return (
      <Dialog open onOpenChange={onClose}>
        <DialogContent title={`${name} can't be deleted yet`} description={contents.data.obstacle}>
          <DialogFooter>
            <DialogClose asChild>
              <Button variant="primary">OK</Button>
            </DialogClose>
          </DialogFooter>
        </DialogContent>
      </Dialog>
    );
  }
  if (!contents.data) {
    return (
      <Dialog open onOpenChange={onClose}>
        <DialogContent title="Delete workspace?" description="First, what would go with it.">
          {contents.error ? (
            <LoadFailure query={contents} failure="Couldn't load what is in the workspace." />
          ) : (
            <Skeleton className="h-12" />
          )}
          <DialogFooter>
            <DialogClose asChild>
              <Button>Cancel</Button>
            </DialogClose>
          </DialogFooter>
        </DialogContent>
      </Dialog>
    );
  }
  return (
    <DeleteDialog
      title="Delete workspace?"
      description="Everything in it is deleted for all its members. This can't be undone."
      name={name}
      label="Delete workspace"
      action={{ ...remove, pending: remove.pending || enter.pending }}
      onConfirm={(close) => remove.run({ id, name }, close)}
      onClose={onClose}
    >
      <WorkspaceContentsList contents={contents.data} label="What is deleted" />
    </DeleteDialog>
  );
}
