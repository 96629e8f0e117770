import { trpc } from '../trpc.ts';
import { withRow } from './newest-first.ts';
import { useChanges } from './use-changes.ts';

/** Keeps what is cached of a project true while its deployments move; in a hidden tab, too, where `always` is set. */
export function useDeploymentChanges(projectId: string, { always }: { always: boolean }): void {
  const utils = trpc.useUtils();
  const input = { id: projectId };

  function refetchProject() {
    void utils.projects.get.invalidate(input);
    void utils.projects.list.invalidate();
  }

  useChanges(trpc.deployments.changes, input, {
    always,
    refetch: () => {
      void utils.deployments.list.invalidate(input);
      refetchProject();
    },
    onChange: ({ data }) => {
      utils.deployments.list.setData(input, (before) => before && withRow(before, data));
      refetchProject();
    },
  });
}
