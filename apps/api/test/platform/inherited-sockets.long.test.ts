import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { decode, encode } from 'dns-packet';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { currentNode } from '../../../../tools/process.mjs';
import { requireTool } from '../../../../tools/require-tool.ts';
import { freePort, killGroup, processesLeft, startServer } from '../../../../tools/server-process.mjs';
import { READY_MS } from '../killable-server.ts';
import { removeMounts } from '../remove-mounts.ts';
import { removeNetworks } from '../remove-networks.ts';

const MAIN = join(import.meta.dirname, '..', '..', 'src', 'main.ts');
const HOLDER = join(import.meta.dirname, 'fixtures', 'socket-holder.py');

let home: string;
let port: number;
let dnsPort: number;
let server: ReturnType<typeof startServer> | undefined;

beforeAll(async () => {
  home = mkdtempSync(join(tmpdir(), 'nephos-sockets-'));
  chmodSync(home, 0o711);
  port = await freePort();
  dnsPort = await freePort();
});

afterAll(async () => {
  if (server) killGroup(server);
  await processesLeft(home, 10_000);
  await removeNetworks(join(home, 'data'));
  removeMounts(home);
  rmSync(home, { recursive: true, force: true });
});

/** How often it was ready, and the process that was started last. */
function seen(): { ready: number; pid: number } {
  const said = server?.said.stdout ?? '';
  const pids = [...said.matchAll(/^process (\d+)$/gm)];
  return { ready: [...said.matchAll(/^Nephos is ready/gm)].length, pid: Number(pids.at(-1)?.[1]) };
}

test.skipIf(!requireTool('python3'))(
  'whoever comes while one process is replaced by another waits, and is answered',
  async () => {
    const sockets = [`udp:${dnsPort}:dns-udp`, `tcp:${port}:http`, `tcp:${dnsPort}:dns-tcp`];
    server = startServer({
      command: ['python3', HOLDER, ...sockets, '--', currentNode(), MAIN],
      cwd: home,
      settings: {
        PORT: String(port),
        DNS_PORT: String(dnsPort),
        DATA_DIR: join(home, 'data'),
        LOG_LEVEL: 'error',
        RATE_LIMITS: 'off',
      },
    });
    await server.ready(3 * READY_MS);
    expect(await askName()).toBe('REFUSED');

    const outcomes: string[] = [];
    let goesOn = true;
    const visits = visitUntil(() => !goesOn, outcomes);
    await expect.poll(() => outcomes.length).toBeGreaterThan(20);
    const first = seen().pid;
    process.kill(first, 'SIGTERM');
    await expect.poll(() => seen().pid).not.toBe(first);
    expect(await askName()).toBe('REFUSED');
    await expect.poll(() => seen().ready).toBe(2);
    const before = outcomes.length;
    await expect.poll(() => outcomes.length).toBeGreaterThan(before + 20);
    goesOn = false;
    await visits;
    expect(new Set(outcomes)).toEqual(new Set(['200']));
  },
  4 * READY_MS,
);

test(
  'sockets elsewhere than the settings say are refused, in words',
  async () => {
    const elsewhere = await freePort();
    const refused = (sockets: string[], settings: Record<string, string>) =>
      startServer({
        command: ['python3', HOLDER, ...sockets, '--', currentNode(), MAIN],
        cwd: home,
        settings: { PORT: '0', DATA_DIR: join(home, 'other'), LOG_LEVEL: 'warn', ...settings },
      });
    const open = refused([`tcp:${elsewhere}:http:0.0.0.0`], { PORT: String(elsewhere) });
    await expect.poll(() => open.said.stderr, { timeout: 3 * READY_MS }).toContain('set HOST=0.0.0.0');
    killGroup(open);
    const names = [`udp:${elsewhere}:dns-udp`, `tcp:${elsewhere}:dns-tcp`];
    const named = refused(names, { DNS_PORT: String(await freePort()) });
    await expect.poll(() => named.said.stderr, { timeout: 3 * READY_MS }).toContain('run install.sh again');
    killGroup(named);
  },
  7 * READY_MS,
);

/** A connection of its own each time, ten at once. */
async function visitUntil(ends: () => boolean, outcomes: string[]): Promise<void> {
  const agent = new Agent({ keepAlive: false });
  const one = async () => {
    while (!ends()) {
      outcomes.push(await visit(agent));
      await wait(10);
    }
  };
  await Promise.all(Array.from({ length: 10 }, one));
}

function visit(agent: Agent): Promise<string> {
  return new Promise((resolve) => {
    request({ host: '127.0.0.1', port, path: '/healthz', agent }, (answer) => {
      answer.resume().once('end', () => resolve(String(answer.statusCode)));
    })
      .once('error', (error) => resolve(error.message))
      .end();
  });
}

/** What the name server says of a name that is nobody's, however long it takes. */
async function askName(): Promise<string> {
  const socket = createSocket('udp4');
  const answer = once(socket, 'message');
  socket.send(
    encode({ type: 'query', id: 1, questions: [{ type: 'A', name: 'example.test' }] }),
    dnsPort,
    '127.0.0.1',
  );
  const [packet] = await answer;
  socket.close();
  return Reflect.get(decode(packet), 'rcode');
}
