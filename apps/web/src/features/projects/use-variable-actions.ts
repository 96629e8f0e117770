import { trpc } from '../../lib/trpc.ts';
import { useAction } from '../../lib/use-action.ts';

/** What has variables: both take the same calls. */
export interface VariableHolder {
  kind: 'project' | 'group';
  id: string;
}

/** The calls of a holder's variables, and what to fetch again once these have changed. */
function useVariableCalls({ kind }: VariableHolder) {
  const utils = trpc.useUtils();
  return kind === 'project'
    ? { calls: trpc.projects, refresh: [utils.projects.variables] }
    : { calls: trpc.variableGroups, refresh: [utils.variableGroups] };
}

export function useSetVariables(holder: VariableHolder, onDone: () => void) {
  const { calls, refresh } = useVariableCalls(holder);
  return useAction(calls.setVariables.useMutation(), {
    success: 'Saved. Values are never shown again.',
    failure: 'Failed to save the variables',
    serverSpeaks: true,
    refresh,
    onDone,
  });
}

export function useScopeVariable(holder: VariableHolder) {
  const { calls, refresh } = useVariableCalls(holder);
  return useAction(calls.scopeVariable.useMutation(), {
    success: 'Saved',
    failure: 'Failed to save the variable',
    serverSpeaks: true,
    refresh,
  });
}

export function useRemoveVariable(holder: VariableHolder) {
  const { calls, refresh } = useVariableCalls(holder);
  return useAction(calls.removeVariable.useMutation(), {
    success: 'Variable deleted',
    failure: 'Failed to delete the variable',
    serverSpeaks: true,
    refresh,
  });
}
