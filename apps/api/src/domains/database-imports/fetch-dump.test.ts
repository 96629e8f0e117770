import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { fetchDump } from './fetch-dump.ts';

const server = createServer(({ url }, answer) => {
  if (url === '/dump?key=1') answer.end('select 1;');
  else if (url === '/moved') answer.writeHead(302, { location: '/dump?key=1' }).end();
  else if (url === '/inside') answer.writeHead(302, { location: 'https://internal.example/' }).end();
  else if (url === '/round') answer.writeHead(302, { location: '/round' }).end();
  else if (url === '/nowhere') answer.writeHead(302, { location: 'http://' }).end();
  else answer.writeHead(404).end();
});
let origin: string;
let host: string;
beforeAll(async () => {
  await once(server.listen(0, '127.0.0.1'), 'listening');
  host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  origin = `http://${host}`;
});
afterAll(() => void server.close());

const signal = new AbortController().signal;
const options = { signal, allowPrivate: true };

test('fetches a dump, also where it has moved to, and tells its size', async () => {
  for (const path of ['/dump?key=1', '/moved']) {
    const { bytes, size } = await fetchDump(origin + path, options);
    expect(await text(bytes)).toBe('select 1;');
    expect(size).toBe(9);
  }
});

test('says why it cannot be had, by the host alone', async () => {
  await expect(fetchDump(`${origin}/round`, options)).rejects.toThrow(`${host} redirects too often.`);
  await expect(fetchDump(`${origin}/?key=2`, options)).rejects.toThrow(`${host} answered with HTTP 404.`);
  await expect(fetchDump(`${origin}/nowhere`, options)).rejects.toThrow(`${host} answered with HTTP 302.`);
  const unreachable = { ...options, resolve: () => Promise.reject(new Error('no such name')) };
  await expect(fetchDump(`${origin}/inside`, unreachable)).rejects.toThrow(
    'internal.example did not answer.',
  );
});

test('asks nobody but public servers by https', async () => {
  const resolve = () => Promise.resolve(['8.8.8.8', '10.0.0.1']);
  for (const address of ['https://dumps.example/a', 'http://8.8.8.8/', 'https://8.8.8.8:5432/']) {
    await expect(fetchDump(address, { signal, resolve })).rejects.toThrow('is not a public https address.');
  }
});
