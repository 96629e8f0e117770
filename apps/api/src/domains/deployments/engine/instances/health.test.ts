import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it } from 'vitest';
import { askHealth } from './health.ts';

it.each([
  ['//127.0.0.2/secret', '//127.0.0.2/secret'],
  ['https://127.0.0.2/', '/https://127.0.0.2/'],
  ['@127.0.0.2/', '/@127.0.0.2/'],
  [':80/', '/:80/'],
  ['\\\\127.0.0.2/', '//127.0.0.2/'],
  ['/a?b#c', '/a%3Fb%23c'],
  ['', '/'],
])('asks the app itself, whatever is stored as its path: %s', async (path, asked) => {
  const server = createServer((request, response) => response.end(request.url)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const paths: (string | undefined)[] = [];
  server.on('request', ({ url }) => paths.push(url));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const { signal } = new AbortController();
  const answer = await askHealth(origin, { path, host: 'app.localhost', timeout: 5000, signal });
  server.close();
  expect({ answer, paths }).toEqual({
    answer: { healthy: true, isHttp: true, said: 'returned 200' },
    paths: [asked],
  });
});
