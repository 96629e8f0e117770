import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createConsoleServer } from '../../src/http/console-server.ts';

async function echo(request: IncomingMessage, response: ServerResponse): Promise<void> {
  response.end(`app got ${await text(request)}`);
}

/** What an app is told that it was asked. */
function told({ url, rawHeaders }: IncomingMessage): string {
  return `${url} of ${rawHeaders[rawHeaders.indexOf('Host') + 1]}`;
}

const server = createConsoleServer(
  {
    ownsHost: (host) => host === 'app.localhost',
    serve: (request, response) =>
      request.method === 'POST' ? echo(request, response) : response.end(told(request)),
    upgrade: (request, socket) => socket.end(`HTTP/1.1 101 Switching Protocols\r\n\r\n${told(request)}`),
  },
  (_request, response) => response.end('console'),
);

beforeAll(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
});

afterAll(() => {
  server.close();
});

/** Offers to upgrade with a body, and gives back all that is answered. */
function offer(host: string, protocol: string): Promise<string> {
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  const head = [
    'POST / HTTP/1.1',
    `Host: ${host}`,
    'Connection: close, Upgrade, HTTP2-Settings',
    `Upgrade: ${protocol}`,
    'HTTP2-Settings: AAMAAABk',
    'Content-Length: 5',
  ];
  socket.write(`${head.join('\r\n')}\r\n\r\nhello`);
  return text(socket);
}

test('a client that offers HTTP/2 to an app is answered in HTTP/1.1, with its body read', async () => {
  expect(await offer('app.localhost', 'h2c')).toContain('app got hello');
});

test.each([
  ['http://app.localhost/a?b=c', '/a?b=c'],
  ['http://app.localhost', '/'],
  ['http://app.localhost?b', '/?b'],
])('an app that is asked for by %s is told so as by any other request', async (address, path) => {
  const ask = (headers: string) => {
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
    socket.write(`GET ${address} HTTP/1.1\r\nHost: localhost\r\n${headers}\r\n\r\n`);
    return text(socket);
  };
  expect(await ask('Connection: close')).toContain(`${path} of app.localhost`);
  const upgraded = await ask('Connection: Upgrade\r\nUpgrade: websocket');
  expect(upgraded).toMatch(/^HTTP\/1\.1 101 /);
  expect(upgraded).toContain(`${path} of app.localhost`);
});

test('WebSockets are for apps alone', async () => {
  expect(await offer('app.localhost', 'WebSocket')).toMatch(/^HTTP\/1\.1 101 /);
  expect(await offer('localhost', 'websocket')).toContain('console');
});
