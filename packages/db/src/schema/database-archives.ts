import type { ColumnType, Generated } from 'kysely';
import type { GeneratedInstant } from './auth.ts';

/** What is kept of the past of a database. */
export interface DatabaseArchivesTable {
  id: Generated<string>;
  ownerId: string;
  /** Of which it is the past by now: it goes with what is in a database when two change places. */
  databaseId: string;
  /** Bytes in the store; kept by triggers. */
  size: Generated<number>;
  /** Since when its log could not be kept; null while it can. */
  behindSince: string | null;
  /** Since when its latest backup is being proved; null while none is. */
  provingSince: string | null;
  /** Under which name a server has the database that this takes; null where it takes none. */
  trialName: string | null;
  /** The last trial restore, whether its backup is still there or not. */
  proofAt: string | null;
  proofSucceeded: boolean | null;
  proofDetail: Generated<string>;
  createdAt: GeneratedInstant;
}

/** A copy of the whole of it, with which a restore begins. */
export interface DatabaseBackupsTable {
  id: Generated<string>;
  archiveId: string;
  status: Generated<'running' | 'done' | 'failed'>;
  /** One sentence; '' unless failed. */
  error: Generated<string>;
  /** Bytes in the store. */
  size: Generated<number>;
  /** Of those bytes, in hex. */
  sha256: string | null;
  /** Of a dump: rows of the tables to which nothing was written meanwhile, by their names; null where nobody counted. */
  rowCounts: ColumnType<Record<string, number> | null, string | undefined, string>;
  /** Pieces of its server's log that are needed with it, counted as `FinishedWal` is; null until known. */
  timeline: number | null;
  firstWal: number | null;
  lastWal: number | null;
  startedAt: GeneratedInstant;
  /** From then on, every moment can be brought back with it. */
  endedAt: string | null;
  /** The last trial restore. */
  proofAt: string | null;
  proofSucceeded: boolean | null;
  proofDetail: Generated<string>;
}

/** A piece of its server's log. */
export interface DatabaseWalTable {
  archiveId: string;
  timeline: number;
  number: number;
  name: string;
  /** Bytes in the store. */
  size: number;
  sha256: string;
  /** What was acknowledged before is in this piece or in those before it. */
  writtenAt: string;
}

/** Of a database that is still to be made: from what. */
export interface DatabaseRestoresTable {
  databaseId: string;
  /** Null where that is gone. */
  archiveId: string | null;
  /** The backup itself, where only those can be brought back. */
  backupId: string | null;
  /** The moment; null: the latest. */
  at: string | null;
}

/** Two databases that are changing places. */
export interface DatabaseSwapsTable {
  id: Generated<string>;
  firstId: string;
  secondId: string;
  /** Where the first one's server was before, as `placeOfCluster` has it; null until it begins. */
  firstPlace: string | null;
}
