import { DATABASE_TYPES, type ManagedDatabase } from '@nephos/contracts';
import type { Database } from '@nephos/db';
import type { Kysely } from 'kysely';
import type { Settings } from '../../core/settings.ts';
import { type EngineCheck, type Finding, healthy, off, unhealthy } from '../../platform/engine-check.ts';
import type { DatabaseEngines } from './engines/engine.ts';

type Type = ManagedDatabase['type'];

interface Described {
  name: string;
  ours: string;
  setting: string;
  /** Settings of where we listen. */
  ports?: readonly string[];
  /** What a reason begins with where there is no server; otherwise that its address is not set. */
  missing?: string;
  url(of: Settings): unknown;
}

const DATABASES: Record<Type, Described> = {
  postgresql: {
    name: 'PostgreSQL databases',
    ours: 'Embedded PostgreSQL',
    setting: 'MANAGED_POSTGRES_URL',
    ports: ['MANAGED_POSTGRES_PORT', 'MANAGED_POSTGRES_POOLED_PORT'],
    url: ({ managedPostgresUrl }) => managedPostgresUrl,
  },
  mysql: {
    name: 'MySQL databases',
    ours: 'MariaDB on this machine',
    setting: 'MANAGED_MYSQL_URL',
    url: ({ managedMysqlUrl }) => managedMysqlUrl,
  },
  mongodb: {
    name: 'MongoDB databases',
    ours: 'None',
    setting: 'MANAGED_MONGODB_URL',
    url: ({ managedMongodbUrl }) => managedMongodbUrl,
  },
  redis: {
    name: 'Redis databases',
    ours: 'Redis on this machine',
    setting: 'MANAGED_REDIS_URL',
    ports: ['MANAGED_REDIS_PORT'],
    missing: 'redis-server is not installed',
    url: ({ managedRedisUrl }) => managedRedisUrl,
  },
};

interface Checked {
  settings: Settings;
  db: Kysely<Database>;
  servers: DatabaseEngines;
}

/** The servers of managed databases. */
export function databaseChecks(parts: Checked): EngineCheck[] {
  return DATABASE_TYPES.map((type) => databaseCheck(parts, type));
}

function databaseCheck(parts: Checked, type: Type): EngineCheck {
  const { name, ours, setting, ports = [], missing = `${setting} is not set`, url } = DATABASES[type];
  const given = url(parts.settings) !== undefined;
  const reason = parts.servers[type].unavailable();
  const absent = !given && (reason?.startsWith(missing) ?? false);
  return {
    id: type,
    name,
    running: given ? `Server set in ${setting}` : absent ? 'None' : ours,
    settings: [setting, ...ports],
    look: () =>
      reason === null ? askDatabaseServer(parts, type, given) : absent ? off(reason) : unhealthy(reason),
  };
}

/** By the figures of a database that it has. A server that has none yet is started with the first. */
async function askDatabaseServer({ db, servers }: Checked, type: Type, given: boolean): Promise<Finding> {
  const engine = servers[type];
  const one = await db
    .selectFrom('managedDatabases')
    .select('engineName')
    .where('type', '=', type)
    .where('status', '=', 'available')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  if (one) {
    const { connections, connectionLimit } = await engine.usage(one.engineName);
    return healthy(`Responds. Newest database: ${connections} of ${connectionLimit} connections open.`);
  }
  if (!given) return healthy('Starts with the first database.');
  await engine.start();
  const problem = engine.unavailable();
  return problem === null ? healthy('Responds. No databases yet.') : unhealthy(problem);
}
