import { useAction } from '../../lib/use-action.ts';
import { trpc } from '../../trpc.ts';
import { Button } from '../../ui/button.tsx';

/** Ends a deployment that is queued or under way. */
export function CancelButton({ deploymentId }: { deploymentId: string }) {
  const utils = trpc.useUtils();
  const cancel = useAction(trpc.deployments.cancel.useMutation(), {
    success: 'Deployment cancelled',
    failure: 'Failed to cancel the deployment',
    serverSpeaks: true,
    refresh: [utils.deployments.list, utils.projects.get, utils.projects.list],
  });
  return (
    <Button size="sm" pending={cancel.pending} onClick={() => cancel.run({ id: deploymentId })}>
      Cancel
    </Button>
  );
}
