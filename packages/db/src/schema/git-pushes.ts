import type { JSONColumnType } from 'kysely';
import type { GeneratedInstant } from './auth.ts';

/** A push that git may have taken into a project's repository, until it is settled what is deployed of it. */
export interface PendingPushesTable {
  projectId: string;
  ownerId: string;
  /** The repository's branches as they were before it. */
  before: JSONColumnType<{ name: string; commit: string; isDefault: boolean }[]>;
  /** By whom the newest push that is not settled is, as a record has it; null for one of before this was kept. */
  pushedBy: JSONColumnType<{
    actor: { id: string; email: string } | null;
    via: 'token' | 'system';
    tokenName?: string | null;
    ip?: string | null;
    requestId?: string | null;
  }> | null;
  beganAt: GeneratedInstant;
}
