import { z } from 'zod';
import { mutation, query } from './kit.ts';
import { ById, Success } from './page.ts';

/** Something that can be added to a PostgreSQL database with a server of its own. */
export const DatabaseExtension = z.object({
  name: z.string(),
  /** What it is for. */
  about: z.string(),
  /** The version that this server has. */
  version: z.string(),
  /** Whether the database has it. */
  isOn: z.boolean(),
  /** The schema that it is in; '' where it is off. */
  schema: z.string(),
});
export type DatabaseExtension = z.output<typeof DatabaseExtension>;

const Name = z.string('Name an extension.').max(63, 'A name has at most 63 characters.');
const REFUSED = 'The database is not available, shares its server with others';

export const databaseExtensions = {
  list: query({
    summary: 'Extensions that a PostgreSQL database can have, and has; its server is woken to be asked',
    route: 'GET /api/databases/{id}/extensions',
    perMinute: 60,
    input: ById,
    output: z.array(DatabaseExtension),
    refusals: { 409: REFUSED },
  }),
  add: mutation({
    summary: 'Add an extension to a PostgreSQL database',
    route: 'POST /api/databases/{id}/extensions',
    // The database's server is told before what is kept, and the key with it.
    keepsKeys: true,
    perMinute: 30,
    input: ById.extend({ name: Name }),
    output: Success,
    refusals: { 409: `${REFUSED}, or something is in the way`, 422: "The database's server refuses it" },
  }),
  remove: mutation({
    summary: 'Remove an extension from a PostgreSQL database',
    route: 'POST /api/databases/{id}/extensions/{name}/remove',
    keepsKeys: true,
    perMinute: 30,
    input: ById.extend({
      name: Name,
      cascade: z.boolean().default(false).describe('Whether what depends on it goes with it'),
    }),
    output: Success,
    refusals: {
      409: `${REFUSED}, or other things depend on the extension`,
      422: "The database's server refuses it",
    },
  }),
};
