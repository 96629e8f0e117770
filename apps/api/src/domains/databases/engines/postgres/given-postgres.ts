import type pg from 'pg';
import type { Logger } from 'pino';
import { closeToPublic, clusterIdOf, createAdminPool, mayAdminister } from './postgres-administration.ts';
import type { OpenServer, ServerSource } from './postgres-server.ts';

const DEFAULT_PORT = '5432';

class NotAdministrator extends Error {}
class HoldsOurData extends Error {}

export interface GivenPostgres {
  /** MANAGED_POSTGRES_URL, which carries an administrator's name and password: never log it. */
  url: string;
  /** DATABASE_URL, whose server it must not be: people's roles have no place beside our own data. */
  ownUrl: string | undefined;
  log: Logger;
}

/** The PostgreSQL of MANAGED_POSTGRES_URL. */
export function givenPostgres({ url, ownUrl, log }: GivenPostgres): ServerSource {
  const address = addressOf(url);

  async function assertNotOurs(pool: pg.Pool): Promise<void> {
    if (!ownUrl) return;
    const own = createAdminPool(ownUrl, log);
    try {
      if ((await clusterIdOf(own)) === (await clusterIdOf(pool))) throw new HoldsOurData();
    } finally {
      await own.end();
    }
  }

  async function open(): Promise<OpenServer> {
    const pool = createAdminPool(url, log);
    try {
      if (!(await mayAdminister(pool))) throw new NotAdministrator();
      await assertNotOurs(pool);
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
    explain,
  };
}

function explain(error: unknown): string {
  if (error instanceof NotAdministrator) {
    return 'The role of MANAGED_POSTGRES_URL must be allowed to create roles and databases.';
  }
  if (error instanceof HoldsOurData) {
    return 'MANAGED_POSTGRES_URL is the server of DATABASE_URL. Set it to a separate server.';
  }
  return 'The server of MANAGED_POSTGRES_URL cannot be used at the moment.';
}

/** Without the administrator; whether the connection must be encrypted holds for clients, too. */
function addressOf(url: string): URL {
  const { hostname, port, searchParams } = new URL(url);
  const address = new URL(`postgresql://${hostname}:${port || DEFAULT_PORT}`);
  const mode = searchParams.get('sslmode');
  if (mode) address.searchParams.set('sslmode', mode);
  return address;
}
