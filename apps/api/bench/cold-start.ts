import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { freePort } from '../../../tools/server-process.mjs';
import { consoleSettings, startProgram } from './console.ts';
import { type Finding, median } from './measure.ts';

const MAIN = resolve(import.meta.dirname, '../src/main.ts');
const POSTGRES_ALONE = resolve(import.meta.dirname, 'postgres-alone.ts');
const ROUNDS = 3;
/** Milliseconds in which a second start has to be ready. */
const TARGET = 3000;

/** Start to ready with data that is there, against the embedded PostgreSQL alone on the same data. */
export async function measureColdStart(): Promise<Finding[]> {
  const dataDir = await mkdtemp(join(tmpdir(), 'nephos-bench-'));
  const settings = consoleSettings(dataDir, await freePort());
  const timed = async (file: string) => {
    const { ms, stop } = await startProgram(file, settings, [join(dataDir, 'pg')]);
    await stop();
    return ms;
  };
  await timed(MAIN);
  const ours: number[] = [];
  const alone: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    alone.push(await timed(POSTGRES_ALONE));
    ours.push(await timed(MAIN));
  }
  await rm(dataDir, { recursive: true, force: true });
  const ratio = median(ours) / median(alone);
  return [
    {
      name: 'cold start to ready',
      detail: `${median(ours)} ms, PostgreSQL alone ${median(alone)} ms: ${ratio.toFixed(1)} times; target ≤ ${TARGET} ms`,
      met: median(ours) <= TARGET,
    },
  ];
}
