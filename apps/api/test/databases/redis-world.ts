import { chmod, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { readSettings } from '../../src/core/env.ts';
import type { RedisRecords } from '../../src/domains/databases/engines/redis/given-redis.ts';
import { openRedis, type RedisClient } from '../../src/domains/databases/engines/redis/redis-client.ts';
import { createRedisEngine } from '../../src/domains/databases/engines/redis/redis-engine.ts';
import type { FindCertificate } from '../../src/http/tls-server.ts';
import type { EngineUnderTest } from './database-engine-contract.ts';

/** Milliseconds: a long script is waited for. */
const PATIENCE = 30_000;

export interface RedisWorld extends EngineUnderTest {
  dataDir: string;
  /** A connection that has logged in and chosen its database as the address says. */
  open(connectionString: string): Promise<RedisClient>;
  /** Another engine on the same data, which has been stopped or killed before. */
  again(): Promise<RedisWorld>;
}

/** As when nobody has any. */
const NO_RECORDS: RedisRecords = { names: async () => [], passwordOf: async () => undefined };

interface Given {
  /** Address of a server that is not ours. */
  url?: string;
  records?: RedisRecords;
}

/** The engine on instances of its own data folder, or on a given server. */
export async function createRedisWorld(
  certificateFor: FindCertificate = () => undefined,
  at?: string,
  { url = '', records = NO_RECORDS }: Given = {},
): Promise<RedisWorld> {
  const dataDir = at ?? (await mkdtemp(join(tmpdir(), 'nephos-redis-')));
  await chmod(dataDir, 0o711);
  let ours = '';
  const log = pino(
    { level: 'trace' },
    {
      write: (line: string) => {
        ours += line;
      },
    },
  );
  const settings = readSettings({
    ...{ DATA_DIR: dataDir, MANAGED_REDIS_PORT: '0', MANAGED_REDIS_URL: url, PATH: process.env.PATH },
  });
  const engine = createRedisEngine({ settings, log, certificateFor, records });
  await engine.start();
  const opened: RedisClient[] = [];

  async function open(connectionString: string): Promise<RedisClient> {
    const { hostname: host, port, username, password, pathname } = new URL(connectionString);
    const client = openRedis({ host, port: Number(port) }, PATIENCE);
    opened.push(client);
    await client.ask('AUTH', username, password);
    await client.ask('SELECT', pathname.slice(1));
    return client;
  }

  return {
    engine,
    dataDir,
    open,
    async connect(connectionString) {
      const client = await open(connectionString);
      const prefix = url && `${new URL(connectionString).username}:`;
      return {
        add: async (table) => void (await client.ask('RPUSH', prefix + table, '1')),
        async count(table) {
          const rows = Number(await client.ask('LLEN', prefix + table));
          if (rows === 0) throw new Error(`There is no ${table}`);
          return rows;
        },
        close: async () => client.close(),
      };
    },
    async logged() {
      if (url) return ours;
      const root = join(dataDir, 'managed-redis');
      const names = await readdir(root);
      const logs = await Promise.all(
        names
          .filter((name) => !name.startsWith('.'))
          .map((name) => readFile(join(root, name, 'log'), 'utf8')),
      );
      return ours + logs.join('');
    },
    again: () => createRedisWorld(certificateFor, dataDir),
    async close() {
      for (const client of opened) client.close();
      await engine.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
