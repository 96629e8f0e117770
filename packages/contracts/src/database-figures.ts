import { z } from 'zod';
import { STATEMENT_SORTS } from './constants.ts';
import { mutation, query } from './kit.ts';
import { ById, Success } from './page.ts';
import { MetricRange } from './project-metrics.ts';

/** Figures of databases are kept by the minute, for 7 days. */
const FigureRange = MetricRange.exclude(['90d'], 'Range must be 1h, 24h or 7d.');
export type FigureRange = z.output<typeof FigureRange>;

/** What a database did from `at` until the next point; all null where its server slept, or nobody measured. */
const Point = z.object({
  at: z.iso.datetime(),
  /** Bytes on disk at the end. */
  size: z.int().nullable(),
  /** Clients, at the minute when they were most. */
  connections: z.int().nullable(),
  /** Transactions that were committed and rolled back; PostgreSQL's own are among them. */
  commits: z.int().nullable(),
  rollbacks: z.int().nullable(),
  /** Pages in a hundred that were in the server's memory when they were needed; null where none was. */
  cacheHits: z.number().nullable(),
});

const DatabaseFigures = z.object({
  range: FigureRange,
  /** Seconds from one point to the next. */
  step: z.int(),
  points: z.array(Point),
});
export type DatabaseFigures = z.output<typeof DatabaseFigures>;

/** Whether a database's server can be asked about this now. */
const ServerState = z.enum(['asked', 'asleep', 'shared']);

const CountedStatement = z.object({
  /** PostgreSQL's own number of it. */
  id: z.string(),
  /** Its text with `$1` and so on in the place of values, cut at 2,000 characters. */
  text: z.string(),
  calls: z.int(),
  /** Milliseconds of all calls, in the mean, and of the longest. */
  total: z.number(),
  mean: z.number(),
  longest: z.number(),
  rows: z.int(),
  /** How much of the time of all statements it took, from 0 to 1. */
  share: z.number(),
});
export type CountedStatement = z.output<typeof CountedStatement>;

const CountedStatements = z.object({
  /** `asleep` and `shared` have no statements: they are counted where a database has a server of its own. */
  state: ServerState,
  /** Since when they are counted; null while there are none. */
  since: z.iso.datetime().nullable(),
  statements: z.array(CountedStatement),
});
export type CountedStatements = z.output<typeof CountedStatements>;

const DatabaseSession = z.object({
  /** Its process at the server, and when it began: no other session ever has the same. */
  id: z.string(),
  user: z.string(),
  /** What the client calls itself. */
  application: z.string(),
  /** `active`, `idle`, `idle in transaction` and others, in PostgreSQL's words. */
  state: z.string(),
  /** Since when it is in that state. */
  since: z.iso.datetime(),
  /** When its transaction began; null outside of one. */
  transactionSince: z.iso.datetime().nullable(),
  /** What it runs or, unless it is active, ran last; cut at 2,000 characters. */
  statement: z.string(),
  /** Sessions that hold a lock which it waits for; those of PostgreSQL itself are not in the list. */
  waitsFor: z.array(z.string()),
  /** Since when it waits for a lock; null where it does not. */
  waitsSince: z.iso.datetime().nullable(),
});
export type DatabaseSession = z.output<typeof DatabaseSession>;

const DatabaseSessions = z.object({
  /** `asleep` has no sessions. */
  state: ServerState.exclude(['shared']),
  sessions: z.array(DatabaseSession),
});
export type DatabaseSessions = z.output<typeof DatabaseSessions>;

const BySession = ById.extend({
  session: z
    .string()
    .regex(/^\d{1,10}-\d{1,18}$/, 'Session must be the ID of one in the list of sessions.')
    .describe('Its `id`'),
});

const SessionEnd = z.object({
  /** Whether it was there still. */
  found: z.boolean(),
});

const NOT_POSTGRESQL = 'It is no PostgreSQL database, or it is not available';

/** What PostgreSQL databases do, as their servers tell. Nothing here wakes one, unless it says so. */
export const databaseFigures = {
  figures: query({
    summary:
      "A PostgreSQL database's size, connections, transactions and cache hits: of an hour by minute, of 24 hours by 10 minutes, of 7 days by hour",
    route: 'GET /api/databases/{id}/figures',
    refusals: { 409: NOT_POSTGRESQL },
    perMinute: 120,
    input: ById.extend({
      range: FigureRange.default('1h'),
      until: z.iso
        .datetime('Enter an instant like 2026-01-31T12:00:00Z.')
        .optional()
        .describe('Where the range ends; now unless it is given'),
    }),
    output: DatabaseFigures,
  }),
  statements: query({
    summary: 'The 100 statements of a PostgreSQL database that took most, without the values in them',
    route: 'GET /api/databases/{id}/statement-figures',
    refusals: { 409: NOT_POSTGRESQL },
    perMinute: 120,
    input: ById.extend({
      sort: z
        .enum(STATEMENT_SORTS, `Sort must be one of ${STATEMENT_SORTS.join(', ')}.`)
        .default('total')
        .describe('What they took most of'),
    }),
    output: CountedStatements,
  }),
  resetStatements: mutation({
    summary: 'Count the statements of a PostgreSQL database anew',
    route: 'DELETE /api/databases/{id}/statement-figures',
    // The database's server is told after the transaction in which the intention is kept, and the key with it.
    keepsKeys: true,
    perMinute: 30,
    refusals: { 409: `${NOT_POSTGRESQL}, or shares its server with others` },
    input: ById,
    output: Success,
  }),
  wake: mutation({
    summary: 'Start the server of a PostgreSQL database that sleeps',
    route: 'POST /api/databases/{id}/wake',
    changesNothing: true,
    keepsKeys: true,
    perMinute: 30,
    refusals: { 409: NOT_POSTGRESQL },
    input: ById,
    output: Success,
  }),
  sessions: query({
    summary: 'Sessions at a PostgreSQL database, with the locks that they wait for; the first 100',
    route: 'GET /api/databases/{id}/sessions',
    refusals: { 409: NOT_POSTGRESQL },
    // There are values in the statements.
    secret: true,
    perMinute: 120,
    input: ById,
    output: DatabaseSessions,
  }),
  cancelSession: mutation({
    summary: "Cancel what a session runs, as far as it is one of the database's own users",
    route: 'POST /api/databases/{id}/sessions/{session}/cancel',
    keepsKeys: true,
    perMinute: 60,
    refusals: { 409: NOT_POSTGRESQL },
    input: BySession,
    output: SessionEnd,
  }),
  endSession: mutation({
    summary: "End a session, as far as it is one of the database's own users; its transaction is rolled back",
    route: 'DELETE /api/databases/{id}/sessions/{session}',
    keepsKeys: true,
    perMinute: 60,
    refusals: { 409: NOT_POSTGRESQL },
    input: BySession,
    output: SessionEnd,
  }),
};
