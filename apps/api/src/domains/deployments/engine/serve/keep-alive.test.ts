import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { keepConnection } from './keep-alive.ts';

it.each([
  ['keeps a connection that the server would have closed', 60_000, false],
  ['closes one that lies idle for as long as it may', 20, true],
])('%s', async (_, idle, isClosed) => {
  const server = createServer({ keepAliveTimeout: 1 }, (_request, response) => {
    keepConnection(response, idle);
    response.end('x');
  });
  server.keepAliveTimeoutBuffer = 0;
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  const ask = async () => {
    socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
    await once(socket, 'data');
  };
  await ask();
  // Long enough for either bound to have passed, if it holds.
  await wait(200);
  expect(socket.readableEnded || socket.destroyed).toBe(isClosed);
  if (!isClosed) await ask();
  socket.destroy();
  server.close();
});
