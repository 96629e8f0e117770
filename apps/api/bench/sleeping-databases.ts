import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';
import pg from 'pg';
import { startManagedPostgres } from '../test/databases/managed-postgres.ts';
import type { Console } from './console.ts';
import { makeDatabase } from './create-database.ts';
import type { Finding } from './measure.ts';

const run = promisify(execFile);
const ROUNDS = 100;
const WAKING_TARGET = 300;
const COUNT = 50;
const MIB = 2 ** 20;
/** Of memory, for each: a few objects. */
const MEMORY_TARGET = MIB;
/** Of disk, for each: what initdb makes, and its log. */
const DISK_TARGET = 64 * MIB;
const SETTLE = 2000;
/** A minute's thousandth: asleep as soon as somebody looks. */
const AT_ONCE = 0.001;

async function firstAnswer(connectionString: string): Promise<number> {
  const began = performance.now();
  const client = new pg.Client({ connectionString });
  await client.connect();
  await client.query('select 1');
  const ms = performance.now() - began;
  await client.end();
  return ms;
}

/** Puts a database's server to sleep, as the console does it. */
async function putToSleep(home: string): Promise<void> {
  const lock = join(home, 'data', 'postmaster.pid');
  const [pid] = (await readFile(lock, 'utf8')).split('\n');
  process.kill(Number(pid), 'SIGINT');
  while (await readFile(lock).catch(() => undefined)) await wait(10);
  // Its own process notices the end a moment later.
  await wait(50);
}

/** From asleep to the first answer. */
export async function measureWaking(console: Console): Promise<Finding[]> {
  const { connectionString } = await makeDatabase(console);
  const home = join(console.dataDir, 'databases', new URL(connectionString).username);
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    await putToSleep(home);
    times.push(await firstAnswer(connectionString));
  }
  times.sort((one, other) => one - other);
  const [p50 = Number.NaN, p99 = Number.NaN] = [0.5, 0.99].map((part) => times[Math.ceil(part * ROUNDS) - 1]);
  return [
    {
      name: 'a PostgreSQL database, from asleep to its first answer',
      detail: `p50 ${p50.toFixed(0)} ms, p99 ${p99.toFixed(0)} ms; target < ${WAKING_TARGET} ms`,
      met: p50 < WAKING_TARGET,
    },
  ];
}

/** What databases cost that nobody uses, in the process that keeps them and on disk. */
export async function measureSleepingDatabases(): Promise<Finding[]> {
  const server = await startManagedPostgres({}, { sleepAfter: AT_ONCE });
  try {
    // The first one has its template made, too.
    await server.make();
    await wait(SETTLE);
    const before = process.memoryUsage.rss();
    const names: string[] = [];
    for (let n = 0; n < COUNT; n += 1) names.push((await server.make()).name);
    for (const name of names) while (await server.pidOf(name)) await wait(50);
    await wait(SETTLE);
    const memory = Math.max(0, process.memoryUsage.rss() - before) / COUNT;
    // Whole servers: the size that is told to people leaves out what is not theirs.
    const { stdout } = await run('du', ['-sk', ...names.map((name) => join(server.dataDir, name))]);
    const sizes = stdout
      .trim()
      .split('\n')
      .map((line) => Number.parseInt(line, 10) * 1024);
    const disk = sizes.reduce((sum, size) => sum + size, 0) / COUNT;
    const mib = (bytes: number) => `${(bytes / MIB).toFixed(1)} MiB`;
    return [
      {
        name: `${COUNT} PostgreSQL databases that sleep, each of them`,
        detail: `${mib(memory)} of memory, target < ${mib(MEMORY_TARGET)}; ${mib(disk)} of disk, target < ${mib(DISK_TARGET)}`,
        met: memory < MEMORY_TARGET && disk < DISK_TARGET,
      },
    ];
  } finally {
    await server.close();
  }
}
