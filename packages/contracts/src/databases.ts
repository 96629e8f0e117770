import { z } from 'zod';
import {
  DATABASE_ACTIVITIES,
  DATABASE_REGIONS,
  DATABASE_SORTS,
  DATABASE_STATUSES,
  DATABASE_TYPES,
  DATABASE_WORKS,
  DEFAULT_DATABASE_REGION,
  DEFAULT_DATABASE_TYPE,
  DEFAULT_STORAGE_SIZE,
  FREEING_MINUTES,
  MAX_SLEEP_AFTER,
  MAX_STORAGE_SIZE,
  MIN_STORAGE_SIZE,
  SIZE_CLASSES,
  STORAGE_STATES,
} from './constants.ts';
import { databaseMemory } from './database-memory.ts';
import { databaseMoves } from './database-moves.ts';
import { mutation, query, subscription } from './kit.ts';
import { ById, Id, listPage, Success } from './page.ts';
import { line } from './text.ts';

const STORAGE = `Storage must be a whole number of GB from ${MIN_STORAGE_SIZE} to ${MAX_STORAGE_SIZE}.`;

const StorageSize = z.int(STORAGE).min(MIN_STORAGE_SIZE, STORAGE).max(MAX_STORAGE_SIZE, STORAGE);

export const DatabaseType = z.enum(DATABASE_TYPES, `Type must be one of ${DATABASE_TYPES.join(', ')}.`);
export const DatabaseRegion = z.enum(
  DATABASE_REGIONS,
  `Region must be one of ${DATABASE_REGIONS.join(', ')}.`,
);

const SizeClass = z.enum(SIZE_CLASSES, `Size must be one of ${SIZE_CLASSES.join(', ')}.`);

/** A managed database. */
export const ManagedDatabase = z.object({
  id: Id,
  name: z.string(),
  type: DatabaseType,
  /** A label: every database runs on this installation's own server. */
  region: DatabaseRegion,
  /** GB. */
  storageSize: z.int(),
  status: z.enum(DATABASE_STATUSES),
  /** Why it failed, in one sentence; '' otherwise. */
  error: z.string(),
  /**
   * Whether its password was changed at the server, by `ALTER USER` for example, when its connection string was last
   * asked for: that is refused until the password is rotated.
   */
  passwordChanged: z.boolean(),
  /** Of its own server; null while it has none, and where others share it. A connection wakes one that is asleep. */
  activity: z.enum(DATABASE_ACTIVITIES).nullable(),
  /** Version of its own server, like 18.4; '' without one. */
  version: z.string(),
  /** Minutes without connections after which its own server sleeps; null: never. */
  sleepAfter: z.int().nullable(),
  /** Memory and connections of its own server. */
  sizeClass: SizeClass,
  /** How much of its storage it uses, as far as it has a server of its own. */
  storageState: z.enum(STORAGE_STATES),
  /** Until when it can be written although it is full, to delete from it; null: it cannot. */
  freeingUntil: z.iso.datetime().nullable(),
  /** What is being done with the whole of it, and how much of that is done in percent; null: nothing, or not known. */
  work: z.enum(DATABASE_WORKS).nullable(),
  workPercent: z.int().min(0).max(100).nullable(),
  /** Why that does not go on at the moment, in a sentence or two; it is tried again by itself. '' otherwise. */
  workError: z.string(),
  createdAt: z.iso.datetime(),
});
export type ManagedDatabase = z.output<typeof ManagedDatabase>;

export const NewDatabase = z.object({
  /** Shown to people; what the server calls the database and its role is random. */
  name: line(63, 'Name'),
  type: DatabaseType.default(DEFAULT_DATABASE_TYPE),
  region: DatabaseRegion.default(DEFAULT_DATABASE_REGION).describe(
    "A label; databases run on this installation's own server",
  ),
  /** GB. */
  storageSize: StorageSize.default(DEFAULT_STORAGE_SIZE),
});
export type NewDatabase = z.input<typeof NewDatabase>;

const SLEEP = `Minutes must be a whole number from 1 to ${MAX_SLEEP_AFTER}, or null to never sleep.`;

export const DatabaseUpdate = ById.extend({
  /** Minutes without connections; null: never. */
  sleepAfter: z.int(SLEEP).min(1, SLEEP).max(MAX_SLEEP_AFTER, SLEEP).nullable().optional(),
  /** GB. */
  storageSize: StorageSize.optional(),
  sizeClass: SizeClass.optional().describe('Its server restarts; who comes meanwhile waits'),
});
export type DatabaseUpdate = z.input<typeof DatabaseUpdate>;

/** Whether this server can make databases of a type, and if not, why. */
export const DatabaseEngineState = z.object({
  type: DatabaseType,
  available: z.boolean(),
  /** One sentence that names the setting to change; '' when available. */
  reason: z.string(),
});
export type DatabaseEngineState = z.output<typeof DatabaseEngineState>;

