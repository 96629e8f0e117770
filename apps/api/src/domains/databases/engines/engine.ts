import type { DatabaseMemory, ManagedDatabase } from '@nephos/contracts';
import type { Logger } from 'pino';
import type { Settings } from '../../../core/settings.ts';
import type { PostgresObserver } from './postgres/observer.ts';
import type { ServersPast } from './postgres/servers-past.ts';

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

/** A further user of a database. */
export interface ServerUser {
  name: string;
  access: 'read' | 'write';
  password: string;
}

/** The further users of one database. */
export interface UsersAtServer {
  /** From when it resolves, the user is let in by this password alone. */
  set(user: ServerUser): Promise<void>;
  /** From when it resolves, nobody is let in by that name. */
  remove(name: string): Promise<void>;
}

/** A database's own client failed; the message is its own, in one line, and may be shown to the database's people. */
export class ClientFailure extends Error {
  override readonly name = 'ClientFailure';
}

/** Rows of tables, by their names. */
export type TableRows = ReadonlyMap<string, number>;

/** What changes with each write to a table, by their names. */
export type TableMarks = ReadonlyMap<string, string>;

/** Databases as statements: what is kept of those that have no log of their changes. */
export interface Dumps {
  /** Why there are none, in one sentence that says what to do; null when there are. */
  unavailable(): string | null;
  /** One state of all that is in a database. It throws at the end unless everything was read. */
  read(credentials: Credentials, signal: AbortSignal): AsyncIterable<Uint8Array>;
  /** Fills an empty database from the dump of `from`, as its own user. What failed half-way stays half-filled. */
  write(
    source: AsyncIterable<Uint8Array>,
    into: { from: string; credentials: Credentials; signal: AbortSignal },
  ): Promise<void>;
  /** Of the tables that seem to be still: by what to see later whether they were. */
  mark(credentials: Credentials): Promise<TableMarks>;
  /** Of those to which nothing was written since. */
  countStill(credentials: Credentials, before: TableMarks): Promise<TableRows>;
  /** Reads all tables of a database. `damage` is the first that it finds, as a sentence. */
  check(credentials: Credentials): Promise<{ rows: TableRows; damage?: string }>;
}

/** A server of its own cannot be had; the message says why, in one sentence that may be shown to its people. */
export class NotMovable extends Error {
  override readonly name = 'NotMovable';
}

/** What is said about a move, and to it. */
export interface MoveSteps {
  /** Told how much of it is done, from 0 to 1. */
  progress(done: number): void;
  /** Ends it as long as the database is where it was. */
  signal: AbortSignal;
}

/** The extensions of one database. What the server refuses is thrown as it is. */
export interface ExtensionsAtServer {
  list(): Promise<{ name: string; version: string; isOn: boolean; schema: string }[]>;
  add(name: string): Promise<void>;
  /** `cascade`: with all that depends on it. */
  remove(extension: { name: string; cascade: boolean }): Promise<void>;
}

/** `reason`: why there is none, in one sentence. */
export type PooledAddress = { connectionString: string } | { reason: string };

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
  /** Where databases have servers of their own: what tells the machine of these from others. */
  home?(): Promise<string>;
  /** Where databases have servers of their own: has this one's take orders. Rejects where it cannot. */
  wake?(name: string): Promise<void>;
  /** Where databases are kept in memory. */
  readonly memory?: MemoryBound;
  /** Where databases share a server that bounds them less than the page of one would make believe: what holds of it. */
  sharing?(name: string): string;
  /** Where a server may lose databases: makes those again that our own data knows. */
  recover?(): Promise<void>;
  /** Makes the database and the role that owns it and can reach nothing else. */
  create(credentials: Credentials): Promise<void>;
  /** From when it resolves, only this password is accepted, and sessions of the old one have ended. */
  setPassword(credentials: Credentials): Promise<void>;
  /** Whether the server lets the role in with this password. Rejects within 3 seconds where it cannot be asked. */
  accepts(credentials: Credentials): Promise<boolean>;
  /** Ends its sessions and removes the database and its role. */
  remove(name: string): Promise<void>;
  usage(name: string): Promise<EngineUsage>;
  /** Absent where databases are backed up in another way, or not at all. */
  readonly dumps?: Dumps;
  /** How databases are looked at by their server's administrator; absent where that is not to be had. */
  readonly observer?: PostgresObserver;
  /** Takes up what was chosen for the database since, where its server goes by that. It is not woken. */
  settingsChanged?(name: string): Promise<void>;
  /** Where databases have servers of their own here: how their past is kept, and brought back. */
  readonly past?: ServersPast;
  /** Gives its own server the memory and connections that were chosen; that restarts where it runs. */
  resize?(name: string): Promise<void>;
  /** Does something with the further users of a database of its own server, while nobody is let in. */
  users?<T>(name: string, work: (server: UsersAtServer) => Promise<T>): Promise<T>;
  /** Does something with the extensions of a database of its own server. */
  extensions?<T>(name: string, work: (server: ExtensionsAtServer) => Promise<T>): Promise<T>;
  /**
   * Gives a database that shares its server one of its own, under the name and password that it has; nobody is let in
   * meanwhile. Where it fails, the database is what it was. Resolves to whether it is on this machine at all.
   */
  move?(name: string, steps: MoveSteps): Promise<boolean>;
  /** The address under which clients reach the database. */
  connectionString(credentials: Credentials): string;
  /** The same by way of a pooler; absent where the type has none. */
  pooled?(credentials: Credentials): PooledAddress;
  /** The port of those, on the same host; undefined where there is none at the moment. */
  pooledPort?(): number | undefined;
}

/** The server of each type of database. */
export type DatabaseEngines = Readonly<Record<ManagedDatabase['type'], DatabaseEngine>>;
