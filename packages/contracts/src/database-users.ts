import { z } from 'zod';
import { DATABASE_USER_ACCESSES, MAX_DATABASE_USERS } from './constants.ts';
import { mutation, query } from './kit.ts';
import { ById, Id, Success } from './page.ts';

const NAME =
  'Name must be 1 to 63 lower-case letters, digits or _, begin with a letter, and not be a name of PostgreSQL or ours.';
/** Names that PostgreSQL keeps to itself, or that are ours. */
const TAKEN = /^(pg_.*|db_.*|former_.*|nephos.*|postgres|public|none)$/;

/** A further user of a PostgreSQL database with a server of its own. */
export const DatabaseUser = z.object({
  id: Id,
  name: z.string(),
  /** Of all tables of the database's owner, those to come included: to read them, or to change their rows, too. */
  access: z.enum(DATABASE_USER_ACCESSES),
  createdAt: z.iso.datetime(),
});
export type DatabaseUser = z.output<typeof DatabaseUser>;

const DatabaseUserAddress = z.object({
  user: DatabaseUser,
  /** With the password, which is not shown again. */
  connectionString: z.string(),
});

const ByUser = ById.extend({ userId: Id });
const REFUSED = 'The database is not available, shares its server with others';

export const databaseUsers = {
  list: query({
    summary: 'Further users of a PostgreSQL database',
    route: 'GET /api/databases/{id}/users',
    input: ById,
    output: z.array(DatabaseUser),
  }),
  create: mutation({
    summary: 'Add a user who can read a PostgreSQL database, or change its rows; the password is shown once',
    route: 'POST /api/databases/{id}/users',
    status: 201,
    fresh: true,
    // The database's server is told after the transaction in which the intention is kept, and the key with it.
    keepsKeys: true,
    perMinute: 20,
    secret: true,
    input: ById.extend({
      name: z
        .string(NAME)
        .regex(/^[a-z][a-z0-9_]{0,62}$/, NAME)
        .refine((name) => !TAKEN.test(name), NAME),
      access: z.enum(DATABASE_USER_ACCESSES, `Access must be one of ${DATABASE_USER_ACCESSES.join(', ')}.`),
    }),
    output: DatabaseUserAddress,
    refusals: { 409: `${REFUSED}, or has this user or ${MAX_DATABASE_USERS} of them already` },
  }),
  rotatePassword: mutation({
    summary: 'Give a further user a new password; the old one stops working and open connections end',
    route: 'POST /api/databases/{id}/users/{userId}/rotate-password',
    fresh: true,
    keepsKeys: true,
    perMinute: 20,
    secret: true,
    input: ByUser,
    output: DatabaseUserAddress,
    refusals: { 409: REFUSED },
  }),
  remove: mutation({
    summary: 'Remove a further user; their connections end',
    route: 'DELETE /api/databases/{id}/users/{userId}',
    keepsKeys: true,
    perMinute: 30,
    input: ByUser,
    output: Success,
    refusals: { 409: REFUSED },
  }),
};
