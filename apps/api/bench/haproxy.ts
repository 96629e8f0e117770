import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
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

/** Starts HAProxy in front of servers, `127.0.0.1:3000` for example. Undefined where it is not installed. */
export async function startHaproxy(servers: readonly string[]) {
  if (!isInstalled('haproxy')) return undefined;
  const folder = await mkdtemp(join(tmpdir(), 'nephos-bench-haproxy-'));
  const file = join(folder, 'haproxy.cfg');
  const port = await freePort();
  await writeFile(file, configuration(port, servers));
  const child = spawn('haproxy', ['-f', file, '-db'], { stdio: 'ignore' });
  const ended = once(child, 'exit');
  const stop = async () => {
    if (child.kill()) await ended;
    await rm(folder, { recursive: true, force: true });
  };
  const url = `http://127.0.0.1:${port}/`;
  const isUp = () =>
    fetch(url).then(
      ({ ok }) => ok,
      () => false,
    );
  while (!(await isUp())) await wait(50);
  return { url, stop };
}
