import { trpc } from '../../lib/trpc.ts';
import { useAction } from '../../lib/use-action.ts';

/** What has variables: both take the same calls. */
export interface VariableHolder {
  kind: 'project' | 'group';
  id: string;
}

/** What to fetch again once a holder's variables have changed. */
function useRefresh({ kind }: VariableHolder) {
  const utils = trpc.useUtils();
  return kind === 'project' ? [utils.projects.variables] : [utils.variableGroups];
}

export function useSetVariables(holder: VariableHolder, onDone: () => void) {
  const rows = holder.kind === 'project' ? trpc.projects : trpc.variableGroups;
  return useAction(rows.setVariables.useMutation(), {
    success: 'Saved. Values are never shown again.',
    failure: 'Failed to save the variables',
    serverSpeaks: true,
    refresh: useRefresh(holder),
    onDone,
  });
}

export function useScopeVariable(holder: VariableHolder) {
  const rows = holder.kind === 'project' ? trpc.projects : trpc.variableGroups;
  return useAction(rows.scopeVariable.useMutation(), {
    success: 'Saved',
    failure: 'Failed to save the variable',
    serverSpeaks: true,
    refresh: useRefresh(holder),
  });
}

export function useRemoveVariable(holder: VariableHolder) {
  const rows = holder.kind === 'project' ? trpc.projects : trpc.variableGroups;
  return useAction(rows.removeVariable.useMutation(), {
    success: 'Variable deleted',
    failure: 'Failed to delete the variable',
    serverSpeaks: true,
    refresh: useRefresh(holder),
  });
}
