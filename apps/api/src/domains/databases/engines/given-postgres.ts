import type { Logger } from 'pino';
import { closeToPublic, createAdminPool, mayAdminister } from './postgres-administration.ts';
import type { OpenServer, ServerSource } from './postgres-server.ts';

const DEFAULT_PORT = '5432';

class NotAdministrator extends Error {}

/** The PostgreSQL of MANAGED_POSTGRES_URL, which carries an administrator's name and password: never log it. */
export function givenPostgres(url: string, log: Logger): ServerSource {
  const address = addressOf(url);

  async function open(): Promise<OpenServer> {
    const pool = createAdminPool(url, log);
    try {
      if (!(await mayAdminister(pool))) throw new NotAdministrator();
      await closeToPublic(pool, log);
    } catch (error) {
      await pool.end();
      throw error;
    }
    return { pool, address, close: () => pool.end() };
  }

  return {
    address,
    // What it holds can be seen only by asking.
    hasDatabases: () => true,
    async check() {},
    open,
    explain: (error) =>
      error instanceof NotAdministrator
        ? 'The role of MANAGED_POSTGRES_URL must be allowed to create roles and databases.'
        : 'The PostgreSQL server of MANAGED_POSTGRES_URL cannot be used at the moment.',
  };
}

/** Without the administrator; whether the connection must be encrypted holds for clients, too. */
function addressOf(url: string): URL {
  const { hostname, port, searchParams } = new URL(url);
  const address = new URL(`postgresql://${hostname}:${port || DEFAULT_PORT}`);
  const mode = searchParams.get('sslmode');
  if (mode) address.searchParams.set('sslmode', mode);
  return address;
}
