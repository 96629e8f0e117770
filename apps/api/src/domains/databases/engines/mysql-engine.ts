import type { EngineDeps } from './create-engines.ts';
import type { DatabaseEngine } from './engine.ts';
import { createPrivateMariadb } from './mariadb/private-mariadb.ts';
import { findMariadb } from './mariadb/programs.ts';
import { asAdministrator } from './mysql-administrator.ts';
import { createDatabase, removeDatabase, setPassword, usageOf } from './mysql-databases.ts';
import { createUnavailableEngine } from './unavailable-engine.ts';

const MYSQL_PORT = 3306;

/** Where the databases are: a server that was set, or one that we run. */
interface MysqlServer extends Pick<DatabaseEngine, 'unavailable' | 'start' | 'stop'> {
  /** With the administrator's name and password; brings the server up where it is ours. */
  url(): Promise<string>;
  /** Where clients reach it, as in an address. */
  address(): { host: string; port: number };
}

/**
 * MySQL 8 or later, or MariaDB 10.6 or later, at `MANAGED_MYSQL_URL`; without it a MariaDB that we run for ourselves
 * where its programs are on the machine.
 */
export function createMysqlEngine(deps: EngineDeps): DatabaseEngine {
  const server = deps.settings.managedMysqlUrl
    ? serverAt(deps.settings.managedMysqlUrl)
    : privateServer(deps);
  if (!server) {
    return createUnavailableEngine(
      'mysql',
      'MySQL needs MANAGED_MYSQL_URL, or the package mariadb-server on this machine.',
    );
  }
  return {
    type: 'mysql',
    unavailable: server.unavailable,
    start: server.start,
    stop: server.stop,
    async create(credentials) {
      await asAdministrator(await server.url(), (admin) => createDatabase(admin, credentials));
    },
    async setPassword(credentials) {
      await asAdministrator(await server.url(), (admin) => setPassword(admin, credentials));
    },
    async remove(name) {
      await asAdministrator(await server.url(), (admin) => removeDatabase(admin, name));
    },
    async usage(name) {
      return asAdministrator(await server.url(), (admin) => usageOf(admin, name));
    },
    connectionString({ name, password }) {
      const { host, port } = server.address();
      return `mysql://${name}:${encodeURIComponent(password)}@${host}:${port}/${name}`;
    },
  };
}

function serverAt(url: string): MysqlServer {
  const { hostname, port } = new URL(url);
  return {
    unavailable: () => null,
    async start() {},
    async stop() {},
    url: async () => url,
    address: () => ({ host: hostname, port: port ? Number(port) : MYSQL_PORT }),
  };
}

function privateServer({ settings, log }: EngineDeps): MysqlServer | undefined {
  const programs = findMariadb(settings.hostEnvironment.PATH);
  if (!programs) return undefined;
  const mariadb = createPrivateMariadb({ dataDir: settings.dataDir, programs, log });
  return {
    unavailable: mariadb.failure,
    async start() {
      // Nobody waits for it: the console answers meanwhile, and a failure is in the log.
      if (mariadb.exists()) mariadb.url().catch(() => {});
    },
    stop: mariadb.stop,
    url: mariadb.url,
    address: mariadb.address,
  };
}
