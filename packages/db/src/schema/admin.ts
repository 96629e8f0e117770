import type { Generated } from 'kysely';
import type { GeneratedInstant } from './auth.ts';

/** Who was made what by whom. */
export interface RoleChangesTable {
  id: Generated<string>;
  userId: string;
  changedBy: string | null;
  role: 'admin' | 'member';
  createdAt: GeneratedInstant;
}
