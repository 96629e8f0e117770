import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib';
import Fastify from 'fastify';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { serveWebApp } from './web-app.ts';

const app = Fastify();
let folder: string;

/** Writes a file as the build does: plain, and packed in two ways beside it. */
async function write(name: string, text: string) {
  await writeFile(join(folder, name), text);
  await writeFile(join(folder, `${name}.br`), brotliCompressSync(text));
  await writeFile(join(folder, `${name}.gz`), gzipSync(text));
}

async function build(version: string) {
  await rm(join(folder, 'assets'), { recursive: true, force: true });
  await mkdir(join(folder, 'assets'));
  await write('index.html', `<script type="module" src="/assets/main-${version}.js"></script>`);
  await write(join('assets', `main-${version}.js`), `console.log('${version}')`);
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

test('hashed assets are kept for good', async () => {
  const plain = await ask('/assets/main-old.js');
  expect(plain.body).toBe(`console.log('old')`);
  expect(plain.headers).toMatchObject({
    'cache-control': 'public, max-age=31536000, immutable',
    'content-type': 'application/javascript; charset=utf-8',
  });
});

const unpack: Readonly<Record<string, (packed: Buffer) => Buffer>> = {
  br: brotliDecompressSync,
  gzip: gunzipSync,
};

describe.each([
  ['/', '*/*'],
  ['/', undefined],
  ['/index.html', '*/*'],
  ['/dns', 'text/html'],
  ['/theme.js', '*/*'],
  ['/assets/main-old.js', '*/*'],
])('%s for a client that accepts %s', (url, accept) => {
  test.each([
    ['gzip', 'gzip'],
    ['br', 'br'],
    ['gzip, deflate, br', 'br'],
    ['gzip, deflate', 'gzip'],
    ['deflate', undefined],
    ['zstd', undefined],
    ['identity', undefined],
  ])('is the same in the encoding %s, and to HEAD', async (encodings, best) => {
    const headers = accept === undefined ? {} : { accept };
    const plain = await app.inject({ url, headers });
    expect(plain.statusCode).toBe(200);
    const packed = await app.inject({ url, headers: { ...headers, 'accept-encoding': encodings } });
    const encoding = url === '/theme.js' ? undefined : best;
    expect(packed.headers).toMatchObject({
      'content-type': plain.headers['content-type'],
      'cache-control': plain.headers['cache-control'],
      vary: 'accept-encoding',
    });
    expect([packed.statusCode, packed.headers['content-encoding']]).toEqual([200, encoding]);
    const body = unpack[encoding ?? '']?.(packed.rawPayload) ?? packed.rawPayload;
    expect(body.toString()).toBe(plain.body);

    const head = await app.inject({
      method: 'HEAD',
      url,
      headers: { ...headers, 'accept-encoding': encodings },
    });
    const { date: _, ...said } = packed.headers;
    expect([head.statusCode, head.body]).toEqual([200, '']);
    expect(head.headers).toMatchObject(said);
  });
});

test('a path of no page is 404 to a program, whatever it asks with', async () => {
  for (const url of ['/api/none', '/trpc/none', '/v2/none', '/none']) {
    for (const method of ['GET', 'HEAD'] as const) {
      const answer = await app.inject({ method, url, headers: { accept: '*/*', 'accept-encoding': 'br' } });
      expect([answer.statusCode, answer.headers['content-type']]).toEqual([
        404,
        'application/json; charset=utf-8',
      ]);
    }
  }
});

test.each(['/assets/none.js', '/assets/', '/assets', '/assets/..%2f..%2fpackage.json', '/assets/.env'])(
  'what is no asset is never the page: %s',
  async (path) => {
    const { statusCode, headers } = await ask(path);
    expect([statusCode, headers['cache-control']]).toEqual([404, 'no-store']);
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
