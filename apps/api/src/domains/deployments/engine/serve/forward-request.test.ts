import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, createServer as createTcpServer, type Server as TcpServer } from 'node:net';
import { Pool } from 'undici';
import { afterEach, expect, test } from 'vitest';
import { readSettings } from '../../../../core/env.ts';
import { forwardRequest } from './forward-request.ts';
import { createForwarding } from './proxy-headers.ts';

const ends: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0)) await end();
});

async function listen(server: Server | TcpServer): Promise<string> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  ends.push(() => server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function poolOf(origin: string): Pool {
  const pool = new Pool(origin);
  ends.push(() => pool.destroy());
  return pool;
}

/** Cuts off each request, and takes no connection after so many. */
async function dying(requests: number): Promise<{ pool: Pool; got: () => number }> {
  let got = 0;
  const server = createTcpServer((socket) =>
    socket.once('data', () => {
      got += 1;
      if (got === requests) server.close();
      socket.destroy();
    }),
  );
  return { pool: poolOf(await listen(server)), got: () => got };
}

/** Asks a proxy whose first choices are these, in turn, and answers with what it was told of each. */
async function ask(method: string, pools: readonly Pool[]): Promise<{ status: number; told: boolean[] }> {
  const told: boolean[] = [];
  const [pool, ...others] = pools;
  const proxy = createServer((request, response) =>
    forwardRequest(request, response, {
      pool: pool as Pool,
      another(isUnsent) {
        told.push(isUnsent);
        return others.shift();
      },
      forwarding: createForwarding(readSettings({})),
    }),
  );
  const response = await fetch(await listen(proxy), { method, headers: { connection: 'close' } });
  await response.arrayBuffer();
  return { status: response.status, told };
}

const alive = async () => poolOf(await listen(createServer((_, response) => response.end('up'))));

test('a request that is cut off goes to another instance, and on from one that has gone by then', async () => {
  const { pool } = await dying(1);
  expect(await ask('GET', [pool, pool, await alive()])).toEqual({ status: 200, told: [false, true] });
});

test('a request that cuts off two instances gets to no third', async () => {
  const [one, two] = [await dying(9), await dying(9)];
  expect(await ask('GET', [one.pool, two.pool, await alive()])).toEqual({ status: 502, told: [false] });
  expect([one.got(), two.got()]).toEqual([1, 1]);
});

test('a request that may have changed something is not sent again', async () => {
  const { pool, got } = await dying(9);
  expect(await ask('POST', [pool, await alive()])).toEqual({ status: 502, told: [] });
  expect(got()).toBe(1);
});
