import type { Deployment } from '@nephos/contracts';
import { RotateCcw } from 'lucide-react';
import { useDeploymentAction } from '../../lib/use-deployment-action.ts';
import { trpc } from '../../trpc.ts';
import { Button } from '../../ui/button.tsx';
import { shortCommit } from './commit.ts';

/** Starts a kept release again, without a build. */
export function RollbackButton({ deployment: { id, commit } }: { deployment: Deployment }) {
  const rollback = useDeploymentAction(trpc.deployments.rollback.useMutation(), {
    success: `Rolling back to ${shortCommit(commit)}`,
    failure: 'Failed to roll back',
  });
  return (
    <Button
      size="sm"
      title="Start this version again, without a build"
      pending={rollback.pending}
      onClick={() => rollback.run({ id })}
    >
      {!rollback.pending && <RotateCcw aria-hidden="true" />}
      Rollback
    </Button>
  );
}
