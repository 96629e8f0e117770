import { once } from 'node:events';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { hasCluster, PortInUse } from '@nephos/db/embedded';
import type { Logger } from 'pino';
import { isLoopbackHost, type Settings } from '../../../../core/env.ts';
import { keepPostgres } from '../../../../platform/kept-postgres.ts';
import { clientHost, LOOPBACK } from '../listening.ts';
import { closeToPublic, createAdminPool } from './postgres-administration.ts';
import type { OpenServer, ServerSource } from './postgres-server.ts';

/**
 * Everyone needs a password. `sameuser` is a second wall beside the rights of each database: whatever an owner
 * grants, a role is let into the database of its own name alone. The administrator comes from this machine only.
 */
const ACCESS_RULES = [
  `host all postgres ${LOOPBACK}/32 scram-sha-256`,
  'host all postgres all reject',
  'host sameuser all all scram-sha-256',
];

const PARAMETERS = {
  max_connections: 200,
  // These are ours: the server can be administered while its databases use every other connection.
  superuser_reserved_connections: 5,
  // How long one may hold a connection without having proved who one is.
  authentication_timeout: '10s',
  // Bounds what the sorts and joins of one session write, so that none fills the disk for all.
  temp_file_limit: '4GB',
};

/** PostgreSQL that we run ourselves, in a cluster under the data folder that is not the one of our own data. */
export function embeddedPostgres(settings: Settings, log: Logger): ServerSource {
  const { managedPostgresPort: port, host } = settings;
  const dataDir = join(settings.dataDir, 'managed-pg');
  const addressAt = (number: number) => new URL(`postgresql://${clientHost(settings)}:${number}`);

  async function open(): Promise<OpenServer> {
    const listen = isLoopbackHost(host) ? [] : [host];
    const options = { dataDir, port, listen, accessRules: ACCESS_RULES, parameters: PARAMETERS };
    const server = await keepPostgres(options, log);
    const pool = createAdminPool(server.url, log);
    const close = async () => {
      await pool.end();
      await server.stop();
    };
    try {
      await closeToPublic(pool, log);
    } catch (error) {
      await close();
      throw error;
    }
    return { pool, address: addressAt(server.port), close };
  }

  return {
    address: port === 0 ? null : addressAt(port),
    hasDatabases: () => hasCluster(dataDir),
    check: () => assertFree(port),
    open,
    explain: (error) =>
      isPortInUse(error)
        ? `MANAGED_POSTGRES_PORT ${port} is in use by another program: set it to another port.`
        : 'The server could not be started. See the Nephos log, or set MANAGED_POSTGRES_URL to use another server.',
  };
}

/** The port may be taken before it is needed; this only tells of it early. */
async function assertFree(port: number): Promise<void> {
  if (port === 0) return;
  const probe = createServer().listen(port, LOOPBACK);
  await once(probe, 'listening');
  probe.close();
  await once(probe, 'close');
}

function isPortInUse(error: unknown): boolean {
  return (
    error instanceof PortInUse || (error instanceof Error && 'code' in error && error.code === 'EADDRINUSE')
  );
}
