import { z } from 'zod';
import { FILTER_OPERATORS } from './constants.ts';
import { mutation, query } from './kit.ts';
import { ById, Id, pageLimit } from './page.ts';

/** Rows of a table that are answered at once. */
export const TABLE_PAGE = 50;
const MAX_TABLE_PAGE = 200;
/** Characters of a value that a table's rows show at most. */
export const CELL_MAX = 2000;
/** Rows of a statement's result. */
const DEFAULT_RESULT_ROWS = 500;
export const MAX_RESULT_ROWS = 5000;
/** Characters of a statement. */
export const STATEMENT_MAX = 100_000;
/** Seconds that a statement may take. */
const DEFAULT_STATEMENT_SECONDS = 30;
const MAX_STATEMENT_SECONDS = 60;
/** Bytes of a call with a statement in it. */
const BODY_LIMIT = 512 * 1024;
/** Statements of somebody at one database that are kept. */
export const KEPT_STATEMENTS = 100;

export const TABLE_KINDS = [
  'table',
  'partitioned table',
  'view',
  'materialized view',
  'foreign table',
] as const;

/** A name as the database has it: at most 63 bytes, of any characters but NUL. */
function name(label: string) {
  return z
    .string(`${label} must be text.`)
    .min(1, `${label} is required.`)
    .max(63, `${label} can have at most 63 characters.`)
    .refine((value) => !value.includes('\0'), `${label} contains characters that can't be displayed.`);
}

/** A value as PostgreSQL writes it; null is no value. */
const Value = z
  .string()
  .max(STATEMENT_MAX)
  .refine((value) => !value.includes('\0'), "A value can't contain NUL.")
  .nullable();

/** Where a look fails, it is by what somebody asked for, or since the database is busy with something else. */
const LOOK = { 422: 'The database server refused, or took too long; the message is its own' };

const ByTable = ById.extend({ schema: name('Schema'), table: name('Table') });

const DatabaseTable = z.object({
  schema: z.string(),
  name: z.string(),
  kind: z.enum(TABLE_KINDS),
  /** Rows as the server estimates them; null where it never counted. */
  rows: z.int().nullable(),
  /** Bytes on disk, with indexes. */
  size: z.int(),
  /** Names of its columns. */
  columns: z.array(z.string()),
});
export type DatabaseTable = z.output<typeof DatabaseTable>;

const TableColumn = z.object({
  name: z.string(),
  /** As PostgreSQL writes it, for example `numeric(10,2)`. */
  type: z.string(),
  nullable: z.boolean(),
  /** Expression of the default; null without one. */
  default: z.string().nullable(),
  /** Whether it cannot be written, since the database makes it. */
  generated: z.boolean(),
  /** Whether it belongs to the primary key. */
  primary: z.boolean(),
});
export type TableColumn = z.output<typeof TableColumn>;

const TableStructure = z.object({
  kind: z.enum(TABLE_KINDS),
  columns: z.array(TableColumn),
  /** Each as the statement that makes it. */
  indexes: z.array(z.object({ name: z.string(), definition: z.string() })),
  /** Keys, references and checks, each as `create table` has it. */
  constraints: z.array(z.object({ name: z.string(), definition: z.string() })),
});
export type TableStructure = z.output<typeof TableStructure>;

const TableRows = z.object({
  columns: z.array(z.string()),
  rows: z.array(
    z.object({
      /** The values of its primary key; null where the table has none. */
      key: z.array(z.string()).nullable(),
      values: z.array(z.string().nullable()),
      /** Places of the values that are longer than shown. */
      cut: z.array(z.int()),
    }),
  ),
  /** Where the next page begins; null at the end. */
  next: z.string().nullable(),
  /** Whether there are more that cannot be paged through, since nothing tells the rows of a view apart. */
  more: z.boolean(),
});
export type TableRows = z.output<typeof TableRows>;

/** What a statement failed with, in the server's words. */
const StatementError = z.object({
  message: z.string(),
  detail: z.string(),
  hint: z.string(),
  /** SQLSTATE; '' where the console ended it. */
  sqlState: z.string(),
  /** Character of the statement at which it went wrong, counted from 1; null where the server does not say. */
  position: z.int().nullable(),
});

const StatementResult = z.object({
  columns: z.array(z.object({ name: z.string(), type: z.string() })),
  rows: z.array(z.array(z.string().nullable())),
  /** Whether there were more rows than asked for. */
  more: z.boolean(),
  /** What it did, for example `INSERT 0 2`; '' where it failed. */
  command: z.string(),
  milliseconds: z.int(),
  error: StatementError.nullable(),
});
export type StatementResult = z.output<typeof StatementResult>;

const Sql = z
  .string('The statement must be text.')
  .min(1, 'Enter a statement.')
  .max(STATEMENT_MAX, `A statement can have at most ${STATEMENT_MAX} characters.`)
  .refine((text) => text.trim() !== '', 'Enter a statement.')
  .refine((text) => !text.includes('\0'), "A statement can't contain NUL.");

const seconds = `Seconds must be a whole number from 1 to ${MAX_STATEMENT_SECONDS}.`;

