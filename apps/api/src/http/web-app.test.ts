import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Fastify from 'fastify';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { serveWebApp } from './web-app.ts';

const app = Fastify();
let folder: string;

async function build(version: string) {
  await rm(join(folder, 'assets'), { recursive: true, force: true });
  await mkdir(join(folder, 'assets'));
  await writeFile(
    join(folder, 'index.html'),
    `<script type="module" src="/assets/main-${version}.js"></script>`,
  );
  await writeFile(join(folder, 'assets', `main-${version}.js`), `console.log('${version}')`);
  await writeFile(join(folder, 'assets', `main-${version}.js.br`), 'packed');
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'nephos-web-app-'));
  await build('old');
  await writeFile(join(folder, 'theme.js'), '');
  await serveWebApp(app, folder);
});
afterAll(async () => {
  await app.close();
  await rm(folder, { recursive: true, force: true });
});

const ask = (url: string, headers = {}) => app.inject({ url, headers: { accept: 'text/html', ...headers } });

test.each(['/', '/index.html', '/deployments', '/theme.js'])(
  '%s is asked for anew each time',
  async (path) => {
    const { statusCode, headers } = await ask(path);
    expect([statusCode, headers['cache-control']]).toEqual([200, 'no-cache']);
  },
);

test('hashed assets are kept for good, packed where the browser unpacks', async () => {
  const plain = await ask('/assets/main-old.js');
  expect(plain.body).toBe(`console.log('old')`);
  expect(plain.headers).toMatchObject({
    'cache-control': 'public, max-age=31536000, immutable',
    'content-type': 'application/javascript; charset=utf-8',
  });
  const packed = await ask('/assets/main-old.js', { 'accept-encoding': 'br' });
  expect([packed.body, packed.headers['content-encoding']]).toEqual(['packed', 'br']);
});

test.each(['/assets/none.js', '/assets/', '/assets', '/assets/..%2f..%2fpackage.json', '/assets/.env'])(
  'what is no asset is never the page: %s',
  async (path) => {
    const { statusCode, headers } = await ask(path);
    expect([statusCode, headers['cache-control']]).toEqual([404, undefined]);
    expect(headers['content-type']).toBe('application/json; charset=utf-8');
  },
);

test('a build of after the start is served whole: the page of before has the parts of none', async () => {
  await build('new');
  const page = await ask('/dns');
  const entry = /src="([^"]+)"/.exec(page.body)?.[1] ?? '';
  expect(entry).toBe('/assets/main-new.js');
  expect((await ask(entry)).body).toBe(`console.log('new')`);
  expect((await ask('/assets/main-old.js')).statusCode).toBe(404);
});
