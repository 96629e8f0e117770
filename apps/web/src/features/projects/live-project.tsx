import { useDeploymentChanges } from '../../lib/use-deployment-changes.ts';

/** Shows nothing: while it is mounted, the project's deployment is followed. */
export function LiveProject({ id }: { id: string }) {
  useDeploymentChanges(id, { always: false });
  return null;
}
