import type { DatabaseUser, databaseUsers } from '@nephos/contracts';
import { MAX_DATABASE_USERS } from '@nephos/contracts/constants';
import { Earlier, type Once } from '@nephos/contracts/implement';
import { atomically, type Database } from '@nephos/db';
import type { Kysely } from 'kysely';
import type { z } from 'zod';
import type { UserContext } from '../../core/context.ts';
import { conflict, notFound } from '../../core/errors.ts';
import type { SecretsBox } from '../../platform/secrets-box.ts';
import { newPassword } from '../databases/credentials.ts';
import type { DatabasesParts } from '../databases/databases.ts';
import type { ServerUser, UsersAtServer } from '../databases/engines/engine.ts';
import { type DatabaseRow, findAvailable, findDatabase } from '../databases/read.ts';
import { asked } from '../databases/server-failure.ts';

type Parts = Pick<DatabasesParts, 'servers' | 'secrets' | 'log'>;
type Output = z.output<typeof databaseUsers.create.output>;
type NewUser = z.output<typeof databaseUsers.create.input>;
interface ByUser {
  id: string;
  userId: string;
}

const SHOWN = ['id', 'name', 'access', 'createdAt'] as const;

/** Binds a sealed password to the one user of the one database that it is for. */
const contextOf = (databaseId: string, name: string) => `database_users.password ${databaseId} ${name}`;

function seal(secrets: SecretsBox, databaseId: string, name: string): Buffer {
  return secrets.seal(newPassword(), contextOf(databaseId, name));
}

/** All of a database, as its server is to know them. */
export async function usersOf(
  { db, secrets }: { db: Kysely<Database>; secrets: SecretsBox },
  databaseId: string,
): Promise<ServerUser[]> {
  const rows = await db
    .selectFrom('databaseUsers')
    .select(['name', 'access', 'password'])
    .where('databaseId', '=', databaseId)
    .execute();
  return rows.map(({ name, access, password }) => ({
    ...{ name, access },
    password: secrets.open(password, contextOf(databaseId, name)),
  }));
}

/** By name. Throws 404. */
export async function listUsers({ db, ownerId }: UserContext, id: string): Promise<DatabaseUser[]> {
  await findDatabase(db, ownerId, id);
  return db
    .selectFrom('databaseUsers')
    .select(SHOWN)
    .where('ownerId', '=', ownerId)
    .where('databaseId', '=', id)
    .orderBy('name')
    .execute();
}

/**
 * Adds a user. What is kept under a key is that they are wanted: a repetition sees to it. Throws 404, 409 NOT_AVAILABLE,
 * SHARED_SERVER, EXISTS and TOO_MANY, and 503; then they are listed, and another password makes them.
 */
export async function createUser(
  ctx: UserContext,
  parts: Parts,
  { id, name, access }: NewUser,
  once: Once<UserContext>,
): Promise<Output | Earlier<Output>> {
  const database = await findOwnServer(ctx, id);
  const wanted = await once(async ({ db, ownerId, audit }) => {
    audit.note({ subject: { name: database.name } });
    return atomically(db, async (trx) => {
      // One at a time for a database, so that there are not more than may be.
      await trx.selectFrom('managedDatabases').select('id').where('id', '=', id).forNoKeyUpdate().execute();
      const { count } = await trx
        .selectFrom('databaseUsers')
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .where('databaseId', '=', id)
        .executeTakeFirstOrThrow();
      if (count >= MAX_DATABASE_USERS) {
        throw conflict(
          'TOO_MANY',
          `A database has at most ${MAX_DATABASE_USERS} further users. Remove one first.`,
        );
      }
      const made = await trx
        .insertInto('databaseUsers')
        .values({ ownerId, databaseId: id, name, access, password: seal(parts.secrets, id, name) })
        .onConflict((conflicting) => conflicting.columns(['databaseId', 'name']).doNothing())
        .returning('id')
        .executeTakeFirst();
      if (!made) throw conflict('EXISTS', `This database already has a user named ${name}.`);
      return untold(made.id);
    });
  });
  return settled(ctx, parts, database, wanted);
}

