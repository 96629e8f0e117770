import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createWorld, type Person, type World } from '../world.ts';

let world: World;
let ada: Person;

beforeAll(async () => {
  world = await createWorld();
  ada = await world.as('Ada');
});

afterAll(() => world.close());

/** What the server answers to these very bytes, until it hangs up. */
function send(text: string): Promise<{ status: number; body: string }> {
  const { promise, resolve, reject } = Promise.withResolvers<{ status: number; body: string }>();
  const socket = connect(Number(new URL(world.url).port), '127.0.0.1');
  let answer = '';
  socket.setEncoding('utf8');
  socket.on('data', (piece) => {
    answer += piece;
  });
  socket.on('error', reject);
  socket.on('close', () => {
    const [head = '', body = ''] = answer.split('\r\n\r\n');
    resolve({ status: Number(head.split(' ')[1]), body });
  });
  socket.write(text);
  return promise;
}

function request(line: string, ...headers: string[]): string {
  return [line, ...headers, 'Connection: close', '', ''].join('\r\n');
}

const CONSOLE = 'Host: localhost';
const APP = 'Host: app.localhost';

test.each([
  ['no request', 'hello\r\n\r\n', 400, 'VALIDATION'],
  [
    'two lengths',
    'POST /api/login HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    400,
    'VALIDATION',
  ],
  ['large headers', request('GET / HTTP/1.1', CONSOLE, `X: ${'a'.repeat(40_000)}`), 431, 'HEADERS_TOO_LARGE'],
  ['a broken escape', request('GET /api/projects/%zz HTTP/1.1', CONSOLE), 400, 'VALIDATION'],
])('%s gets the one shape of errors', async (_, text, status, code) => {
  const answer = await send(text);
  expect(answer.status).toBe(status);
  expect(answer.body).toMatch(/^\{"message":"[^"]+","code":"[A-Z_]+","requestId":"[0-9a-f-]{36}"\}$/);
  expect(JSON.parse(answer.body)).toMatchObject({ code });
});

test('a broken escape is told to a client of S3 in its own words', async () => {
  const { status, body } = await send(
    request('GET /a-bucket/%zz HTTP/1.1', CONSOLE, 'Authorization: AWS4-HMAC-SHA256'),
  );
  expect(status).toBe(400);
  expect(body).toContain('<Code>InvalidURI</Code>');
});

test('a backslash leads to no other procedure than the one that was looked at', async () => {
  const answer = await send(request('GET /trpc/..\\trpc\\billing.status HTTP/1.1', CONSOLE));
  expect(answer.status).toBe(404);
  expect((await send(request('GET /trpc/billing.status HTTP/1.1', CONSOLE))).status).toBe(200);
});

test.each([
  ['two hosts, first the console', 'GET / HTTP/1.1', [CONSOLE, APP]],
  ['two hosts, first an app', 'GET / HTTP/1.1', [APP, CONSOLE]],
  ['a host with a space', 'GET / HTTP/1.1', ['Host: local host']],
  ['a host with a path', 'GET / HTTP/1.1', ['Host: localhost/x']],
  ['a host with a user', 'GET / HTTP/1.1', ['Host: me@localhost']],
  ['a list of hosts', 'GET / HTTP/1.1', ['Host: localhost, app.localhost']],
  ['no host', 'GET / HTTP/1.1', []],
  ['an address with a user', 'GET http://me@localhost/ HTTP/1.1', [CONSOLE]],
  ['an address without a host', 'GET http:///api/runtimes HTTP/1.1', [CONSOLE]],
  ['an address in full, and two hosts', 'GET http://localhost/ HTTP/1.1', [CONSOLE, APP]],
  ['an address in full, and a broken host', 'GET http://localhost/ HTTP/1.1', ['Host: local host']],
  ['an address of another protocol', 'GET ftp://localhost/ HTTP/1.1', [CONSOLE]],
])('%s is refused, to upgrade as well', async (_, line, hosts) => {
  expect(await send(request(line, ...hosts))).toMatchObject({ status: 400 });
  const upgrade = [line, ...hosts, 'Connection: Upgrade', 'Upgrade: websocket', '', ''].join('\r\n');
  expect(await send(upgrade)).toMatchObject({ status: 400 });
});

/** Nothing runs here, so this server knows of no app yet. */
const FROM_APPS = { status: 503, body: expect.stringContaining('This app is starting.') };
const NOT_SIGNED_IN = { status: 401, body: expect.stringContaining('"UNAUTHORIZED"') };

describe('an address in full is for its own host, whatever `Host` says', () => {
  test.each([
    ['http://localhost/api/projects', CONSOLE, NOT_SIGNED_IN],
    ['http://localhost/api/projects', APP, NOT_SIGNED_IN],
    ['HTTPS://LOCALHOST:3000/api/projects?limit=1', APP, NOT_SIGNED_IN],
    ['http://localhost/api/projects', 'Host:', NOT_SIGNED_IN],
    ['http://app.localhost/api/projects', CONSOLE, FROM_APPS],
    ['http://app.localhost', CONSOLE, FROM_APPS],
    ['http://app.localhost?x', APP, FROM_APPS],
  ])('%s with %s', async (address, host, answer) => {
    expect(await send(request(`GET ${address} HTTP/1.1`, host))).toMatchObject(answer);
  });

  test('also to a client of HTTP/1.0 that sends no `Host`', async () => {
    expect(await send(request('GET http://app.localhost/ HTTP/1.0'))).toMatchObject(FROM_APPS);
  });
});

test('the console answers a client that offers to upgrade, and does not upgrade', async () => {
  const text =
    'GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade, close\r\nUpgrade: h2c\r\n\r\n';
  expect(await send(text)).toEqual({ status: 200, body: '{"status":"ok"}' });
});

test.each(['POST /api/login', 'POST /api/signup', 'POST /trpc/databases.create'])(
  '%s takes no more than 64 KiB',
  async (route) => {
    const body = { name: 'x', email: 'x@example.com', password: 'x'.repeat(65_536) };
    expect(await ada.rest(route, { body })).toMatchObject({ status: 413, body: { code: 'BODY_TOO_LARGE' } });
  },
);
