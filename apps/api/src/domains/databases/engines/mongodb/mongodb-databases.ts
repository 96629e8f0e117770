import { type Document, MongoClient, MongoServerError } from 'mongodb';
import type { Credentials, EngineUsage } from '../engine.ts';

/** A request that fails asks once more, whether the server is to blame: twice this, at the most, in milliseconds. */
const REACH_MS = 2400;
const COMMAND_MS = 20_000;

/** Error codes of the server. */
const USER_NOT_FOUND = 11;
const USER_EXISTS = 51_003;

/** Connects with the first command. */
export function openServer(url: string): MongoClient {
  return new MongoClient(url, {
    appName: 'nephos',
    serverSelectionTimeoutMS: REACH_MS,
    connectTimeoutMS: REACH_MS,
    socketTimeoutMS: COMMAND_MS,
    maxPoolSize: 4,
  });
}

/** Makes the user, in its own database, or completes the one that is there. */
export async function createUser(server: MongoClient, { name, password }: Credentials): Promise<void> {
  const user = {
    pwd: password,
    // Neither role reaches another database, or gives rights to anybody.
    roles: ['readWrite', 'dbAdmin'].map((role) => ({ role, db: name })),
    mechanisms: ['SCRAM-SHA-256'],
  };
  const made = await run(server, name, { createUser: name, ...user }, USER_EXISTS);
  if (!made) await run(server, name, { updateUser: name, ...user });
}

/**
 * A session outlives a new password, but not its user: one that is made anew has another id, and what the old one
 * had opened may do nothing any more. Rejects where there is no such database.
 */
export async function replaceUser(server: MongoClient, credentials: Credentials): Promise<void> {
  const { name } = credentials;
  await assertExists(server, name);
  await endSessions(server, name);
  await run(server, name, { dropUser: name }, USER_NOT_FOUND);
  await createUser(server, credentials);
}

export async function dropWithUsers(server: MongoClient, name: string): Promise<void> {
  await endSessions(server, name);
  await run(server, name, { dropAllUsersFromDatabase: 1 });
  await run(server, name, { dropDatabase: 1 });
}

/** MongoDB limits connections per server only, so the limit is the server's. Rejects where there is no such database. */
export async function usageOf(server: MongoClient, name: string): Promise<EngineUsage> {
  await assertExists(server, name);
  const [stats, status, sessions] = await Promise.all([
    run(server, name, { dbStats: 1 }),
    run(server, 'admin', { serverStatus: 1 }),
    run(server, 'admin', {
      aggregate: 1,
      pipeline: [
        { $currentOp: { allUsers: true, idleConnections: true } },
        { $match: { effectiveUsers: { $elemMatch: { user: name, db: name } } } },
        { $count: 'connections' },
      ],
      cursor: {},
    }),
  ]);
  const { current = 0, available = 0 } = status?.connections ?? {};
  return {
    size: Number(stats?.storageSize ?? 0) + Number(stats?.indexSize ?? 0),
    connections: Number(sessions?.cursor?.firstBatch?.[0]?.connections ?? 0),
    connectionLimit: Number(current) + Number(available),
  };
}

/** One whose user is gone is there as well: a replacement may have been cut short. */
async function assertExists(server: MongoClient, name: string): Promise<void> {
  const known = await run(server, name, { usersInfo: name });
  if (known?.users?.length) return;
  const listed = await run(server, 'admin', { listDatabases: 1, nameOnly: true, filter: { name } });
  if (!listed?.databases?.length) throw new Error(`MongoDB has no database ${name}`);
}

/** Ends what its sessions are doing, cursors included. The server looks the user up, so it has to be there still. */
async function endSessions(server: MongoClient, name: string): Promise<void> {
  await run(server, 'admin', { killAllSessions: [{ user: name, db: name }] }, USER_NOT_FOUND);
}

/** The answer to a command; null where the server refused it with the code `expected`. */
async function run(
  server: MongoClient,
  database: string,
  command: Document,
  expected?: number,
): Promise<Document | null> {
  try {
    return await server.db(database).command(command);
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    if (!(error instanceof MongoServerError)) throw new Error(`MongoDB cannot be used: ${error.message}`);
    if (error.code === expected) return null;
    throw new Error(`MongoDB refused: ${error.message}`);
  }
}
