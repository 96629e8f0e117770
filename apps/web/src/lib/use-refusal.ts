import { roleRefusal } from '@nephos/contracts/constants';
import { useUser } from './use-user.ts';
import { needOf, type Permission } from './workspace-roles.ts';

/** Why the person may not do what needs a permission in the workspace that is shown; undefined where they may. */
export function useRefusal(permission: Permission): string | undefined {
  const { workspace } = useUser();
  return workspace ? roleRefusal(workspace.role, permission) : undefined;
}

/** For a button that begins a write, or opens what does: it does nothing and says why where the person may not. */
export function useNeed(permission: Permission): { reason?: string } {
  const reason = useRefusal(permission);
  return reason === undefined ? {} : { reason };
}

/** As `useRefusal`, of a write by its path in the contract; none is refused whose path is not known. */
export function useWriteRefusal(path: string | undefined): string | undefined {
  const refusal = useRefusal(path === undefined ? 'account' : needOf(path));
  return path === undefined ? undefined : refusal;
}
