import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { isCluster, openClusters, SOCKET, startCluster, startEmbeddedPostgres } from '@nephos/db/embedded';
import {
  countRows,
  findDamage,
  inDatabase,
} from '../../domains/databases/engines/postgres/proof/check-contents.ts';
import { homeOf, openHomes, readSettings } from '../../domains/databases/engines/redis/redis-home.ts';
import { findRedis } from '../../domains/databases/engines/redis/redis-programs.ts';
import { launchRedis } from '../../domains/databases/engines/redis/redis-server.ts';
import { wordsOf } from '../run-record.ts';
import { REDIS_PART } from '../sources/folders.ts';
import { DATABASES_PART, SHARED_PART } from '../sources/postgres-servers.ts';

/** What was found of databases that were opened. */
export interface Opened {
  databases: number;
  rows: number;
  problems: string[];
}

/** Starts each server that was restored to a folder, and reads all that is in it. */
export async function checkServers(
  folder: string,
  { path, signal }: { path: string; signal: AbortSignal },
): Promise<Opened> {
  const all: Opened = { databases: 0, rows: 0, problems: [] };
  const opening = async (what: string, open: () => Promise<number>) => {
    signal.throwIfAborted();
    try {
      all.rows += await open();
      all.databases += 1;
    } catch (error) {
      all.problems.push(`${what} could not be opened: ${wordsOf(error)}`);
    }
  };
  const root = join(folder, DATABASES_PART);
  for (const name of existsSync(root) ? openClusters(root).names : []) {
    await opening(`The PostgreSQL database ${name}`, () => readCluster(root, name));
  }
  if (isCluster(join(folder, SHARED_PART))) {
    await opening('The server that PostgreSQL databases share', () => readShared(join(folder, SHARED_PART)));
  }
  const redis = findRedis(path);
  for (const name of redis ? openHomes(join(folder, REDIS_PART)).names : []) {
    await opening(`The Redis database ${name}`, async () => {
      const home = homeOf(join(folder, REDIS_PART), name);
      const settings = readSettings(home.folder);
      if (!redis) return 0;
      const server = await launchRedis({ programs: redis, home, name, settings, signal });
      try {
        return await server.administer(async (ask) => Number(await ask('DBSIZE')));
      } finally {
        await server.stop();
      }
    });
  }
  return all;
}

async function readCluster(root: string, name: string): Promise<number> {
  const { server, sockets, password } = await startCluster(root, name, {
    parameters: { archive_mode: 'off' },
  });
  try {
    const socketFolder = sockets.at(SOCKET).slice(0, -SOCKET.length - 1);
    return await readAll(`postgres://postgres:${password}@${encodeURIComponent(socketFolder)}/postgres`);
  } finally {
    await server.stop();
    await sockets[Symbol.asyncDispose]();
  }
}

async function readShared(dataDir: string): Promise<number> {
  const server = await startEmbeddedPostgres({ dataDir });
  try {
    return await readAll(server.url);
  } finally {
    await server.stop();
  }
}

/** Reads every row and index of the databases at an address; how many rows. Throws at the first damage. */
async function readAll(address: string): Promise<number> {
  const names = await inDatabase({ address, name: 'postgres' }, async (client) => {
    const { rows } = await client.query<{ datname: string }>(
      'select datname from pg_database where datallowconn and not datistemplate order by 1',
    );
    return rows.map(({ datname }) => datname);
  });
  let all = 0;
  for (const name of names) {
    await inDatabase({ address, name }, async (client) => {
      for (const count of (await countRows(client)).values()) all += count;
      const damage = await findDamage(client);
      if (damage) throw new Error(damage);
    });
  }
  return all;
}
