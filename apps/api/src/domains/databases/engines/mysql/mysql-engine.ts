import type { Logger } from 'pino';
import type { Credentials, DatabaseEngine, Dumps, EngineParts } from '../engine.ts';
import { createGivenServer } from '../given-server.ts';
import { clientHost, LOOPBACK } from '../listening.ts';
import { createUnavailableEngine } from '../unavailable-engine.ts';
import { loadKeptDumps } from './kept-dumps.ts';
import { findMariadb, findMariadbClients } from './mariadb-programs.ts';
import type { Administrator } from './mysql-administrator.ts';
import { createMysqlDumps } from './mysql-dumps.ts';
import { createPrivateMariadb, type PrivateMariadbOptions } from './private-mariadb.ts';

const MYSQL_PORT = 3306;
/** Clients call it by different names. */
const SHARED_OPTIONS = ['ssl', 'ssl-mode', 'sslmode', 'tls'];

/** Loads the driver as well, which takes long: only where there are such databases. */
const loadStatements = () => import('./mysql-databases.ts');

async function asAdministrator<T>(url: string, work: (admin: Administrator) => Promise<T>): Promise<T> {
  const driver = await import('./mysql-administrator.ts');
  return driver.asAdministrator(url, work);
}

interface MysqlParts extends EngineParts, Pick<PrivateMariadbOptions, 'certificate' | 'lookEvery'> {}

/** Where the databases are: a server that was set, or one that we run. */
interface MysqlServer extends Pick<DatabaseEngine, 'unavailable' | 'start' | 'stop'> {
  /** Brings the server up where it is ours. */
  administer<T>(work: (admin: Administrator) => Promise<T>): Promise<T>;
  /** Where clients reach it, as in an address; `query` says how. */
  address(): { host: string; port: number; query?: string };
}

/**
 * MySQL 8 or later, or MariaDB 10.6 or later, at `MANAGED_MYSQL_URL`; without it a MariaDB that we run for ourselves
 * where its programs are on the machine.
 */
export function createMysqlEngine(parts: MysqlParts): DatabaseEngine {
  const server = parts.settings.managedMysqlUrl
    ? givenServer(parts.settings.managedMysqlUrl, parts.log)
    : privateServer(parts);
  if (!server) {
    return createUnavailableEngine(
      'mysql',
      'MANAGED_MYSQL_URL is not set, and mariadb-server is not installed on this machine.',
    );
  }
  const addressFor = ({ name, password }: Credentials) => {
    const { host, port, query = '' } = server.address();
    return `mysql://${name}:${encodeURIComponent(password)}@${host}:${port}/${name}${query}`;
  };
  const dumps = dumpsOf(parts, server.address);
  type Statements = Awaited<ReturnType<typeof loadStatements>>;
  const administer = <T>(work: (statements: Statements, admin: Administrator) => Promise<T>) =>
    server.administer(async (admin) => work(await loadStatements(), admin));
  return {
    type: 'mysql',
    runsHere: !parts.settings.managedMysqlUrl,
    unavailable: server.unavailable,
    start: server.start,
    stop: server.stop,
    create: (credentials) => administer(({ createWithUser }, admin) => createWithUser(admin, credentials)),
    setPassword: (credentials) => administer(({ setPassword }, admin) => setPassword(admin, credentials)),
    remove: (name) => administer(({ dropWithUser }, admin) => dropWithUser(admin, name)),
    usage: (name) => administer(({ usageOf }, admin) => usageOf(admin, name)),
    accepts: async (credentials) => {
      const { isLetIn } = await import('./mysql-administrator.ts');
      return isLetIn(addressFor(credentials));
    },
    connectionString: addressFor,
    dumps,
  };
}

function dumpsOf({ settings }: EngineParts, address: MysqlServer['address']): Dumps {
  return createMysqlDumps(findMariadbClients(settings.hostEnvironment.PATH), (credentials) => {
    const { host, port } = address();
    return { ...credentials, port, host: settings.managedMysqlUrl ? host : LOOPBACK };
  });
}

function givenServer(url: string, log: Logger): MysqlServer {
  const { hostname, port, searchParams } = new URL(url);
  let examined = false;
  const ping = () =>
    asAdministrator(url, async (admin) => {
      await admin.run('DO 1');
      // Where the administrator has no right to ask, nothing is said of it.
      const weaknesses = examined ? [] : await weaknessesOf(admin).catch(() => []);
      examined = true;
      for (const weakness of weaknesses) log.warn(`the server of MANAGED_MYSQL_URL is weak: ${weakness}`);
    });
  const server = createGivenServer({ setting: 'MANAGED_MYSQL_URL', ping, log });
  return {
    unavailable: server.problem,
    start: server.check,
    stop: async () => server.stop(),
    administer: (work) => server.during(() => asAdministrator(url, work)),
    address: () => ({
      host: hostname,
      port: port ? Number(port) : MYSQL_PORT,
      query: sharedOptions(searchParams),
    }),
  };
}

/** Options of an address that say how the server is reached, by TLS for example: they hold for every user of it. */
function sharedOptions(options: URLSearchParams): string {
  const shared = new URLSearchParams([...options].filter(([name]) => SHARED_OPTIONS.includes(name)));
  return shared.size > 0 ? `?${shared}` : '';
}

/** What a server that we did not set up leaves open to the users of its databases, and how it is closed. */
async function weaknessesOf(admin: Administrator): Promise<string[]> {
  const [symlinks] = await admin.rows("SHOW VARIABLES LIKE 'have_symlink'", []);
  const [nameless] = await admin.rows("SELECT COUNT(*) AS count FROM mysql.user WHERE user = ''", []);
  const found: string[] = [];
  if (symlinks?.Value === 'YES') {
    found.push(
      'tables can be placed in any folder that the server may write: start it with skip-symbolic-links',
    );
  }
  if (Number(nameless?.count) > 0) {
    found.push("its user without a name takes the place of a database's own: drop that user");
  }
  return found;
}

/** Sessions that are neither ours nor the server's own. */
const CLIENTS =
  "SELECT 1 FROM information_schema.processlist WHERE user NOT IN ('root', 'system user', 'event_scheduler') LIMIT 1";

function privateServer(parts: MysqlParts): MysqlServer | undefined {
  const { settings, log, certificate, lookEvery } = parts;
  const programs = findMariadb(settings.hostEnvironment.PATH);
  if (!programs) return undefined;
  const { dataDir, host } = settings;
  const mariadb = createPrivateMariadb({
    ...{ dataDir, host, programs, log, certificate, lookEvery },
    reload: (url) => asAdministrator(url, (admin) => admin.run('FLUSH SSL')),
    hasClients: (url) => asAdministrator(url, async (admin) => (await admin.rows(CLIENTS, [])).length > 0),
    async load(url, folder) {
      const statements = await loadStatements();
      await loadKeptDumps(folder, {
        dumps: dumpsOf(parts, address),
        make: (credentials) => asAdministrator(url, (admin) => statements.createWithUser(admin, credentials)),
        setPassword: (credentials) =>
          asAdministrator(url, (admin) => statements.setPassword(admin, credentials)),
      });
    },
  });
  const address = () => ({ host: clientHost(settings), port: mariadb.port() });
  return {
    unavailable: mariadb.failure,
    async start() {
      // Nobody waits for it: the console answers meanwhile, and a failure is in the log.
      if (mariadb.exists()) mariadb.url().catch(() => {});
    },
    stop: mariadb.stop,
    administer: async (work) => asAdministrator(await mariadb.url(), work),
    address,
  };
}
