import { execFile } from 'node:child_process';
import { rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { DatabasePast, ManagedDatabase } from '@nephos/contracts';
import pg from 'pg';
import type { Console } from './console.ts';
import { makeDatabase } from './create-database.ts';
import { type Finding, median } from './measure.ts';

const run = promisify(execFile);
/** MB in the database; `BENCH_RESTORE_MB=1024` measures a GB. */
const SIZE = Number(process.env.BENCH_RESTORE_MB ?? 256);
const ROUNDS = 3;
const POLL_MS = 50;
/** Times of `cp` with its sync. What comes back was compressed, encrypted and checked, and runs. */
const TARGET = 4;

/** A database brought back as of now, against `cp` and `sync` of its server's files. */
export async function measureRestore(console: Console): Promise<Finding[]> {
  const { id, connectionString } = await makeDatabase(console);
  await fill(connectionString);
  const path = `/api/databases/${id}`;
  await console.call('POST', `${path}/backups`);
  while (await isPending(console, path)) await wait(POLL_MS);
  const folder = join(console.dataDir, 'databases', new URL(connectionString).username, 'data', 'base');
  const copied: number[] = [];
  const restored: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    copied.push(await timeOf(() => copy(folder, join(console.dataDir, 'copy'))));
    restored.push(await timeOf(() => restore(console, path, `restored-${round}`)));
  }
  const ratio = median(restored) / median(copied);
  const seconds = (times: number[]) => `${(median(times) / 1000).toFixed(2)} s`;
  return [
    {
      name: `a database of ${SIZE} MB brought back, against cp of its files`,
      detail: `${seconds(restored)}, cp and sync ${seconds(copied)}: ${ratio.toFixed(2)} times; target < ${TARGET}`,
      met: ratio < TARGET,
    },
  ];
}

async function timeOf(work: () => Promise<void>): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}

/** With rows that do not compress much better than what people keep: half of each is random. */
async function fill(connectionString: string): Promise<void> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  await client.query('create table filled (n int primary key, random text, text text)');
  await client.query(
    `insert into filled select n, (select string_agg(md5(n::text || i), '') from generate_series(1, 16) i), repeat('words ', 85)
     from generate_series(1, $1::int) n`,
    [SIZE * 900],
  );
  await client.end();
}

async function isPending(console: Console, path: string): Promise<boolean> {
  const { backups } = (await console.call('GET', `${path}/backups`)) as DatabasePast;
  if (backups[0]?.status === 'failed') throw new Error(backups[0].error);
  return backups[0]?.status !== 'done';
}

async function copy(from: string, to: string): Promise<void> {
  await rm(to, { recursive: true, force: true });
  await stat(from);
  await run('cp', ['-R', from, to]);
  await run('sync', ['-f', to]);
  await rm(to, { recursive: true, force: true });
}

async function restore(console: Console, path: string, name: string): Promise<void> {
  const begun = (await console.call('POST', `${path}/restore`, { name })) as ManagedDatabase;
  let { status } = begun;
  while (status === 'creating') {
    await wait(POLL_MS);
    ({ status } = (await console.call('GET', `/api/databases/${begun.id}`)) as ManagedDatabase);
  }
  if (status === 'failed') throw new Error('It could not be brought back.');
  await console.call('DELETE', `/api/databases/${begun.id}`);
}
