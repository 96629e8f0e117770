import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { freePort } from '../../../tools/server-process.mjs';

const START_MS = 10_000;

export interface Caddy {
  pid: number;
  port: number;
  stop(): Promise<void>;
}

/** A site with a certificate of its own, and the app behind it. */
export interface Site {
  host: string;
  /** PEM. */
  certificate: string;
  privateKey: string;
  /** `127.0.0.1:3000` for example. */
  app: string;
}

/** As one writes it down for one app: HTTP/2 and HTTP/1.1, no log, nothing that asks elsewhere. */
const configuration = (port: number, { host, app }: Site) => `
{
  admin off
  auto_https off
  servers {
    protocols h1 h2
  }
}
https://${host}:${port} {
  bind 127.0.0.1
  tls certificate.pem key.pem
  reverse_proxy ${app}
}
`;

/** Starts Caddy (Debian's package `caddy`) in front of an app. */
export async function startCaddy(site: Site): Promise<Caddy> {
  const folder = await mkdtemp(join(tmpdir(), 'nephos-bench-caddy-'));
  const port = await freePort();
  await writeFile(join(folder, 'Caddyfile'), configuration(port, site));
  await writeFile(join(folder, 'certificate.pem'), site.certificate);
  await writeFile(join(folder, 'key.pem'), site.privateKey);
  const args = ['run', '--config', 'Caddyfile', '--adapter', 'caddyfile'];
  const env = { ...process.env, HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder };
  const child = spawn('caddy', args, { cwd: folder, env, stdio: 'ignore' });
  const exited = once(child, 'exit');
  for (const deadline = Date.now() + START_MS; !(await takesConnections(port)); await wait(50)) {
    if (Date.now() > deadline || child.exitCode !== null) throw new Error('caddy does not start');
  }
  return {
    pid: child.pid ?? Number.NaN,
    port,
    async stop() {
      child.kill();
      await exited;
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function takesConnections(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  const isUp = await once(socket, 'connect').then(
    () => true,
    () => false,
  );
  socket.destroy();
  return isUp;
}
