import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../src/embedded.ts';
import { cloneTemplate, startTestServer } from '../src/test-server.ts';
import { createTestDatabase } from '../src/testing.ts';

let home: string;
let byHand: EmbeddedPostgres;

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'nephos-by-hand-'));
  await chmod(home, 0o711);
  byHand = await startEmbeddedPostgres({ dataDir: join(home, 'data'), durable: false });
});

afterAll(async () => {
  await byHand.stop();
  await rm(home, { recursive: true, force: true });
});

async function query(url: string, sql: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query(sql).finally(() => client.end());
  return rows;
}

const countUsers = 'select count(*)::int as n from users';
const databases = "select datname from pg_database where datname like 'nephos\\_%'";

test('a server that somebody else started gives the same databases, and keeps none of them', async () => {
  const server = await startTestServer(byHand.url);
  const one = await cloneTemplate(server);
  const two = await cloneTemplate(server);
  await query(one.url, 'create table mine ()');
  expect(await query(two.url, countUsers)).toEqual([{ n: 0 }]);
  await expect(query(two.url, 'select * from mine')).rejects.toThrow('does not exist');
  expect(await query(byHand.url, databases)).toHaveLength(3);

  await one.drop();
  expect(await query(byHand.url, databases)).toHaveLength(2);
  await server.close();
  expect(await query(byHand.url, databases)).toEqual([]);
});

test('the database of a test lies on the server of the run', async () => {
  const { url, drop } = await createTestDatabase();
  expect(new URL(url).host).toBe(new URL(inject('testServer').adminUrl).host);
  expect(await query(url, countUsers)).toEqual([{ n: 0 }]);
  await drop();
  await expect(query(url, countUsers)).rejects.toThrow('does not exist');
});