/** The address with user name and password, as the type's own clients take it. */
export const DatabaseConnection = z.object({
  connectionString: z.string(),
  /** Whether the server refuses it, since its password was changed there; rotating the password mends that. */
  passwordChanged: z.boolean(),
  /** Of the pooler in front of a PostgreSQL database; null where there is none. */
  pooledConnectionString: z.string().nullable(),
  /** One sentence why there is none; '' where there is one, and for types without poolers. */
  notPooled: z.string(),
});
export type DatabaseConnection = z.output<typeof DatabaseConnection>;

/** Asked from the engine at this moment. */
export const DatabaseUsage = z.object({
  /** Bytes on disk; in memory for Redis. */
  size: z.int(),
  /** Bytes that `storageSize` allows; for Redis those that its server may take. */
  sizeLimit: z.int(),
  /** Open client connections. */
  connections: z.int(),
  connectionLimit: z.int(),
});
export type DatabaseUsage = z.output<typeof DatabaseUsage>;

/** What became of one database: `null` when it was deleted. */
export const DatabaseChange = z.object({ id: Id, database: ManagedDatabase.nullable() });
export type DatabaseChange = z.output<typeof DatabaseChange>;

export const DatabasePage = listPage(DATABASE_SORTS).optional();

const SHARED = 'The database shares its server with others';

export const databases = {
  list: query({
    summary: 'Your databases, newest first; searched by name, type, region and status',
    route: 'GET /api/databases',
    forAssistant: true,
    input: DatabasePage,
    output: z.array(ManagedDatabase),
  }),
  create: mutation({
    summary: 'Create a database; it becomes available within seconds',
    route: 'POST /api/databases',
    status: 201,
    perMinute: 10,
    input: NewDatabase,
    output: ManagedDatabase,
  }),
  get: query({
    summary: 'One database',
    route: 'GET /api/databases/{id}',
    forAssistant: true,
    input: ById,
    output: ManagedDatabase,
  }),
  update: mutation({
    summary: "Change a database's storage, and the size of its own server and when that sleeps",
    route: 'PATCH /api/databases/{id}',
    perMinute: 60,
    input: DatabaseUpdate,
    output: ManagedDatabase,
    refusals: { 409: `${SHARED}, or it holds more than the storage` },
  }),
  connection: query({
    summary: 'The connection string of an available database, password included',
    route: 'GET /api/databases/{id}/connection',
    fresh: true,
    perMinute: 30,
    secret: true,
    input: ById,
    output: DatabaseConnection,
  }),
  usage: query({
    summary: "A database's current size and open connections",
    route: 'GET /api/databases/{id}/usage',
    forAssistant: true,
    input: ById,
    output: DatabaseUsage,
  }),
  ...databaseMemory,
  ...databaseMoves,
  move: mutation({
    summary: 'Move a database to a server of its own, in the background; nobody can connect meanwhile',
    route: 'POST /api/databases/{id}/move',
    perMinute: 10,
    input: ById,
    output: ManagedDatabase,
    refusals: { 409: 'It has one already or cannot have one, or something else is being done with it' },
  }),
  retry: mutation({
    summary: 'Retry a database that could not be created',
    route: 'POST /api/databases/{id}/retry',
    perMinute: 10,
    input: ById,
    output: ManagedDatabase,
  }),
  rotatePassword: mutation({
    summary: 'Give a database a new password; the old one stops working and open connections end',
    route: 'POST /api/databases/{id}/rotate-password',
    fresh: true,
    // The database's server is told after the transaction in which the intention is kept, and the key with it.
    keepsKeys: true,
    perMinute: 10,
    secret: true,
    input: ById,
    output: DatabaseConnection,
  }),
  freeSpace: mutation({
    summary: `Let a full database be written for ${FREEING_MINUTES} minutes, to delete from it`,
    route: 'POST /api/databases/{id}/free-space',
    perMinute: 10,
    input: ById,
    output: ManagedDatabase,
    refusals: { 409: 'The database is not full' },
  }),
  cancelWork: mutation({
    summary: 'Cancel what is being done with a database; what it had before stays as it was',
    route: 'POST /api/databases/{id}/cancel',
    perMinute: 60,
    input: ById,
    output: ManagedDatabase,
    refusals: { 409: 'Nothing is being done with it that could be cancelled' },
  }),
  remove: mutation({
    summary: 'Delete a database and all its data',
    route: 'DELETE /api/databases/{id}',
    fresh: true,
    perMinute: 30,
    input: ById,
    output: Success,
  }),
  engines: query({
    summary: 'Database types that this server can create',
    route: 'GET /api/database-engines',
    forAssistant: true,
    output: z.array(DatabaseEngineState),
  }),
  changes: subscription({
    summary: 'Your databases: first all of them, then each change',
    output: DatabaseChange,
  }),
};
