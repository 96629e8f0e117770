import pg from 'pg';
import type { Credentials, DatabaseEngine, EngineParts } from '../engine.ts';
import { embeddedPostgres } from './embedded-postgres.ts';
import { givenPostgres } from './given-postgres.ts';
import { createOwnedDatabase, createRole, dropDatabase, dropRole } from './postgres-databases.ts';
import { createPostgresServer } from './postgres-server.ts';
import { replacePassword, usageOf } from './postgres-sessions.ts';
import { scramVerifier } from './scram-verifier.ts';

/** Milliseconds for the whole of a log-in. */
const LOGIN_MS = 2500;
/** SQLSTATEs. The server looks at the number of connections only after the password. */
const INVALID_PASSWORD = '28P01';
const TOO_MANY_CONNECTIONS = '53300';

/** PostgreSQL databases on the server of MANAGED_POSTGRES_URL, or else on one of our own. */
export function createPostgresEngine({ settings, log }: EngineParts): DatabaseEngine {
  const { managedPostgresUrl } = settings;
  const source = managedPostgresUrl
    ? givenPostgres({ url: managedPostgresUrl, ownUrl: settings.databaseUrl, log })
    : embeddedPostgres(settings, log);
  const server = createPostgresServer(source, log);

  function addressFor({ name, password }: Credentials): string {
    const url = new URL(server.address());
    url.username = name;
    url.password = password;
    url.pathname = `/${name}`;
    return url.href;
  }

  return {
    type: 'postgresql',
    runsHere: !managedPostgresUrl,
    unavailable: server.unavailable,
    start: server.start,
    stop: server.stop,
    async create({ name, password }) {
      const { pool } = await server.open();
      await createRole(pool, name, await scramVerifier(password));
      await createOwnedDatabase(pool, name);
    },
    async setPassword({ name, password }) {
      const { pool } = await server.open();
      await replacePassword(pool, name, await scramVerifier(password));
    },
    async remove(name) {
      const { pool } = await server.open();
      await dropDatabase(pool, name);
      await dropRole(pool, name);
    },
    async usage(name) {
      const { pool } = await server.open();
      return usageOf(pool, name);
    },
    accepts: (credentials) => isLetIn(addressFor(credentials)),
    connectionString: addressFor,
  };
}

/** Whether the server lets in the user name and password of the address. Rejects where it did not say in time. */
async function isLetIn(connectionString: string): Promise<boolean> {
  const client = new pg.Client({
    connectionString,
    connectionTimeoutMillis: LOGIN_MS,
    application_name: 'nephos',
  });
  client.on('error', () => {});
  try {
    await client.connect();
    return true;
  } catch (error) {
    const code = error instanceof pg.DatabaseError ? error.code : undefined;
    if (code === INVALID_PASSWORD) return false;
    if (code === TOO_MANY_CONNECTIONS) return true;
    throw error;
  } finally {
    // Nobody waits for this: a server that hangs would never answer.
    void client.end().catch(() => {});
  }
}
