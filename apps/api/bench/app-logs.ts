import { EventEmitter } from 'node:events';
import type { ServerResponse } from 'node:http';
import { createDb, createPool } from '@nephos/db';
import { pino } from 'pino';
import type { UserContext } from '../src/core/context.ts';
import { createLogLines } from '../src/domains/deployments/log-lines.ts';
import { answerBegan, createAppFigures } from '../src/domains/observability/app-figures.ts';
import { createProjectLog } from '../src/domains/observability/log-store.ts';
import { readLogs } from '../src/domains/observability/logs.ts';
import type { Console } from './console.ts';
import type { Finding } from './measure.ts';

const MB = 1024 ** 2;
const LOG_BYTES = 49 * MB;
const CHUNK = 64 * 1024;
/** Bytes that are written before what waits is stored: less than the writer drops from. */
const BURST = 4 * MB;
const TARGET_INGEST = 10;
const TARGET_SEARCH_MS = 800;
const TARGET_COUNT_US = 5;
const ANSWERS = 200_000;

/** What logs of apps take: writing, searching through all that is kept, and what counting costs a request. */
export async function measureAppLogs({ databaseUrl }: Pick<Console, 'databaseUrl'>): Promise<Finding[]> {
  const pool = createPool({ url: databaseUrl, max: 4 });
  const db = createDb(pool);
  try {
    const { rows } = await pool.query<{ id: string; owner_id: string }>(
      `insert into projects (owner_id, name, description, repository_url, branch, framework, slug)
       select id, 'Log', '', '', 'main', 'nodejs', 'log-bench' from users limit 1 returning id, owner_id`,
    );
    const { id = '', owner_id: ownerId = '' } = rows[0] ?? {};
    const speed = await writeLog(db, id);
    // All that reading a log asks of a call.
    const context = { db, ownerId } as UserContext;
    return [speed, await search(context, id), measureCounting()];
  } finally {
    await db.destroy();
  }
}

/** Lines as apps write them, half of them like each other and half by chance, as pipes give them. */
function* chunksOf(bytes: number): Generator<string> {
  for (let written = 0, n = 0; written < bytes; ) {
    let chunk = '';
    while (chunk.length < CHUNK) {
      n += 1;
      chunk += `2026-11-22T10:00:00.000Z INFO request id=${Math.random().toString(36).slice(2)} path=/orders/${n} status=200 took=${n % 90}ms\n`;
    }
    written += chunk.length;
    yield chunk;
  }
}

async function writeLog(db: Parameters<typeof createProjectLog>[0]['db'], id: string): Promise<Finding> {
  const log = createProjectLog({ db, log: pino({ level: 'silent' }) }, id);
  const secrets = Array.from({ length: 20 }, (_, n) => `secret-number-${n}-of-this-app`);
  const lines = createLogLines(secrets, (line) => log.add({ ...line, deploymentId: null }));
  const chunks = [...chunksOf(LOG_BYTES)];
  const began = performance.now();
  let burst = 0;
  for (const chunk of chunks) {
    lines.push({ process: 'web', instance: 1 }, 'stdout', chunk);
    burst += chunk.length;
    if (burst < BURST) continue;
    await log.stored();
    burst = 0;
  }
  lines.end();
  await log.close();
  const rate = LOG_BYTES / MB / ((performance.now() - began) / 1000);
  return {
    name: 'log of an app, masked and stored',
    detail: `${rate.toFixed(0)} MB/s; target ≥ ${TARGET_INGEST}`,
    met: rate >= TARGET_INGEST,
  };
}

async function search(context: UserContext, id: string): Promise<Finding> {
  const times: number[] = [];
  let stopped = 0;
  for (const text of ['no such text', 'PATH=/orders/17 ', 'nothing to find']) {
    const began = performance.now();
    const { stoppedAt } = await readLogs(context, { id, search: text, limit: 200 });
    times.push(performance.now() - began);
    if (stoppedAt !== null) stopped += 1;
  }
  const slowest = Math.max(...times);
  return {
    name: 'search through 49 MB of an app’s log',
    detail: `${slowest.toFixed(0)} ms at most, ${stopped} of 3 stopped before the end; target ≤ ${TARGET_SEARCH_MS} ms, none stopped`,
    met: slowest <= TARGET_SEARCH_MS && stopped === 0,
  };
}

/** What a request costs more because it is counted. */
function measureCounting(): Finding {
  const figures = createAppFigures();
  const began = performance.now();
  for (let n = 0; n < ANSWERS; n += 1) {
    const response = Object.assign(new EventEmitter(), { statusCode: 200, headersSent: true });
    // Nothing but these is read of an answer.
    const answer = response as unknown as ServerResponse;
    figures.begin('project', answer);
    answerBegan(answer);
    response.emit('close');
  }
  const microseconds = ((performance.now() - began) * 1000) / ANSWERS;
  return {
    name: 'counting a request to an app',
    detail: `${microseconds.toFixed(2)} µs, the making of its answer included; target ≤ ${TARGET_COUNT_US} µs`,
    met: microseconds <= TARGET_COUNT_US,
  };
}
