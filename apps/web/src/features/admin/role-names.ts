import type { Role } from '@nephos/contracts';

/** Specification §2, in the order in which they are offered. */
export const ROLE_NAMES: Readonly<Record<Role, string>> = { admin: 'Admin', member: 'Member' };
