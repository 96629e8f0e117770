import { join } from 'node:path';
import { hasCluster } from '@nephos/db/embedded';
import type { Logger } from 'pino';
import type { Settings } from '../../../../core/settings.ts';
import { keepPostgres } from '../../../../platform/kept-postgres.ts';
import { LOOPBACK } from '../listening.ts';
import { reopenDatabases } from './closed-databases.ts';
import { closeToPublic, createAdminPool } from './postgres-administration.ts';
import type { OpenServer, ServerSource } from './postgres-server.ts';

/**
 * Everyone needs a password. `sameuser` is a second wall beside the rights of each database: whatever an owner
 * grants, a role is let into the database of its own name alone. The administrator comes from this machine only.
 */
const ACCESS_RULES = [
  `host all,replication postgres ${LOOPBACK}/32 scram-sha-256`,
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

/**
 * The one cluster that held all databases before each had a server of its own. New ones are not made there. `isMoved`:
 * whether a database has one by now.
 */
export function sharedPostgres(
  settings: Settings,
  log: Logger,
  isMoved: (name: string) => boolean = () => false,
): ServerSource {
  const dataDir = join(settings.dataDir, 'managed-pg');

  async function open(): Promise<OpenServer> {
    const server = await keepPostgres({ dataDir, accessRules: ACCESS_RULES, parameters: PARAMETERS }, log);
    const pool = createAdminPool(server.url, log);
    const close = async () => {
      await pool.end();
      await server.stop();
    };
    try {
      await closeToPublic(pool, log);
      await reopenDatabases(pool, isMoved);
    } catch (error) {
      await close();
      throw error;
    }
    return { pool, address: new URL(`postgresql://${LOOPBACK}:${server.port}`), close };
  }

  return {
    address: null,
    hasDatabases: () => hasCluster(dataDir),
    async check() {},
    open,
    explain: () => 'The server of older databases could not be started. See the Nephos log.',
  };
}
