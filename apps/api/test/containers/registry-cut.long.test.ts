import { randomBytes } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { createConnection } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createKillableServer } from '../killable-server.ts';
import { createWorld, type World } from '../world.ts';
import { type Call, digestOf, makeToken, registryClient, withQuery } from './registry-client.ts';

const SIZE = 1_000_000;

interface CutRequest {
  port: number;
  token: string;
  method: string;
  path: string;
  /** What the client says that it will send. */
  length: number | 'chunked';
  /** What it does send before it goes away. */
  content: Buffer;
}

/** Sends a request with less of a body than it says, and closes the connection, once the server has read all of it. */
function sendCut({ port, token, method, path, length, content }: CutRequest): Promise<void> {
  const framing = length === 'chunked' ? 'transfer-encoding: chunked' : `content-length: ${length}`;
  const lines = [`${method} ${path} HTTP/1.1`, 'host: localhost', `authorization: Bearer ${token}`, framing];
  return new Promise((resolve, reject) => {
    const socket = createConnection(port, '127.0.0.1', () => {
      socket.write(`${lines.join('\r\n')}\r\n\r\n`);
      if (length === 'chunked') socket.write(`${content.length.toString(16)}\r\n`);
      socket.write(content, () => socket.destroy());
    });
    socket.on('close', () => resolve());
    socket.on('error', reject);
  });
}

/** How much of an upload has arrived, once that no longer changes: no other request is writing to it. */
async function arrived(call: Call, location: string): Promise<number> {
  let last = '';
  for (;;) {
    const range = (await call('GET', location)).headers.get('range') ?? '';
    if (range === last) return Number(range.slice(2)) + (range === '0-0' ? 0 : 1);
    last = range;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

async function resume(call: Call, location: string, content: Buffer): Promise<void> {
  const size = await arrived(call, location);
  const rest = content.subarray(size);
  const headers = { 'content-range': `${size}-${content.length - 1}` };
  const digest = digestOf(content);
  const done = await call('PUT', withQuery(location, { digest }), { body: rest, headers });
  expect(done.status).toBe(201);
  const back = await call('GET', done.headers.get('location') ?? '');
  expect(back.body.equals(content)).toBe(true);
}

describe('an upload whose connection is cut', () => {
  let world: World;
  let token: string;
  let call: Call;
  const portOf = () => Number(new URL(world.url).port);
  const files = async () =>
    (await readdir(join(world.deps.settings.dataDir, 'objects'), { recursive: true, withFileTypes: true }))
      .filter((entry) => entry.isFile())
      .map(({ name }) => name);

  beforeAll(async () => {
    world = await createWorld();
    const ada = await world.as('Ada');
    token = (await makeToken(ada)).token;
    call = registryClient({ url: world.url, username: 'ada', password: token });
  });
  afterAll(() => world.close());

  const cuts = [0, 1, 0.01, 0.5, 0.99].flatMap((share) => [
    [share, SIZE] as const,
    [share, 'chunked'] as const,
  ]);

  test.each(cuts)('after %d of its bytes (%s) goes on where it was', async (share, length) => {
    const content = randomBytes(SIZE);
    const begun = await call('POST', '/v2/ada/cut/blobs/uploads/');
    const path = begun.headers.get('location') ?? '';
    const sent = content.subarray(0, share === 1 ? 1 : SIZE * share);
    await sendCut({ port: portOf(), token, method: 'PATCH', path, length, content: sent });
    await resume(call, path, content);
  });

  test('in one request leaves nothing, however much of it came', async () => {
    // Once for all: what the server has yet to remove of one cut must not count as there before the next.
    const before = await files();
    for (const share of [0, 0.5, 0.99]) {
      const content = randomBytes(SIZE);
      const digest = digestOf(content);
      const path = withQuery('/v2/ada/cut/blobs/uploads/', { digest });
      const left = new Promise((resolve) => {
        world.app.server.once('request', (_request, response) => response.once('close', resolve));
      });
      const cut = { port: portOf(), token, method: 'POST', path, length: SIZE };
      await sendCut({ ...cut, content: content.subarray(0, SIZE * share) });
      await left;
      await expect.poll(files).toEqual(before);
      expect((await call('HEAD', `/v2/ada/cut/blobs/${digest}`)).status).toBe(404);
    }
  });

  test('twenty cuts at random places end in the right bytes', async () => {
    const content = randomBytes(SIZE);
    const begun = await call('POST', '/v2/ada/cut/blobs/uploads/');
    const path = begun.headers.get('location') ?? '';
    for (let cut = 0; cut < 20; cut += 1) {
      const size = await arrived(call, path);
      const until = size + Math.floor(Math.random() * (SIZE / 20));
      const rest = { length: SIZE - size, content: content.subarray(size, until) };
      await sendCut({ port: portOf(), token, method: 'PATCH', path, ...rest });
    }
    await resume(call, path, content);
  });
});

test('a server that is killed in the middle of an upload lets it go on after its restart', async () => {
  const server = await createKillableServer();
  try {
    await server.start();
    const { url, port } = server;
    const rpc = await server.signUp();
    const { token } = await rpc.auth.createToken.mutate({ name: 'Test', scope: 'write' });
    const call = registryClient({ url, username: 'ada', password: token });
    const content = randomBytes(SIZE);
    const begun = await call('POST', '/v2/ada/killed/blobs/uploads/');
    const path = begun.headers.get('location') ?? '';
    const half = { body: content.subarray(0, SIZE / 2), headers: { 'content-range': `0-${SIZE / 2 - 1}` } };
    expect((await call('PATCH', path, half)).status).toBe(202);
    const cut = { port, token, method: 'PATCH', path, length: SIZE / 2 };
    await sendCut({ ...cut, content: content.subarray(SIZE / 2, SIZE / 2 + 100_000) });
    await server.kill();
    await server.start();
    expect(await arrived(call, path)).toBeGreaterThanOrEqual(SIZE / 2);
    await resume(call, path, content);
  } finally {
    await server.close();
  }
});
