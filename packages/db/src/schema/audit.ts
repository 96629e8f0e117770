import type { Generated } from 'kysely';
import type { GeneratedInstant } from './auth.ts';

/** What somebody, or the server by itself, did; never changed. */
export interface AuditRecordsTable {
  id: Generated<string>;
  at: GeneratedInstant;
  /** Id of the workspace that it belongs to; zeros for the installation's own. */
  chain: string;
  /** Null where nobody is known: the server itself, or somebody whose log-in was refused. */
  actorId: string | null;
  /** As it was; '' where nobody is known. */
  actorEmail: string;
  via: 'session' | 'token' | 'hook' | 'system' | 'none';
  tokenName: string | null;
  /** In whose name the actor was signed in, where that is another person. */
  asWhom: string | null;
  ip: string | null;
  requestId: string | null;
  /** `domain.name`, of the contract where it is one of its rows. */
  procedure: string;
  subjectKind: string;
  subjectId: string | null;
  subjectName: string | null;
  /** JSON, without secrets. */
  before: Record<string, unknown> | null;
  after: Record<string, unknown> | null;
  result: 'done' | 'refused';
  /** Counts the records of a chain from 1; null where the record waits to be sealed. */
  position: number | null;
  /** SHA-256 over the hash before it and this record. */
  hash: Buffer | null;
}

/** What waits to be sealed: it is written in the transaction of what it tells, and is moved to the others with its seal. */
export interface UnsealedRecordsTable {
  id: Generated<string>;
  at: GeneratedInstant;
  chain: string;
  /** The columns of `AuditRecordsTable` by their names, where it has something for them. */
  record: Record<string, unknown>;
}

/** How far a chain is sealed, and how much of its beginning was swept. */
export interface AuditChainsTable {
  chain: string;
  /** Of the newest sealed record. */
  position: number;
  hash: Buffer;
  /** Of the newest record that was swept; 0 and zeros where none was. */
  sweptPosition: Generated<number>;
  sweptHash: Generated<Buffer>;
}
