import { withRow } from './newest-first.ts';
import { trpc } from './trpc.ts';
import { type Action, type ActionOptions, type Mutation, useAction } from './use-action.ts';
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

/** An action that makes or moves a deployment: what shows deployments is fetched again, and the server says why not. */
export function useDeploymentAction<Input, Output>(
  mutation: Mutation<Input, Output>,
  texts: Pick<ActionOptions<Output>, 'success' | 'failure'>,
): Action<Input> {
  const utils = trpc.useUtils();
  return useAction(mutation, {
    ...texts,
    serverSpeaks: true,
    refresh: [utils.deployments.list, utils.projects.get, utils.projects.list],
  });
}
