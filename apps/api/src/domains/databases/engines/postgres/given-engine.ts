import type { Logger } from 'pino';
import type { Credentials, DatabaseEngine } from '../engine.ts';
import { type GivenPostgres, givenPostgres } from './given-postgres.ts';
import { isLetIn } from './is-let-in.ts';
import { sharedObserver } from './observer.ts';
import { createOwnedDatabase, createRole, dropDatabase, dropRole } from './postgres-databases.ts';
import { createPostgresServer } from './postgres-server.ts';
import { replacePassword, usageOf } from './postgres-sessions.ts';
import { scramVerifier } from './scram-verifier.ts';

/** PostgreSQL databases on the server of MANAGED_POSTGRES_URL. */
export function givenEngine(given: GivenPostgres, log: Logger): DatabaseEngine {
  const server = createPostgresServer(givenPostgres(given), log);

  function addressFor({ name, password }: Credentials): string {
    const url = new URL(server.address());
    url.username = name;
    url.password = password;
    url.pathname = `/${name}`;
    return url.href;
  }

  return {
    type: 'postgresql',
    runsHere: false,
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
    observer: sharedObserver(async () => (await server.open()).pool),
  };
}
