import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { requireTool } from '../../../../tools/require-tool.ts';
import { openRedis } from '../../src/domains/databases/engines/redis/redis-client.ts';
import { addressOf, ask, makeDatabase, PATIENCE } from '../databases/database-fixtures.ts';
import { openMysql } from '../databases/mysql-session.ts';
import { createKillableServer, type KillableServer } from '../killable-server.ts';
import { callerOf, cookieOf, PASSWORD } from '../world.ts';
import { nephos, openFolder } from './whole-cloud.ts';

const hasMysql = requireTool('mariadbd') && requireTool('mariadb');

async function inMysql(address: string, statement: string): Promise<unknown> {
  const session = await openMysql(address);
  const [rows] = await session.query(statement);
  await session.end();
  return rows;
}

const hasRedis = requireTool('redis-server');

async function inRedis(address: string, ...command: string[]): Promise<unknown> {
  const { hostname: host, port, username, password } = new URL(address);
  const client = openRedis({ host, port: Number(port) });
  try {
    await client.ask('AUTH', username, password);
    return await client.ask(...command);
  } finally {
    client.close();
  }
}

let home: string;
let server: KillableServer;
let restored: KillableServer;
let settings: Record<string, string>;

beforeAll(async () => {
  home = openFolder();
  settings = { BACKUP_URL: join(home, 'backups') };
  server = await createKillableServer(settings);
  restored = await createKillableServer({ DATA_DIR: join(home, 'restored') });
  await server.start();
});
afterAll(async () => {
  await Promise.all([server?.close(), restored?.close()]);
  rmSync(home, { recursive: true, force: true });
});

async function logIn(url: string): Promise<Headers> {
  const response = await fetch(`${url}/api/login`, {
    method: 'POST',
    redirect: 'manual',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: 'ada@example.com', password: PASSWORD }),
  });
  expect(response.status, await response.text()).toBe(200);
  return response.headers;
}

it('brings a whole cloud back from a backup that was made while it served', {
  timeout: 300_000,
}, async () => {
  const ada = { rpc: await server.signUp() };
  const { id } = await makeDatabase(ada, { name: 'shop' });
  await ask(await addressOf(ada, { id }), 'create table orders (n int)');
  await ask(await addressOf(ada, { id }), 'insert into orders select generate_series(1, 1000)');
  const bytes = Buffer.from('the text of a file\n'.repeat(100_000));
  const notes = hasMysql && (await makeDatabase(ada, { name: 'notes', type: 'mysql' }));
  if (notes) {
    await inMysql(await addressOf(ada, notes), 'create table words (word text)');
    await inMysql(await addressOf(ada, notes), "insert into words values ('one'), ('two\\n')");
    await inMysql(await addressOf(ada, notes), 'create view both_words as select count(*) as n from words');
  }
  const cache = hasRedis && (await makeDatabase(ada, { name: 'cache', type: 'redis' }));
  if (cache) expect(await inRedis(await addressOf(ada, cache), 'SET', 'color', 'blue')).toBe('OK');
  const file = await ada.rpc.storage.create.mutate({
    fileName: 'notes.txt',
    fileSize: bytes.length,
    fileData: `data:text/plain;base64,${bytes.toString('base64')}`,
  });
  const here = { ...settings, DATA_DIR: server.dataDir };

  expect(await nephos(['backup'], here)).toMatchObject({ code: 1, stderr: expect.stringContaining('init') });
  const init = await nephos(['backup', 'init'], here);
  const [, recoveryKey = ''] = /^ {2}((?:[0-9a-z]{6}-){5}[0-9a-z]{6})$/m.exec(init.stdout) ?? [];
  expect(await nephos(['backup'], here)).toMatchObject({ code: 0, stderr: '' });
  const proof = await nephos(['backup', 'prove'], here);
  expect(proof, proof.stderr).toMatchObject({ code: 0, stderr: '' });
  expect(proof.stdout).toMatch(/- opened: [1-3] databases? with [\d,]+ rows or keys, without damage/);
  await server.killAll();

  const from = ['restore', '--from', settings.BACKUP_URL ?? '', '--data-dir', join(home, 'restored')];
  expect(await nephos([...from, '--verify'], { BACKUP_RECOVERY_KEY: recoveryKey })).toMatchObject({
    code: 0,
  });
  expect(existsSync(join(home, 'restored'))).toBe(false);
  expect(await nephos(from, { BACKUP_RECOVERY_KEY: recoveryKey })).toMatchObject({ code: 0, stderr: '' });
  await restored.start();
  const again = callerOf(restored.url, cookieOf(await logIn(restored.url)));
  expect(await ask(await addressOf(again, { id }), 'select count(*)::int from orders')).toEqual([[1000]]);
  const download = await fetch(new URL(`/api/storage/${file.id}/download`, restored.url), {
    headers: { cookie: again.cookie },
  });
  expect(Buffer.from(await download.arrayBuffer()).equals(bytes)).toBe(true);
  if (notes) {
    const counted = async () =>
      inMysql(await addressOf(again, notes), 'select n, word from both_words, words');
    await expect
      .poll(() => counted().catch(() => undefined), PATIENCE)
      .toEqual([
        { n: 2, word: 'one' },
        { n: 2, word: 'two\n' },
      ]);
    await expect
      .poll(() => existsSync(join(home, 'restored', 'managed-mysql', 'dumps')), PATIENCE)
      .toBe(false);
  }
  if (cache) expect(await inRedis(await addressOf(again, cache), 'GET', 'color')).toBe('blue');
  // It is one that lives on.
  await restored.stop();
  const there = { ...settings, DATA_DIR: join(home, 'restored') };
  expect(await nephos(['backup'], there)).toMatchObject({ code: 0, stderr: '' });
});
