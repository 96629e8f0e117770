import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { downloadPath } from '@nephos/contracts/constants';
import { requireTool } from '../../../tools/require-tool.ts';
import { freePort } from '../../../tools/server-process.mjs';
import type { Console } from './console.ts';
import { fetchBytes } from './fetch-bytes.ts';
import { type Finding, median } from './measure.ts';
import { FILE, uploadFile } from './stored-file.ts';

const CONNECTIONS = 8;
const ROUNDS = 3;
const SECONDS = 3;
const TARGET_RATIO = 0.5;
const START_MS = 5000;

/** A plain nginx that serves one folder from the disk, with `sendfile`. */
async function startNginx(folder: string): Promise<{ url: string; stop(): Promise<void> }> {
  const port = await freePort();
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((name) => `${name}_temp_path ${folder}/${name};`)
    .join(' ');
  const config = join(folder, 'nginx.conf');
  await writeFile(
    config,
    `daemon off; worker_processes auto; pid ${folder}/nginx.pid; error_log stderr;
    events { worker_connections 64; }
    http {
      access_log off; sendfile on; tcp_nopush on; ${temporary}
      server { listen 127.0.0.1:${port}; root ${folder}/site; }
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

/** Downloads of a 10 MiB file, against nginx with the same bytes on the same disk. */
export async function measureDownload(console: Console): Promise<Finding[]> {
  if (!requireTool('nginx')) return [];
  const folder = await mkdtemp(join(tmpdir(), 'nephos-bench-nginx-'));
  // Its workers are another account's.
  await chmod(folder, 0o755);
  await mkdir(join(folder, 'site'));
  await writeFile(join(folder, 'site/bench.bin'), FILE);
  const nginx = await startNginx(folder);
  try {
    const { id } = await uploadFile(console);
    const ofOurs = { url: console.url + downloadPath(id), headers: { cookie: console.cookie } };
    const ofNginx = { url: `${nginx.url}/bench.bin` };
    const ours: number[] = [];
    const baseline: number[] = [];
    for (let round = 0; round <= ROUNDS; round += 1) {
      baseline.push(await fetchBytes({ ...ofNginx, connections: CONNECTIONS, seconds: SECONDS }));
      ours.push(await fetchBytes({ ...ofOurs, connections: CONNECTIONS, seconds: SECONDS }));
    }
    // The first round warms both up.
    const [speed, speedOfNginx] = [median(ours.slice(1)), median(baseline.slice(1))];
    const ratio = speed / speedOfNginx;
    const megabytes = (bytes: number) => (bytes / 1e6).toFixed(0);
    return [
      {
        name: `download of 10 MiB over ${CONNECTIONS} connections, MB/s`,
        detail: `${megabytes(speed)} of ${megabytes(speedOfNginx)} by nginx: ${ratio.toFixed(2)}; target ≥ ${TARGET_RATIO}`,
        met: ratio >= TARGET_RATIO,
      },
    ];
  } finally {
    await nginx.stop();
    await rm(folder, { recursive: true, force: true });
  }
}
