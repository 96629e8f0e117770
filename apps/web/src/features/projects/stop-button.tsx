import { Square } from 'lucide-react';
import { useAction } from '../../lib/use-action.ts';
import { trpc } from '../../trpc.ts';
import { Button } from '../../ui/button.tsx';

/** Stops the app that is serving, if one is; Deploy or Rollback starts one again. */
export function StopButton({ liveDeploymentId }: { liveDeploymentId: string | null }) {
  const utils = trpc.useUtils();
  const stop = useAction(trpc.deployments.stop.useMutation(), {
    success: 'App stopped',
    failure: 'Failed to stop the app',
    serverSpeaks: true,
    refresh: [utils.deployments.list, utils.projects.get, utils.projects.list],
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
