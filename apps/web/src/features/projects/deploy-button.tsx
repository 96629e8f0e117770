import type { Project } from '@nephos/contracts';
import { Rocket } from 'lucide-react';
import { hasSource } from '../../lib/deployment-status.tsx';
import { useRunButton } from '../../lib/run-refusal.tsx';
import { trpc } from '../../lib/trpc.ts';
import { useDeploymentAction } from '../../lib/use-deployment-changes.ts';
import { Button } from '../../ui/button.tsx';
import type { ButtonVariant } from '../../ui/button-styles.ts';

export interface DeployButtonProps {
  project: Pick<Project, 'id' | 'repositoryUrl' | 'template'>;
  variant?: ButtonVariant;
}

/** Queues a deployment of the branch's newest commit, or of the template. */
export function DeployButton({ project, variant = 'secondary' }: DeployButtonProps) {
  const deploy = useDeploymentAction(trpc.deployments.create.useMutation(), {
    success: 'Deployment queued',
    failure: 'Failed to start the deployment',
  });
  const run = useRunButton(project.id);
  return (
    <Button
      variant={variant}
      disabled={!hasSource(project)}
      title={hasSource(project) ? undefined : 'Add a repository first'}
      {...run}
      pending={deploy.pending}
      onClick={() => deploy.run({ id: project.id })}
    >
      {!deploy.pending && <Rocket aria-hidden="true" />}
      Deploy
    </Button>
  );
}
