import { once } from 'node:events';
import { Agent, createServer, get, type IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { createEgress, type Egress } from '../../src/domains/deployments/engine/serve/egress.ts';

const closes: (() => void)[] = [];

afterEach(() => {
  for (const close of closes.splice(0)) close();
});

/** A server whose path names the project that answers. */
async function serve(egress: Egress, answer: (request: IncomingMessage, response: ServerResponse) => void) {
  const server = createServer((request, response) => {
    egress.count(request.url ?? '', request.socket, response);
    answer(request, response);
  });
  server.on('upgrade', (request, socket) => {
    egress.count(request.url ?? '', socket, socket);
    socket.on('error', () => {});
    socket.write('x'.repeat(1000));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  closes.push(() => server.close().closeAllConnections());
  return (server.address() as AddressInfo).port;
}

/** Asks by raw bytes, and resolves to how many came in all until the server closed. */
async function bytesOf(port: number, requests: string[]): Promise<number> {
  const socket = connect(port, '127.0.0.1');
  socket.end(requests.join(''));
  let bytes = 0;
  socket.on('data', (chunk) => {
    bytes += chunk.length;
  });
  await once(socket, 'close');
  return bytes;
}

const ask = (path: string, connection: 'close' | 'keep-alive') =>
  `GET ${path} HTTP/1.1\r\nhost: x\r\nconnection: ${connection}\r\n\r\n`;

/** As a map of what was taken in several goes. */
async function takenInAll(egress: Egress, total: number): Promise<Record<string, number>> {
  const sums: Record<string, number> = {};
  await expect
    .poll(() => {
      for (const [project, bytes] of egress.collect()) sums[project] = (sums[project] ?? 0) + bytes;
      return Object.values(sums).reduce((sum, bytes) => sum + bytes, 0);
    })
    .toBe(total);
  return sums;
}

test('is every byte that left, heads and all, each counted once', async () => {
  const egress = createEgress();
  const port = await serve(egress, (_request, response) => response.end(Buffer.alloc(300_000, 97)));
  let bytes = 0;
  for (let round = 0; round < 5; round += 1) bytes += await bytesOf(port, [ask('/a', 'close')]);
  expect(bytes).toBeGreaterThan(1_500_000);
  expect(await takenInAll(egress, bytes)).toEqual({ '/a': bytes });
});

test('of one connection is told apart by the app, also when more is asked before the answer', async () => {
  const egress = createEgress();
  const port = await serve(egress, (request, response) =>
    response.end(Buffer.alloc(request.url === '/a' ? 1000 : 9000)),
  );
  const bytes = await bytesOf(port, [ask('/a', 'keep-alive'), ask('/b', 'close')]);
  const sums = await takenInAll(egress, bytes);
  expect(Object.values(sums).reduce((sum, each) => sum + each, 0)).toBe(bytes);

  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  for (const path of ['/a', '/b', '/a']) {
    const [answer] = (await once(get({ port, path, agent }), 'response')) as [IncomingMessage];
    await answer.resume().toArray();
  }
  agent.destroy();
  const later: Record<string, number> = {};
  await expect
    .poll(() => {
      for (const [project, count] of egress.collect()) later[project] = (later[project] ?? 0) + count;
      return (later['/a'] ?? 0) > 2000 && (later['/b'] ?? 0) > 9000;
    })
    .toBe(true);
  expect(later['/a']).toBeLessThan(2 * 1400);
  expect(later['/b']).toBeLessThan(9400);
});

test('of an answer that goes on is seen while it does, and so is that of a WebSocket', async () => {
  const egress = createEgress();
  const port = await serve(egress, (_request, response) => {
    response.write('x'.repeat(5000));
  });
  const request = get({ port, path: '/stream' });
  const [answer] = (await once(request, 'response')) as [IncomingMessage];
  await once(answer, 'data');
  await expect.poll(() => egress.collect().get('/stream') ?? 0).toBeGreaterThan(5000);
  expect([...egress.collect()]).toEqual([]);
  request.destroy();

  const socket = connect(port, '127.0.0.1');
  socket.write('GET /ws HTTP/1.1\r\nhost: x\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n');
  await once(socket, 'data');
  expect(egress.collect().get('/ws')).toBe(1000);
  socket.destroy();
});
