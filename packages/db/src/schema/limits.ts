import type { ColumnType } from 'kysely';
import type { GeneratedInstant } from './auth.ts';

type Limit = ColumnType<number | null, number | null | undefined, number | null>;

/** What an administrator set for one owner; null: as the plan, or everybody, has it. */
export interface WorkspaceLimitsTable {
  ownerId: string;
  projects: Limit;
  databases: Limit;
  dnsZones: Limit;
  virtualAccounts: Limit;
  previews: Limit;
  /** Shared ones that the person of a personal workspace may own. */
  workspaces: Limit;
  /** Bytes of files and images. */
  storage: Limit;
  changedAt: GeneratedInstant;
  changedBy: string | null;
}
