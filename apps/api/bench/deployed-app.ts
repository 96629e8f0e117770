import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Duplex } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { Deployment, Project } from '@nephos/contracts';
import type { Console } from './console.ts';
import { startHaproxy } from './haproxy.ts';
import { compare, type Finding, type Load } from './measure.ts';
import { measureSwitch } from './switch.ts';

const run = promisify(execFile);

const TARGET_RATIO = 0.6;
const TARGET_ADDED_MS = 2;
const HAPROXY_RATIO = 0.8;
const CONNECTIONS = 64;
const IDLE_SOCKETS = 1000;
const IDLE_SOCKETS_MB = 50;
const DEPLOY_MS = 60_000;

/** Says its own address, so that it can be asked directly too; renders a list as a template engine would, escaped. */
const APP = `
const { createServer } = require('node:http');
const { networkInterfaces } = require('node:os');
const outside = Object.values(networkInterfaces()).flat().find(({ family, internal }) => family === 'IPv4' && !internal);
const rows = Array.from({ length: 200 }, (_, index) => ({ id: index, name: 'Item <' + index + '>' }));
const entities = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escape = (text) => String(text).replace(/[&<>"]/g, (character) => entities[character]);
createServer((request, reply) => {
  if (request.url === '/address') return reply.end((outside?.address ?? '127.0.0.1') + ':' + process.env.PORT);
  if (request.url === '/hello') return reply.end('Hello World!');
  const list = rows.map((row) => '<li id="' + escape(row.id) + '">' + escape(row.name) + '</li>').join('');
  reply.setHeader('content-type', 'text/html');
  reply.end('<!doctype html><title>Bench</title><ul>' + list + '</ul>');
}).on('upgrade', (request, socket) => {
  socket.write('HTTP/1.1 101 Switching Protocols\\r\\nConnection: Upgrade\\r\\nUpgrade: websocket\\r\\n\\r\\n');
}).listen(process.env.PORT);
`;

export async function createRepository(folder: string): Promise<void> {
  await writeFile(
    join(folder, 'package.json'),
    '{ "name": "bench", "scripts": { "start": "node server.js" } }',
  );
  await writeFile(join(folder, 'server.js'), APP);
  const identity = ['-c', 'user.name=Bench', '-c', 'user.email=bench@example.com'];
  await run('git', ['-C', folder, 'init', '--quiet', '--initial-branch=main']);
  await run('git', ['-C', folder, 'add', '.']);
  await run('git', ['-C', folder, ...identity, 'commit', '--quiet', '--message=Bench']);
}

export async function deploy(console: Console, folder: string): Promise<Project> {
  const project = (await console.call('POST', '/api/projects', {
    name: 'Bench',
    repositoryUrl: `file://${folder}`,
  })) as Project;
  for (const deadline = Date.now() + DEPLOY_MS; Date.now() < deadline; await wait(200)) {
    const [latest] = (await console.call('GET', `/api/projects/${project.id}/deployments`)) as Deployment[];
    if (latest?.status === 'running') return project;
    if (latest?.status === 'failed') throw new Error(latest.error ?? 'the deployment failed');
  }
  throw new Error('the deployment did not run in time');
}

/** A deployed app through our proxy, against the app asked directly. */
export async function measureDeployedApp(console: Console): Promise<Finding[]> {
  const folder = await mkdtemp(join(tmpdir(), 'nephos-bench-app-'));
  await chmod(folder, 0o755);
  try {
    await createRepository(folder);
    const project = await deploy(console, folder);
    const { slug } = project;
    const host = `${slug}.localhost:${console.port}`;
    // A name below localhost is this machine to every client, by RFC 6761; not every resolver knows.
    const address = await askAddress(console, host);
    const direct = `http://${address}/`;
    // First: memory that other measurements left free would hide what these take.
    const idle = await measureIdleSockets(console, host);
    const busy = await compare({ url: `${console.url}/`, headers: { host } }, { url: direct });
    const calm = await compare(
      { url: `${console.url}/`, headers: { host }, connections: 1 },
      { url: direct, connections: 1 },
    );
    const proxies = await compareWithHaproxy({ url: `${console.url}/hello`, headers: { host } }, address);
    const ratio = busy.ours.requestsPerSecond / busy.baseline.requestsPerSecond;
    const added = Math.max(busy.ours.p50 - busy.baseline.p50, calm.ours.p50 - calm.baseline.p50);
    return [
      {
        name: 'deployed app through the proxy, requests/s',
        detail: `${busy.ours.requestsPerSecond.toFixed(0)} of ${busy.baseline.requestsPerSecond.toFixed(0)} directly: ${ratio.toFixed(2)}; target ≥ ${TARGET_RATIO}`,
        met: ratio >= TARGET_RATIO,
      },
      {
        name: 'deployed app through the proxy, added at p50',
        detail: `${added} ms over 10 connections and over 1; target ≤ ${TARGET_ADDED_MS} ms`,
        met: added <= TARGET_ADDED_MS,
      },
      proxies,
      idle,
      await measureSwitch(console, project),
    ];
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Our proxy against HAProxy in front of the same app, which says hello. */
async function compareWithHaproxy(ours: Load, upstream: string): Promise<Finding> {
  const name = `hello world through the proxy at ${CONNECTIONS} connections, requests/s`;
  const haproxy = await startHaproxy([upstream]);
  if (!haproxy) return { name, detail: 'skipped: needs haproxy (apt-get install haproxy)', met: true };
  try {
    const baseline = { url: `${haproxy.url}hello`, connections: CONNECTIONS };
    const speed = await compare({ ...ours, connections: CONNECTIONS }, baseline);
    const ratio = speed.ours.requestsPerSecond / speed.baseline.requestsPerSecond;
    return {
      name,
      detail: `${speed.ours.requestsPerSecond.toFixed(0)} of HAProxy's ${speed.baseline.requestsPerSecond.toFixed(0)}: ${ratio.toFixed(2)}; target ≥ ${HAPROXY_RATIO}`,
      met: ratio >= HAPROXY_RATIO,
    };
  } finally {
    await haproxy.stop();
  }
}

/** What WebSockets that say nothing cost the console, in resident memory. */
async function measureIdleSockets({ port, pid }: Console, host: string): Promise<Finding> {
  const before = await residentBytes(pid);
  const sockets: Duplex[] = [];
  for (let count = 0; count < IDLE_SOCKETS; count += 1) {
    const headers = { host, connection: 'Upgrade', upgrade: 'websocket' };
    const call = request({ port, host: '127.0.0.1', path: '/', headers }).end();
    const [, socket] = (await once(call, 'upgrade')) as [unknown, Duplex];
    sockets.push(socket);
  }
  const megabytes = ((await residentBytes(pid)) - before) / 1024 ** 2;
  for (const socket of sockets) socket.destroy();
  return {
    name: `${IDLE_SOCKETS} idle WebSockets through the proxy`,
    detail: `${megabytes.toFixed(0)} MB; target ≤ ${IDLE_SOCKETS_MB} MB`,
    met: megabytes <= IDLE_SOCKETS_MB,
  };
}

async function residentBytes(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]) * 1024;
}

/** Where the app itself listens that answers at `host`, `10.0.0.2:3000` say: it may have a network of its own. */
export async function askAddress({ port }: Console, host: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const call = request(
      { port, host: '127.0.0.1', path: '/address', headers: { host } },
      async (response) => {
        const parts = await response.toArray();
        resolve(Buffer.concat(parts).toString());
      },
    );
    call.on('error', reject).end();
  });
}