const Running = ById.extend({
  sql: Sql.describe('One statement'),
  seconds: z
    .int(seconds)
    .min(1, seconds)
    .max(MAX_STATEMENT_SECONDS, seconds)
    .default(DEFAULT_STATEMENT_SECONDS)
    .describe('After which it is cancelled'),
  runId: Id.optional().describe('Any UUID, by which it can be cancelled meanwhile'),
});

const KeptStatement = z.object({
  id: Id,
  sql: z.string(),
  write: z.boolean(),
  /** What it did, as `command` of its result. */
  command: z.string(),
  /** The server's words where it failed; '' otherwise. */
  error: z.string(),
  milliseconds: z.int(),
  createdAt: z.iso.datetime(),
});
export type KeptStatement = z.output<typeof KeptStatement>;

/**
 * The contents of PostgreSQL databases, each looked at and changed as the database's own user. No transaction of ours waits
 * for that server: what only asks it keeps no keys, and may be repeated.
 */
export const databaseContents = {
  tables: query({
    summary: 'Tables and views of a PostgreSQL database, by name; the first 1,000',
    route: 'GET /api/databases/{id}/tables',
    refusals: LOOK,
    secret: true,
    perMinute: 120,
    input: ById,
    output: z.array(DatabaseTable),
  }),
  table: query({
    summary: 'Columns, indexes and constraints of a table',
    route: 'GET /api/databases/{id}/tables/{schema}/{table}',
    refusals: LOOK,
    secret: true,
    perMinute: 120,
    input: ByTable,
    output: TableStructure,
  }),
  rows: query({
    summary: 'Rows of a table in the order of its primary key or of a column, page by page',
    route: 'GET /api/databases/{id}/tables/{schema}/{table}/rows',
    refusals: LOOK,
    secret: true,
    perMinute: 120,
    input: ByTable.extend({
      sort: name('Sort').optional().describe('Column'),
      order: z.enum(['asc', 'desc'], 'Order must be asc or desc.').default('asc'),
      column: name('Column').optional().describe('Column that is compared'),
      operator: z
        .enum(FILTER_OPERATORS, `Operator must be one of ${FILTER_OPERATORS.join(', ')}.`)
        .default('='),
      value: Value.unwrap().default(''),
      limit: pageLimit(MAX_TABLE_PAGE).default(TABLE_PAGE),
      cursor: z.string().max(20_000).optional().describe('`next` of the page before'),
    }),
    output: TableRows,
  }),
  changeStatement: mutation({
    summary: 'The statement that adds a row to a table, changes one or deletes one; it is not run',
    route: 'POST /api/databases/{id}/tables/{schema}/{table}/statement',
    bodyLimit: BODY_LIMIT,
    changesNothing: true,
    keepsKeys: true,
    secret: true,
    perMinute: 120,
    input: ByTable.extend({
      action: z.enum(['insert', 'update', 'delete'], 'Action must be insert, update or delete.'),
      key: z.array(z.string().max(STATEMENT_MAX)).max(32).default([]).describe('Of the row; none to insert'),
      values: z
        .array(
          z.object({
            column: name('Column'),
            value: Value,
            from: Value.optional().describe('The value that was shown: another one is not overwritten'),
          }),
        )
        .max(1600)
        .default([]),
    }),
    output: z.object({ sql: z.string() }),
  }),
  run: mutation({
    summary: "Run a statement as the database's own user, by default where it can change nothing",
    route: 'POST /api/databases/{id}/statements',
    bodyLimit: BODY_LIMIT,
    // The database's server is asked after the transaction in which the intention is kept, and the key with it.
    keepsKeys: true,
    secret: true,
    perMinute: 60,
    refusals: { 409: 'The database is not available, or a call with this key has run the statement already' },
    input: Running.extend({
      write: z.boolean().default(false).describe('Whether it may change the database'),
      limit: z
        .int()
        .min(1)
        .max(MAX_RESULT_ROWS, `Limit must be a whole number from 1 to ${MAX_RESULT_ROWS}.`)
        .default(DEFAULT_RESULT_ROWS)
        .describe('Rows of the result'),
    }),
    output: StatementResult,
  }),
  explain: mutation({
    summary: 'How the server would run a statement, or, analyzed, how it did, without changing anything',
    route: 'POST /api/databases/{id}/statements/explain',
    bodyLimit: BODY_LIMIT,
    changesNothing: true,
    keepsKeys: true,
    secret: true,
    perMinute: 60,
    input: Running.extend({ analyze: z.boolean().default(false) }),
    output: StatementResult.pick({ error: true, milliseconds: true }).extend({
      /** What `explain (format json)` answers, as JSON; '' where it failed. */
      plan: z.string(),
    }),
  }),
  cancel: mutation({
    summary: 'Cancel a running statement of this database',
    route: 'POST /api/databases/{id}/statements/{runId}/cancel',
    changesNothing: true,
    keepsKeys: true,
    perMinute: 60,
    input: ById.extend({ runId: Id }),
    output: z.object({ cancelled: z.boolean() }),
  }),
  statements: query({
    summary: `Your last ${KEPT_STATEMENTS} statements at a database, newest first`,
    route: 'GET /api/databases/{id}/statements',
    secret: true,
    input: ById,
    output: z.array(KeptStatement),
  }),
};
