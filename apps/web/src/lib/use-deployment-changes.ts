import type { Deployment } from '@nephos/contracts';
import { useQueryClient } from '@tanstack/react-query';
import { getQueryKey } from '@trpc/react-query';
import { useRef } from 'react';
import { withRow } from './newest-first.ts';
import { trpc } from './trpc.ts';
import { type Action, type ActionOptions, type Mutation, useAction } from './use-action.ts';
import { useChanges } from './use-changes.ts';

/** Keeps what is cached of a project true while its deployments move; in a hidden tab, too, where `always` is set. */
export function useDeploymentChanges(projectId: string, { always }: { always: boolean }): void {
  const utils = trpc.useUtils();
  const queries = useQueryClient();
  const input = { id: projectId };
  /** What belongs to a moment that is not told to its end. */
  const moment = useRef<Deployment[]>([]);

  function refetchProject() {
    void utils.projects.get.invalidate(input);
    void utils.projects.list.invalidate();
  }

  function show(changed: readonly Deployment[]) {
    utils.deployments.list.setData(input, (before) => before && changed.reduce(withRow, before));
    // An answer that is on its way may be older than this, and would take its place.
    const isFetching = queries.isFetching({ queryKey: getQueryKey(trpc.deployments.list, input) }) > 0;
    if (isFetching) void utils.deployments.list.invalidate(input);
    refetchProject();
  }

  useChanges(trpc.deployments.changes, input, {
    always,
    refetch: () => {
      moment.current = [];
      void utils.deployments.list.invalidate(input);
      refetchProject();
    },
    onChange: ({ data: { more, ...deployment } }) => {
      moment.current.push(deployment);
      if (more) return;
      show(moment.current);
      moment.current = [];
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
