import { Square } from 'lucide-react';
import { useDeploymentAction } from '../../lib/use-deployment-action.ts';
import { trpc } from '../../trpc.ts';
import { Button } from '../../ui/button.tsx';

/** Stops the app that is serving, if one is; Deploy or Rollback starts one again. */
export function StopButton({ liveDeploymentId }: { liveDeploymentId: string | null }) {
  const stop = useDeploymentAction(trpc.deployments.stop.useMutation(), {
    success: 'App stopped',
    failure: 'Failed to stop the app',
  });
  return (
    <Button
      disabled={liveDeploymentId === null}
      pending={stop.pending}
      onClick={() => liveDeploymentId && stop.run({ id: liveDeploymentId })}
    >
      {!stop.pending && <Square aria-hidden="true" />}
      Stop
    </Button>
  );
}
