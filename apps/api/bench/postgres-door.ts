import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import type { Console } from './console.ts';
import { makeDatabase } from './create-database.ts';
import { type Finding, median } from './measure.ts';
import { fillPlace, hasPgbench, loadPlace } from './pgbench.ts';

const ROUNDS = 15;
const LOADS = 3;
const SECONDS = 5;
const WAKING_TARGET = 300;
const RATIO_TARGET = 0.85;

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

/** From asleep to the first answer, and pgbench through the door against the same server's own socket. */
export async function measurePostgresDoor(console: Console): Promise<Finding[]> {
  const { connectionString } = await makeDatabase(console);
  const { hostname, port, username: user, password } = new URL(connectionString);
  const home = join(console.dataDir, 'databases', user);
  const waking: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    await putToSleep(home);
    waking.push(await firstAnswer(connectionString));
  }
  const findings: Finding[] = [
    {
      name: 'a PostgreSQL database, from asleep to its first answer',
      detail: `${median(waking).toFixed(0)} ms, at most ${Math.max(...waking).toFixed(0)} ms; target < ${WAKING_TARGET} ms`,
      met: median(waking) < WAKING_TARGET,
    },
  ];
  if (!hasPgbench()) return findings;
  const door = { host: hostname, port, user, password, database: user };
  const direct = { ...door, host: join(home, 'run'), port: '5432' };
  await fillPlace(door);
  const rates = { door: [] as number[], direct: [] as number[] };
  for (let round = 0; round < LOADS; round += 1) {
    rates.direct.push(await loadPlace(direct, SECONDS));
    rates.door.push(await loadPlace(door, SECONDS));
  }
  const ratio = median(rates.door) / median(rates.direct);
  findings.push({
    name: 'pgbench through the port of databases',
    detail: `${median(rates.door).toFixed(0)}/s, at the server's socket ${median(rates.direct).toFixed(0)}/s: ${ratio.toFixed(2)}; target >= ${RATIO_TARGET}`,
    met: ratio >= RATIO_TARGET,
  });
  return findings;
}
