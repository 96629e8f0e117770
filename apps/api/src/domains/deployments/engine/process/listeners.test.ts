import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server } from 'node:net';
import { networkInterfaces } from 'node:os';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { answers, findListener, freePort } from './listeners.ts';

const STRANGER = 54_321;
const isRoot = process.getuid?.() === 0;
const hasIpv6 = Object.values(networkInterfaces()).some((all) =>
  all?.some(({ address }) => address === '::1'),
);

const servers: Server[] = [];
const strangers: ChildProcess[] = [];

afterEach(() => {
  vi.useRealTimers();
  for (const server of servers.splice(0)) server.close();
  for (const stranger of strangers.splice(0)) stranger.kill('SIGKILL');
});

async function listen(host: string, options: { port: number; ipv6Only?: boolean }): Promise<void> {
  const server = createServer().listen({ host, ...options });
  servers.push(server);
  await once(server, 'listening');
}

/** Another account's server on each of the addresses: the kernel lists sockets in an order of its own. */
async function listenAsStranger(hosts: string[], port: number): Promise<void> {
  // It takes on the account by itself, since that may not be let in to where this program lies.
  const code = `process.setgid(${STRANGER});
process.setuid(${STRANGER});
let left = ${hosts.length};
for (const host of ${JSON.stringify(hosts)})
  require('node:net').createServer().listen(${port}, host, () => --left || console.log('up'))`;
  const child = spawn(process.execPath, ['-e', code], { cwd: '/', stdio: ['ignore', 'pipe', 'inherit'] });
  strangers.push(child);
  await once(child.stdout, 'data');
}

describe.runIf(process.platform === 'linux')('the listener on a port', () => {
  const uid = process.getuid?.();

  it.each(['127.0.0.1', '0.0.0.0', ...(hasIpv6 ? ['::', '::ffff:127.0.0.1'] : [])])(
    'is found at 127.0.0.1 when it is bound to %s',
    async (address) => {
      const port = await freePort();
      await listen(address, { port });
      expect(await findListener(port)).toEqual({ host: '127.0.0.1', uid });
    },
  );

  it.runIf(hasIpv6)('is found at ::1', async () => {
    const port = await freePort();
    await listen('::', { port, ipv6Only: true });
    expect(await findListener(port)).toEqual({ host: '::1', uid });
  });

  it('is nobody on an address that we do not ask', async () => {
    const port = await freePort();
    await listen('127.0.0.2', { port });
    expect(await findListener(port)).toBeUndefined();
  });

  const elsewhere = Array.from({ length: 20 }, (_, n) => `127.0.0.${n + 2}`);

  it.runIf(isRoot)('is not who listens on another address', async () => {
    const port = await freePort();
    await listenAsStranger(elsewhere, port);
    await listen('127.0.0.1', { port });
    expect(await findListener(port)).toEqual({ host: '127.0.0.1', uid });
  });

  it.runIf(isRoot && hasIpv6)('is not who listens on an address of the other family', async () => {
    const port = await freePort();
    await listenAsStranger(elsewhere, port);
    await listen('::1', { port });
    expect(await findListener(port)).toEqual({ host: '::1', uid });
  });

  it('is asked nothing where it is of another account', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    servers.push(server);
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const ports: unknown[] = [];
    server.on('connection', ({ remotePort }) => ports.push(remotePort));
    expect(await findListener(port, () => false)).toEqual({ host: '127.0.0.1', uid });
    const ours = connect(port, '127.0.0.1');
    await once(server, 'connection');
    expect(ports).toEqual([ours.localPort]);
    ours.destroy();
  });

  it.runIf(isRoot && hasIpv6)('is who answers, of two that listen on all addresses', async () => {
    const port = await freePort();
    await listen('::', { port, ipv6Only: true });
    await listenAsStranger(['0.0.0.0'], port);
    expect(await findListener(port)).toEqual({ host: '127.0.0.1', uid: STRANGER });
  });
});

it('asks a listener for something, since simple servers end with a connection that sends nothing', async () => {
  const sent: Promise<string>[] = [];
  const server = createServer((socket) => {
    sent.push(once(socket, 'data').then(([data]) => String(data)));
    socket.once('data', () => socket.end());
  }).listen(0, '127.0.0.1');
  servers.push(server);
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  expect(await answers('127.0.0.1', port)).toBe(true);
  await expect.poll(() => sent.length).toBe(1);
  expect(await sent[0]).toMatch(/^GET \/ HTTP\/1\.1\r\nHost: 127\.0\.0\.1\r\n[\s\S]*\r\n\r\n$/);
});

it('hangs up on a listener whose answer has no end', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const left = Promise.withResolvers<void>();
  const server = createServer((socket) => {
    const stream = setInterval(() => socket.write('more'), 10);
    socket.on('error', () => {});
    socket.once('close', () => {
      clearInterval(stream);
      left.resolve();
    });
  }).listen(0, '127.0.0.1');
  servers.push(server);
  await once(server, 'listening');
  expect(await answers('127.0.0.1', (server.address() as AddressInfo).port)).toBe(true);
  vi.advanceTimersByTime(5000);
  await left.promise;
});
