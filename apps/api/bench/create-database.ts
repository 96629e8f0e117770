import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { DatabaseConnection, ManagedDatabase } from '@nephos/contracts';
import pg from 'pg';
import type { Console } from './console.ts';
import { type Finding, median } from './measure.ts';

const ROUNDS = 15;
const TARGET_RATIO = 2;
const POLL_MS = 5;

/** Connects as a client of the database does, and asks one question. */
async function connect(connectionString: string): Promise<void> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  await client.query('select 1');
  await client.end();
}

/** Asks for a database, waits until it is there, reads its address and connects. */
async function byConsole(console: Console): Promise<ManagedDatabase & DatabaseConnection> {
  const name = randomBytes(6).toString('hex');
  let database = (await console.call('POST', '/api/databases', { name })) as ManagedDatabase;
  const path = `/api/databases/${database.id}`;
  while (database.status === 'creating') {
    await wait(POLL_MS);
    database = (await console.call('GET', path)) as ManagedDatabase;
  }
  const connection = (await console.call('GET', `${path}/connection`)) as DatabaseConnection;
  await connect(connection.connectionString);
  return { ...database, ...connection };
}

/** What an administrator types into an open session. */
async function byHand(admin: pg.Client, address: URL): Promise<string> {
  const name = `hand_${randomBytes(6).toString('hex')}`;
  const url = new URL(address);
  [url.username, url.password, url.pathname] = [name, name, `/${name}`];
  await admin.query(`create role ${name} login password '${name}'`);
  await admin.query(`create database ${name} owner ${name}`);
  // The access rules of our own cluster ask for databases of the role's name, which this is.
  await connect(url.href);
  return name;
}

async function timed<T>(work: () => Promise<T>): Promise<{ ms: number; made: T }> {
  const began = performance.now();
  const made = await work();
  return { ms: performance.now() - began, made };
}

/** From the request for a database to its first answer, against `create role` and `create database` by hand. */
export async function measureCreateDatabase(console: Console): Promise<Finding[]> {
  const first = await byConsole(console);
  const address = new URL(first.connectionString);
  const password = await readFile(join(console.dataDir, 'managed-pg.password'), 'utf8');
  const admin = new pg.Client({
    host: address.hostname,
    port: Number(address.port),
    user: 'postgres',
    password: password.trim(),
    database: 'postgres',
  });
  await admin.connect();
  const ours: number[] = [];
  const baseline: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const hand = await timed(() => byHand(admin, address));
    baseline.push(hand.ms);
    const made = await timed(() => byConsole(console));
    ours.push(made.ms);
    await console.call('DELETE', `/api/databases/${made.made.id}`);
    await admin.query(`drop database ${hand.made}`);
  }
  await admin.end();
  const ratio = median(ours) / median(baseline);
  return [
    {
      name: 'a PostgreSQL database, from the request to its first answer',
      detail: `${median(ours).toFixed(0)} ms, by hand ${median(baseline).toFixed(0)} ms: ${ratio.toFixed(2)} times; target < ${TARGET_RATIO}`,
      met: ratio < TARGET_RATIO,
    },
  ];
}
