import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { type ClientRequest, request } from 'node:http';
import { resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { chatPath } from '@nephos/contracts';
import { createPool } from '@nephos/db';
import { freePort } from '../../../tools/server-process.mjs';
import { type Console, startConsole, startProgram } from './console.ts';
import type { Finding } from './measure.ts';

const MODEL_SERVER = resolve(import.meta.dirname, 'model-server.ts');
/** Streams that one person may have at once. */
const EACH = 2;
const STREAMS = 100;
/** As many words as a model says in two seconds; and a few, so slowly that all streams are open meanwhile. */
const FLUENTLY = '40 50';
const SLOWLY = '30 2000';
const ROUNDS = 4;
/** Milliseconds over which the streams of a round begin. */
const SPREAD = 2000;
const TARGET_P50 = 10;
const TARGET_P99 = 50;
const OPEN_STREAMS = 1000;
const TARGET_BYTES = 200_000;

/** A stream's address and what is sent there. */
interface Call {
  url: string;
  token: string;
  body: object;
}

interface Conversation {
  token: string;
  sessionId: string;
}

/** Straight into the tables: people who may ask, with a conversation for each of their streams. */
async function addPeople({ databaseUrl }: Console, streams: number): Promise<Conversation[]> {
  const pool = createPool({ url: databaseUrl, max: 1 });
  const conversations: Conversation[] = [];
  for (let person = 0; person < streams / EACH; person += 1) {
    const token = `nph_${randomBytes(32).toString('base64url')}`;
    const hash = createHash('sha256').update(token).digest('hex');
    const id = randomUUID();
    await pool.query(
      `with account as (
         insert into users (id, email, handle, role) values ($1::uuid, $1 || '@example.com', 'p' || $1, 'member')
       )
       insert into access_tokens (user_id, name, scope, hash) values ($1::uuid, 'bench', 'write', $2)`,
      [id, hash],
    );
    const { rows } = await pool.query<{ id: string }>(
      `insert into assistant_sessions (owner_id, resource_scope)
       select $1, 'general' from generate_series(1, $2) returning id`,
      [id, EACH],
    );
    conversations.push(...rows.map((row) => ({ token, sessionId: row.id })));
  }
  await pool.end();
  return conversations;
}

/** Milliseconds until the first piece of data, once the stream has ended; with `onFirst` it may be left before. */
function stream({ url, token, body }: Call, onFirst?: (call: ClientRequest) => void): Promise<number> {
  const { promise, resolve: done, reject } = Promise.withResolvers<number>();
  const began = performance.now();
  let first = Number.NaN;
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const call = request(url, { method: 'POST', agent: false, headers }, (response) => {
    if (response.statusCode !== 200) reject(new Error(`${url} answered ${response.statusCode}`));
    response.on('data', (chunk: Buffer) => {
      if (!Number.isNaN(first) || !chunk.includes('data: ')) return;
      first = performance.now() - began;
      onFirst?.(call);
    });
    response.on('end', () => done(first));
    response.on('error', () => done(first));
  });
  call.on('error', reject);
  call.end(JSON.stringify(body));
  return promise;
}

/** The first bytes of streams that begin one after the other until all are open at once. */
async function firstBytes(calls: readonly Call[]): Promise<number[]> {
  const times = await Promise.all(
    calls.map(async (call, index) => {
      await sleep((index * SPREAD) / calls.length);
      return stream(call);
    }),
  );
  return times.sort((a, b) => a - b);
}

function quantile(sorted: readonly number[], q: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * q))] ?? Number.NaN;
}

/** How much later than the model server's own the first byte comes, with `STREAMS` open at once. */
async function measureFirstByte(console: Console, modelUrl: string): Promise<Finding[]> {
  const conversations = await addPeople(console, STREAMS);
  const message = FLUENTLY;
  const ours = conversations.map(({ token, sessionId }) => ({
    url: console.url + chatPath(sessionId),
    token,
    body: { message },
  }));
  const messages = [{ role: 'user', content: message }];
  const own = conversations.map(({ token }) => ({
    url: `${modelUrl}/v1/chat/completions`,
    token,
    body: { model: 'm', stream: true, messages },
  }));
  await firstBytes(own);
  await firstBytes(ours);
  const times = { own: [] as number[], ours: [] as number[] };
  for (let round = 0; round < ROUNDS; round += 1) {
    times.own.push(...(await firstBytes(own)));
    times.ours.push(...(await firstBytes(ours)));
  }
  for (const list of Object.values(times)) list.sort((a, b) => a - b);
  const added = (q: number) => quantile(times.ours, q) - quantile(times.own, q);
  const detail = `${added(0.5).toFixed(1)} ms at p50, ${added(0.99).toFixed(1)} ms at p99`;
  return [
    {
      name: `assistant, first byte after the model's own, ${STREAMS} streams`,
      detail: `${detail}; target ≤ ${TARGET_P50} and ≤ ${TARGET_P99} ms`,
      met: added(0.5) <= TARGET_P50 && added(0.99) <= TARGET_P99,
    },
  ];
}

async function memoryOf({ url }: Console): Promise<number> {
  const metrics = await (await fetch(`${url}/metrics`)).text();
  return Number(/^nephos_process_resident_memory_bytes (\S+)$/m.exec(metrics)?.[1]);
}

/** What each of `OPEN_STREAMS` streams that are read takes. */
async function measureMemory(console: Console): Promise<Finding> {
  const conversations = await addPeople(console, OPEN_STREAMS);
  const before = await memoryOf(console);
  const open: ClientRequest[] = [];
  const body = { message: SLOWLY };
  const streams = conversations.map(async ({ token, sessionId }, index) => {
    await sleep(index * 10);
    return stream({ url: console.url + chatPath(sessionId), token, body }, (call) => open.push(call));
  });
  while (open.length < OPEN_STREAMS) await sleep(100);
  const each = ((await memoryOf(console)) - before) / OPEN_STREAMS;
  for (const call of open) call.destroy();
  await Promise.allSettled(streams);
  return {
    name: `assistant, memory of an open stream, ${OPEN_STREAMS} streams`,
    detail: `${(each / 1000).toFixed(0)} kB; target ≤ ${TARGET_BYTES / 1000} kB`,
    met: each <= TARGET_BYTES,
  };
}

/** Chats over REST against a model server on loopback, with a console of their own that has its key. */
export async function measureAssistant(): Promise<Finding[]> {
  const port = await freePort();
  const model = await startProgram(MODEL_SERVER, { PORT: String(port) });
  const console = await startConsole({ OPENAI_API_KEY: 'bench', OPENAI_BASE_URL: `${model.url}/v1` });
  try {
    return [...(await measureFirstByte(console, model.url)), await measureMemory(console)];
  } finally {
    await console.stop();
    await model.stop();
  }
}
