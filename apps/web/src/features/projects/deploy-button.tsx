import type { Project } from '@nephos/contracts';
import { Rocket } from 'lucide-react';
import { useDeploymentAction } from '../../lib/use-deployment-action.ts';
import { trpc } from '../../trpc.ts';
import { Button } from '../../ui/button.tsx';
import type { ButtonVariant } from '../../ui/button-styles.ts';

export interface DeployButtonProps {
  project: Pick<Project, 'id' | 'repositoryUrl'>;
  variant?: ButtonVariant;
}

/** Queues a deployment of the branch's newest commit. */
export function DeployButton({ project: { id, repositoryUrl }, variant = 'secondary' }: DeployButtonProps) {
  const deploy = useDeploymentAction(trpc.deployments.create.useMutation(), {
    success: 'Deployment queued',
    failure: 'Failed to start the deployment',
  });
  return (
    <Button
      variant={variant}
      disabled={!repositoryUrl}
      title={repositoryUrl ? undefined : 'Set a repository first'}
      pending={deploy.pending}
      onClick={() => deploy.run({ id })}
    >
      {!deploy.pending && <Rocket aria-hidden="true" />}
      Deploy
    </Button>
  );
}
