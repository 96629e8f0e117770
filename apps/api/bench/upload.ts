import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Console } from './console.ts';
import { type Finding, median } from './measure.ts';
import { FILE, uploadFile } from './stored-file.ts';

const run = promisify(execFile);

const ROUNDS = 15;
const TARGET_RATIO = 0.5;

async function timed(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}

/** Streaming uploads of 10 MiB, one after the other, against `dd conv=fsync` of the same bytes to the same disk. */
export async function measureUpload(console: Console): Promise<Finding[]> {
  const folder = await mkdtemp(join(tmpdir(), 'nephos-bench-dd-'));
  try {
    const source = join(folder, 'source');
    await writeFile(source, FILE);
    const dd = (round: number) =>
      run('dd', [
        `if=${source}`,
        `of=${join(folder, `copy-${round}`)}`,
        'bs=1M',
        'conv=fsync',
        'status=none',
      ]);
    await uploadFile(console);
    await dd(ROUNDS);
    const ours: number[] = [];
    const baseline: number[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      baseline.push(await timed(() => dd(round)));
      ours.push(await timed(() => uploadFile(console)));
    }
    const [upload, copy] = [median(ours), median(baseline)];
    const ratio = copy / upload;
    return [
      {
        name: 'upload of 10 MiB, durable',
        detail: `${upload.toFixed(0)} ms, dd with fsync ${copy.toFixed(0)} ms: ${ratio.toFixed(2)} of its speed; target ≥ ${TARGET_RATIO}`,
        met: ratio >= TARGET_RATIO,
      },
    ];
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
