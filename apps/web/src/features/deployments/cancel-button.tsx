import { useDeploymentAction } from '../../lib/use-deployment-action.ts';
import { trpc } from '../../trpc.ts';
import { Button } from '../../ui/button.tsx';

/** Ends a deployment that is queued or under way. */
export function CancelButton({ deploymentId }: { deploymentId: string }) {
  const cancel = useDeploymentAction(trpc.deployments.cancel.useMutation(), {
    success: 'Deployment cancelled',
    failure: 'Failed to cancel the deployment',
  });
  return (
    <Button size="sm" pending={cancel.pending} onClick={() => cancel.run({ id: deploymentId })}>
      Cancel
    </Button>
  );
}