/** From when it resolves, the server accepts the new password alone. Throws as `createUser` does. */
export async function rotateUserPassword(
  ctx: UserContext,
  parts: Parts,
  { id, userId }: ByUser,
  once: Once<UserContext>,
): Promise<Output | Earlier<Output>> {
  const database = await findOwnServer(ctx, id);
  const wanted = await once(async ({ db, ownerId, audit }) => {
    const { name } = await findUser(db, { ownerId, id, userId });
    audit.note({ subject: { name: database.name } });
    await db
      .updateTable('databaseUsers')
      .set({ password: seal(parts.secrets, id, name) })
      .where('ownerId', '=', ownerId)
      .where('id', '=', userId)
      .execute();
    return untold(userId);
  });
  return settled(ctx, parts, database, wanted);
}

/** From when it resolves, nobody comes in as them. Throws 404, 409, and 503; then they are still listed. */
export async function removeUser(
  ctx: UserContext,
  parts: Parts,
  { id, userId }: ByUser,
  once: Once<UserContext>,
): Promise<{ success: true } | Earlier<{ success: true }>> {
  const database = await findOwnServer(ctx, id);
  return alone(parts, database, async (server) => {
    const { ownerId } = ctx;
    const found = await readUser(ctx.db, { ownerId, id, userId });
    if (found) await asked(askedOf(parts, database), () => server.remove(found.name));
    return once(async ({ db, audit }) => {
      const { name } = await findUser(db, { ownerId, id, userId });
      audit.note({ subject: { name: database.name }, before: { name } });
      await db.deleteFrom('databaseUsers').where('ownerId', '=', ownerId).where('id', '=', userId).execute();
      return { success: true };
    });
  });
}

/** In the place of an address that is not settled yet; only the id is kept of it. */
function untold(id: string): Output {
  return {
    user: { id, name: '', access: 'read', createdAt: new Date(0).toISOString() },
    connectionString: '',
  };
}

/** Has the server take up what the row says, and tells the address. */
async function settled(
  { db, ownerId }: UserContext,
  parts: Parts,
  database: DatabaseRow,
  wanted: Output | Earlier<Output>,
): Promise<Output | Earlier<Output>> {
  const userId = (wanted instanceof Earlier ? wanted.output : wanted).user.id;
  const { id, engineName } = database;
  const told = await alone(parts, database, async (server) => {
    // As it is once its turn has come: the last password to be set is the one that is kept.
    const { password: sealed, ...user } = await findUser(db, { ownerId, id, userId });
    const password = parts.secrets.open(sealed, contextOf(id, user.name));
    return asked(askedOf(parts, database), async () => {
      await server.set({ name: user.name, access: user.access, password });
      const url = new URL(parts.servers[database.type].connectionString({ name: engineName, password }));
      url.username = user.name;
      return { user, connectionString: url.href };
    });
  });
  return wanted instanceof Earlier ? new Earlier(told, wanted.origin) : told;
}

const askedOf = ({ servers, log }: Parts, { type }: DatabaseRow) => ({ engine: servers[type], log });

/** Does something with the users of a database while nobody is let in to it. Throws 503. */
async function alone<T>(
  parts: Parts,
  database: DatabaseRow,
  work: (server: UsersAtServer) => Promise<T>,
): Promise<T> {
  const { users } = parts.servers[database.type];
  if (!users) throw shared();
  return users(database.engineName, work);
}

async function findOwnServer({ db, ownerId }: UserContext, id: string): Promise<DatabaseRow> {
  const database = await findAvailable(db, ownerId, id);
  if (database.activity === null) throw shared();
  return database;
}

function shared() {
  return conflict('SHARED_SERVER', 'This database has no server of its own, so it has one user.');
}

function readUser(db: Kysely<Database>, { ownerId, id, userId }: ByUser & { ownerId: string }) {
  return db
    .selectFrom('databaseUsers')
    .select([...SHOWN, 'password'])
    .where('ownerId', '=', ownerId)
    .where('databaseId', '=', id)
    .where('id', '=', userId)
    .executeTakeFirst();
}

async function findUser(db: Kysely<Database>, at: ByUser & { ownerId: string }) {
  const user = await readUser(db, at);
  if (!user) throw notFound();
  return user;
}
