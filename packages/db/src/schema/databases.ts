import type { Generated } from 'kysely';
import type { GeneratedInstant } from './auth.ts';

export interface ManagedDatabasesTable {
  id: Generated<string>;
  ownerId: string;
  name: string;
  type: 'postgresql' | 'mysql' | 'mongodb' | 'redis';
  region: 'us-east-1' | 'us-west-2' | 'eu-west-1';
  /** GB. */
  storageSize: number;
  status: Generated<'creating' | 'available' | 'failed'>;
  /** One sentence; '' unless failed. */
  error: Generated<string>;
  /** What the engine calls the database and its role; never changes. */
  engineName: string;
  /** Sealed by the secrets box. */
  password: Buffer;
  /** Sealed, too: what the password is being changed to. The server has one or the other. */
  nextPassword: Buffer | null;
  /** Whether the server was seen to refuse `password`, since it was changed there. */
  passwordChanged: Generated<boolean>;
  /** Of the server that is the database's own: null where it has none. Written by the machine that has it. */
  activity: Generated<'asleep' | 'waking' | 'awake' | null>;
  /** The machine that has that server, as `clustersHome` names it; null until that has told of it. */
  home: string | null;
  /** Of that server, like 18.4; '' where the database has none. */
  serverVersion: Generated<string>;
  /** Minutes without connections after which that server sleeps; null: never. */
  sleepAfter: Generated<number | null>;
  /** What is being done with the whole of it; `null` while nothing is. */
  work: Generated<'restoring' | 'swapping' | 'importing' | 'moving' | null>;
  workPercent: Generated<number | null>;
  /** Why that does not go on at the moment, in one sentence; '' otherwise. */
  workError: Generated<string>;
  /** Whether somebody asked to end that. */
  workCancelled: Generated<boolean>;
  /** Why its last move to a server of its own failed, in one sentence; '' otherwise. */
  moveError: Generated<string>;
  /** Memory and connections of its own server. */
  sizeClass: Generated<'small' | 'medium' | 'large'>;
  /** How much of `storageSize` it uses. Written by the machine that has its server. */
  storageState: Generated<'ok' | 'nearly' | 'full' | 'closed'>;
  /** Until when it can be written although it is full. */
  freeingUntil: string | null;
  /** Days for which its past is kept; hour of the day, in UTC, at which it is backed up. */
  keepDays: Generated<number>;
  backupHour: Generated<number>;
  createdAt: GeneratedInstant;
  /** Set by a trigger, which also sends `database_changed`. */
  changedAt: GeneratedInstant;
}

/** A further user of a database. */
export interface DatabaseUsersTable {
  id: Generated<string>;
  ownerId: string;
  databaseId: string;
  name: string;
  access: 'read' | 'write';
  /** Sealed by the secrets box. */
  password: Buffer;
  createdAt: GeneratedInstant;
}

/** A dump that was, or is being, imported into a database. */
export interface DatabaseImportsTable {
  id: Generated<string>;
  ownerId: string;
  databaseId: string;
  /** Of the storage; null once it is deleted, and for an address. */
  fileId: string | null;
  /** Sealed by the secrets box; null once the import has ended, and for a file. */
  sealedUrl: Buffer | null;
  /** Of the file, or the address's host. */
  name: string;
  status: Generated<'running' | 'done' | 'failed' | 'cancelled'>;
  error: Generated<string>;
  /** Bytes that were read. */
  size: Generated<number>;
  statements: Generated<number>;
  skipped: Generated<string[]>;
  /** Transaction at the database's own server, by which it tells whether that was committed. */
  xactId: string | null;
  startedAt: GeneratedInstant;
  endedAt: string | null;
}

/** A statement that somebody ran at a database from the console. */
export interface DatabaseStatementsTable {
  id: Generated<string>;
  ownerId: string;
  databaseId: string;
  userId: string;
  /** Sealed by the secrets box, as is the error. */
  sealedSql: Buffer;
  sealedError: Buffer | null;
  write: boolean;
  /** What it did, for example `INSERT 0 2`; '' where it failed. */
  command: string;
  milliseconds: number;
  createdAt: GeneratedInstant;
}

/** What a database did in a minute in which its server ran; its counters are as the server has them. */
export interface DatabaseMetricsTable {
  databaseId: string;
  /** When the minute began. */
  at: string;
  /** Bytes on disk; null where the server did not tell. */
  size: number | null;
  connections: number;
  commits: number;
  rollbacks: number;
  /** Pages that were found in the server's memory, and those that were not. */
  pagesHit: number;
  pagesRead: number;
}

/** A server of databases that did not answer when it was looked at last. */
export interface UnansweredServersTable {
  /** The type of database that it is for, or the id of the one that has it for itself. */
  server: string;
  /** Looks in a row. */
  looks: number;
  lookedAt: GeneratedInstant;
}
