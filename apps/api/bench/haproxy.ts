import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { isInstalled } from '../../../tools/require-tool.ts';
import { freePort } from '../../../tools/server-process.mjs';

/**
 * HAProxy (Debian's package `haproxy`) as one writes it down for one app: HTTP mode, connections kept alive. Of several
 * servers each is checked every second, and a request that got no connection goes to another.
 */
const configuration = (port: number, servers: readonly string[]) => `
global
  maxconn 4096
defaults
  mode http
  option http-keep-alive
  http-reuse always
  timeout connect 5s
  timeout client 60s
  timeout server 60s
frontend console
  bind 127.0.0.1:${port}
  option forwardfor
  default_backend app
backend app
${servers.length > 1 ? SEVERAL : ''}${servers.map((server, index) => `  server app${index} ${server}${servers.length > 1 ? ' check inter 1s fall 3' : ''}`).join('\n')}
`;

const SEVERAL = `  balance leastconn
  retries 3
  option redispatch 1
  option httpchk GET /
  timeout connect 1s
`;

/** Only bytes are copied, from a port to a Unix socket: what a proxy written in C makes of it on this machine. */
const copier = (port: number, socket: string) => `
global
  maxconn 1000
  nbthread 1
defaults
  mode tcp
  timeout connect 5s
  timeout client 600s
  timeout server 600s
frontend door
  bind 127.0.0.1:${port}
  default_backend server
backend server
  server one unix@${socket}
`;

async function launch(configurationFor: (port: number) => string) {
  const folder = await mkdtemp(join(tmpdir(), 'nephos-bench-haproxy-'));
  const file = join(folder, 'haproxy.cfg');
  const port = await freePort();
  await writeFile(file, configurationFor(port));
  const child = spawn('haproxy', ['-f', file, '-db'], { stdio: 'ignore' });
  const ended = once(child, 'exit');
  const stop = async () => {
    if (child.kill()) await ended;
    await rm(folder, { recursive: true, force: true });
  };
  return { port, pid: child.pid ?? 0, stop };
}

/** Starts HAProxy as nothing but a way to a Unix socket. Undefined where it is not installed. */
export async function copyByHaproxy(socket: string) {
  if (!isInstalled('haproxy')) return undefined;
  const { port, pid, stop } = await launch((at) => copier(at, socket));
  const isUp = () =>
    new Promise<boolean>((resolve) => {
      const probe = connect(port, '127.0.0.1', () => resolve(true)).once('error', () => resolve(false));
      probe.once('connect', () => probe.destroy());
    });
  while (!(await isUp())) await wait(50);
  return { port: String(port), pid, stop };
}

/** Starts HAProxy in front of servers, `127.0.0.1:3000` for example. Undefined where it is not installed. */
export async function startHaproxy(servers: readonly string[]) {
  if (!isInstalled('haproxy')) return undefined;
  const { port, stop } = await launch((at) => configuration(at, servers));
  const url = `http://127.0.0.1:${port}/`;
  const isUp = () =>
    fetch(url).then(
      ({ ok }) => ok,
      () => false,
    );
  while (!(await isUp())) await wait(50);
  return { url, stop };
}
