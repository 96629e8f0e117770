import { needs } from 'virtual:needs';
import type { PERMISSIONS, WORKSPACE_ROLES } from '@nephos/contracts/constants';

export type WorkspaceRole = (typeof WORKSPACE_ROLES)[number];
export type Permission = (typeof PERMISSIONS)[WorkspaceRole][number];

/** What a write of the contract needs, by its path, such as `projects.create`. */
export function needOf(path: string): Permission {
  return needs[path] ?? 'build';
}
