import type { JSONColumnType } from 'kysely';
import type { GeneratedInstant } from './auth.ts';

/** A push that git may have taken into a project's repository, until it is settled what is deployed of it. */
export interface PendingPushesTable {
  projectId: string;
  ownerId: string;
  /** The repository's branches as they were before it. */
  before: JSONColumnType<{ name: string; commit: string; isDefault: boolean }[]>;
  beganAt: GeneratedInstant;
}
