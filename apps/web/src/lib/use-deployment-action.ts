import { trpc } from '../trpc.ts';
import { type Action, type ActionOptions, type Mutation, useAction } from './use-action.ts';

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
