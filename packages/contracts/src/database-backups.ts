import { z } from 'zod';
import { MAX_KEEP_DAYS } from './constants.ts';
import { ManagedDatabase } from './databases.ts';
import { mutation, query } from './kit.ts';
import { ById, Id } from './page.ts';
import { line } from './text.ts';

/** What a trial restore of a backup found. */
const DatabaseProof = z.object({
  at: z.iso.datetime(),
  succeeded: z.boolean(),
  /** What was compared, or why it failed, in one sentence. */
  detail: z.string(),
});
export type DatabaseProof = z.output<typeof DatabaseProof>;

export const DatabaseBackup = z.object({
  id: Id,
  status: z.enum(['running', 'done', 'failed']),
  /** Why it failed, in one sentence; '' otherwise. */
  error: z.string(),
  /** Bytes in the store. */
  size: z.int(),
  startedAt: z.iso.datetime(),
  endedAt: z.iso.datetime().nullable(),
  /** The last one of it. */
  proof: DatabaseProof.nullable(),
});
export type DatabaseBackup = z.output<typeof DatabaseBackup>;

/** What can be brought back of a database. */
export const DatabasePast = z.object({
  /** Why nothing is kept of it, in one sentence that says what to do; '' where it is. */
  unavailable: z.string(),
  /** `moment`: any second between `from` and `until`; `backup`: the moments of its backups only. */
  kind: z.enum(['moment', 'backup']),
  /** The earliest moment within reach; null while there is none. */
  from: z.iso.datetime().nullable(),
  /** The latest one. */
  until: z.iso.datetime().nullable(),
  /** Bytes in the store, what was written between backups included. */
  size: z.int(),
  /** Days for which it is kept. */
  keepDays: z.int(),
  /** Hour of the day, in UTC, at which the nightly backup begins. */
  hour: z.int(),
  /** Newest first. */
  backups: z.array(DatabaseBackup),
  lastProof: DatabaseProof.nullable(),
  /** Whether the latest backup is being proved. */
  proving: z.boolean(),
});
export type DatabasePast = z.output<typeof DatabasePast>;

const DAYS = `Days must be a whole number from 1 to ${MAX_KEEP_DAYS}.`;
const HOUR = 'Hour must be a whole number from 0 to 23.';

export const DatabaseBackupsUpdate = ById.extend({
  keepDays: z.int(DAYS).min(1, DAYS).max(MAX_KEEP_DAYS, DAYS).optional(),
  hour: z.int(HOUR).min(0, HOUR).max(23, HOUR).optional().describe('Of the day, in UTC'),
});
export type DatabaseBackupsUpdate = z.input<typeof DatabaseBackupsUpdate>;

export const NewRestore = ById.extend({
  name: line(63, 'Name').describe('Of the new database'),
  at: z.iso
    .datetime({ offset: true, message: 'Moment must be a date and time, like 2026-11-24T10:00:00Z.' })
    .nullable()
    .default(null)
    .describe('The moment as of which it is brought back; null: now'),
  backupId: Id.optional().describe('The backup to bring back, where only the moments of backups are kept'),
});
export type NewRestore = z.input<typeof NewRestore>;

/** For a database of which nothing is kept, or not yet. */
const NOTHING_KEPT = 'There is no backup of it, or none can be made of it';

export const databaseBackups = {
  get: query({
    summary: 'What can be brought back of a database: from when to when, and its backups',
    route: 'GET /api/databases/{id}/backups',
    input: ById,
    output: DatabasePast,
  }),
  update: mutation({
    summary: 'Set for how long the past of a database is kept, and when it is backed up',
    route: 'PATCH /api/databases/{id}/backups',
    perMinute: 60,
    input: DatabaseBackupsUpdate,
    output: DatabasePast,
  }),
  start: mutation({
    summary: 'Back up a database now, in the background',
    route: 'POST /api/databases/{id}/backups',
    status: 201,
    perMinute: 10,
    input: ById,
    output: DatabaseBackup,
    refusals: { 409: 'It is being backed up already, or cannot be' },
  }),
  prove: mutation({
    summary: 'Prove the latest backup by restoring it into a server that is thrown away, in the background',
    route: 'POST /api/databases/{id}/backups/proof',
    perMinute: 10,
    input: ById,
    output: DatabasePast,
    refusals: { 409: NOTHING_KEPT },
  }),
  restore: mutation({
    summary: 'Bring a database back as of a moment, as a new database beside it',
    route: 'POST /api/databases/{id}/restore',
    status: 201,
    perMinute: 10,
    input: NewRestore,
    output: ManagedDatabase,
    refusals: {
      409: `You already have a database of that name. ${NOTHING_KEPT}`,
      422: 'The moment is out of reach; the message tells what is within',
    },
  }),
  swap: mutation({
    summary: 'Let two databases change places: name, address and password stay, what is in them goes over',
    route: 'POST /api/databases/{id}/swap',
    fresh: true,
    perMinute: 10,
    input: ById.extend({ withId: Id }),
    output: ManagedDatabase,
    refusals: {
      409: 'Something else is being done with one of them, or one is not available',
      422: 'They cannot change places; the message tells why',
    },
  }),
};
