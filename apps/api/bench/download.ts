import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { downloadPath } from '@nephos/contracts/constants';
import { requireTool } from '../../../tools/require-tool.ts';
import type { Console } from './console.ts';
import { fetchBytes } from './fetch-bytes.ts';
import { type Finding, median } from './measure.ts';
import { startNginx } from './nginx.ts';
import { FILE, uploadFile } from './stored-file.ts';

const CONNECTIONS = 8;
const ROUNDS = 3;
const SECONDS = 3;
const TARGET_RATIO = 0.5;

/** Downloads of a 10 MiB file, against nginx with the same bytes on the same disk. */
export async function measureDownload(console: Console): Promise<Finding[]> {
  if (!requireTool('nginx')) return [];
  const folder = await mkdtemp(join(tmpdir(), 'nephos-bench-nginx-'));
  // Its workers are another account's.
  await chmod(folder, 0o755);
  await mkdir(join(folder, 'site'));
  await writeFile(join(folder, 'site/bench.bin'), FILE);
  const nginx = await startNginx(folder, { location: `root ${folder}/site;` });
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
