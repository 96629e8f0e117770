import { needs } from 'virtual:needs';
import { PERMISSIONS, type WORKSPACE_ROLES } from '@nephos/contracts/constants';

export type WorkspaceRole = (typeof WORKSPACE_ROLES)[number];
export type Permission = (typeof PERMISSIONS)[WorkspaceRole][number];

export const WORKSPACE_ROLE_NAMES: Readonly<Record<WorkspaceRole, string>> = {
  owner: 'Owner',
  admin: 'Admin',
  developer: 'Developer',
  viewer: 'Viewer',
  billing: 'Billing',
};

/** Those that suffice are asked for beginning with what gives least. */
const LEAST: readonly WorkspaceRole[] = ['viewer', 'billing', 'developer', 'admin', 'owner'];

export function may(role: WorkspaceRole, permission: Permission): boolean {
  return PERMISSIONS[role].includes(permission);
}

/** Why a member may not do what needs a permission, as the server would say it; undefined where they may. */
export function roleRefusal(role: WorkspaceRole, permission: Permission): string | undefined {
  if (may(role, permission)) return undefined;
  const least = LEAST.find((one) => may(one, permission)) ?? 'owner';
  return `You need the role ${WORKSPACE_ROLE_NAMES[least]} in this workspace to do this. You have ${WORKSPACE_ROLE_NAMES[role]}.`;
}

/** What a write of the contract needs, by its path, such as `projects.create`. */
export function needOf(path: string): Permission {
  return needs[path] ?? 'build';
}
