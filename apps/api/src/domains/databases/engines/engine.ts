import type { DatabaseMemory, ManagedDatabase } from '@nephos/contracts';
import type { Logger } from 'pino';
import type { Settings } from '../../../core/env.ts';

/** What an engine is made of. */
export interface EngineParts {
  settings: Settings;
  log: Logger;
}

/** What an engine needs to know of one database. */
export interface Credentials {
  /** The database and its role have this name: lower-case letters, digits and `_`, at most 32. */
  name: string;
  password: string;
}

/** A server's own figures for one database. */
export interface EngineUsage {
  /** Bytes on disk; in memory where all of it is there. */
  size: number;
  /** What bounds that, unless it is the storage of the database. */
  sizeLimit?: number;
  connections: number;
  connectionLimit: number;
}

/** Sets what databases that are kept in memory may take. */
export interface MemoryBound {
  read(name: string): Promise<DatabaseMemory>;
  /** From when it resolves, the server keeps to it, and does so after every start. */
  set(name: string, memory: DatabaseMemory): Promise<void>;
}

/** `untried`: none since the console started. */
export type LastStart = 'untried' | 'worked' | 'failed';

/**
 * A database server that we administer. Every operation may be repeated: what is there already is completed, what is
 * gone already counts as removed. They reject when the server cannot be reached or refuses.
 */
export interface DatabaseEngine {
  readonly type: ManagedDatabase['type'];
  /** Whether we run the server on this machine, so that its apps reach it on loopback. */
  readonly runsHere: boolean;
  /** Why databases cannot be made here, in one sentence that names the setting to change; null when they can. */
  unavailable(): string | null;
  /** Brings the server up where it is ours to run. What cannot start is told by `unavailable`, not thrown. */
  start(): Promise<void>;
  stop(): Promise<void>;
  /** Where databases have servers of their own: what became of this one's last start; undefined: it is on a shared one. */
  lastStart?(name: string): LastStart | undefined;
  /** Where databases are kept in memory. */
  readonly memory?: MemoryBound;
  /** Makes the database and the role that owns it and can reach nothing else. */
  create(credentials: Credentials): Promise<void>;
  /** From when it resolves, only this password is accepted, and sessions of the old one have ended. */
  setPassword(credentials: Credentials): Promise<void>;
  /** Whether the server lets the role in with this password. Rejects within 3 seconds where it cannot be asked. */
  accepts(credentials: Credentials): Promise<boolean>;
  /** Ends its sessions and removes the database and its role. */
  remove(name: string): Promise<void>;
  usage(name: string): Promise<EngineUsage>;
  /** The address under which clients reach the database. */
  connectionString(credentials: Credentials): string;
}

/** The server of each type of database. */
export type DatabaseEngines = Readonly<Record<ManagedDatabase['type'], DatabaseEngine>>;
