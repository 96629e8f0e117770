import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { freePort } from '../../../tools/server-process.mjs';

const START_MS = 5000;

interface Site {
  /** Directives of the one location, which is at `/`. */
  location: string;
  /** Paths of dynamic modules. */
  modules?: readonly string[];
}

/** A plain nginx on loopback with `sendfile`, whose files lie in `folder`, which its workers can enter. */
export async function startNginx(
  folder: string,
  { location, modules = [] }: Site,
): Promise<{ url: string; stop(): Promise<void> }> {
  const port = await freePort();
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((name) => `${name}_temp_path ${folder}/${name};`)
    .join(' ');
  const config = join(folder, 'nginx.conf');
  await writeFile(
    config,
    `daemon off; worker_processes auto; pid ${folder}/nginx.pid; error_log stderr;
    ${modules.map((module) => `load_module ${module};`).join(' ')}
    events { worker_connections 64; }
    http {
      access_log off; sendfile on; tcp_nopush on; client_max_body_size 0; ${temporary}
      server { listen 127.0.0.1:${port}; location / { ${location} } }
    }`,
  );
  const server = spawn('nginx', ['-p', folder, '-e', 'stderr', '-c', config], { stdio: 'ignore' });
  const exited = once(server, 'exit');
  const url = `http://127.0.0.1:${port}`;
  for (const deadline = Date.now() + START_MS; ; await wait(50)) {
    const answers = await fetch(url).then(
      () => true,
      () => false,
    );
    if (answers) break;
    if (Date.now() > deadline || server.exitCode !== null) throw new Error('nginx does not start');
  }
  return {
    url,
    async stop() {
      server.kill();
      await exited;
    },
  };
}
