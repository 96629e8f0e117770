import { z } from 'zod';
import { mutation, query } from './kit.ts';
import { ById, Id } from './page.ts';

/** A dump that was, or is being, imported into a database. */
export const DatabaseImport = z.object({
  id: Id,
  /** Of the file, or the host of its address. */
  name: z.string(),
  status: z.enum(['running', 'done', 'failed', 'cancelled']),
  /** Why it failed, with the line; '' otherwise. Of an import that failed or was cancelled, nothing is in the database. */
  error: z.string(),
  /** Bytes that were read. */
  size: z.int(),
  /** Statements that were run. */
  statements: z.int(),
  /** What was left out of the dump, a sentence each. */
  skipped: z.array(z.string()),
  startedAt: z.iso.datetime(),
  endedAt: z.iso.datetime().nullable(),
});
export type DatabaseImport = z.output<typeof DatabaseImport>;

const ADDRESS = 'Address must be that of a file at a public server, and begin with https://.';
const SOURCE = 'Choose either a file of the storage or an address.';

export const NewDatabaseImport = ById.extend({
  fileId: Id.optional().describe('A file of the storage'),
  url: z
    .url({ protocol: /^https$/, error: ADDRESS })
    .max(2048, ADDRESS)
    .optional()
    .describe('Where the dump is fetched from: https, at a public address'),
}).refine(({ fileId, url }) => (fileId === undefined) !== (url === undefined), {
  message: SOURCE,
  path: ['url'],
});
export type NewDatabaseImport = z.input<typeof NewDatabaseImport>;

export const databaseImports = {
  list: query({
    summary: 'The last imports into a PostgreSQL database, newest first',
    route: 'GET /api/databases/{id}/imports',
    input: ById,
    output: z.array(DatabaseImport),
  }),
  start: mutation({
    summary:
      'Import a dump into a PostgreSQL database, in the background: plain SQL or the custom format, also by gzip; all of it or nothing',
    route: 'POST /api/databases/{id}/imports',
    status: 201,
    perMinute: 30,
    input: NewDatabaseImport,
    output: DatabaseImport,
    refusals: {
      409: 'The database is not available or not of PostgreSQL, or something else is being done with it',
    },
  }),
};
