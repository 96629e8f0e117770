import type { EngineDeps } from './create-engines.ts';
import { embeddedPostgres } from './embedded-postgres.ts';
import type { Credentials, DatabaseEngine } from './engine.ts';
import { givenPostgres } from './given-postgres.ts';
import { createDatabase, createRole, dropDatabase, dropRole } from './postgres-databases.ts';
import { isLetIn } from './postgres-login.ts';
import { createPostgresServer } from './postgres-server.ts';
import { measureDatabase, replacePassword } from './postgres-sessions.ts';
import { scramVerifier } from './scram-verifier.ts';

/** PostgreSQL databases on the server of MANAGED_POSTGRES_URL, or else on one of our own. */
export function createPostgresEngine({ settings, log }: EngineDeps): DatabaseEngine {
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
    unavailable: server.unavailable,
    start: server.start,
    stop: server.stop,
    async create({ name, password }) {
      const { pool } = await server.open();
      await createRole(pool, name, await scramVerifier(password));
      await createDatabase(pool, name);
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
      return measureDatabase(pool, name);
    },
    accepts: (credentials) => isLetIn(addressFor(credentials)),
    connectionString: addressFor,
  };
}
