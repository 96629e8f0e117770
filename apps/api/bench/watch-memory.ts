import { setTimeout as wait } from 'node:timers/promises';
import type { Console } from './console.ts';

const SAMPLE_MS = 500;

async function memoryOf({ url }: Console): Promise<number> {
  const metrics = await (await fetch(`${url}/metrics`)).text();
  return Number(/^nephos_process_resident_memory_bytes (\S+)$/m.exec(metrics)?.[1]);
}

/** The most memory, in bytes, that our process has while `work` runs. */
export async function watchMemory<T>(
  console: Console,
  work: () => Promise<T>,
): Promise<{ result: T; peak: number }> {
  const working = { done: false };
  const watching = (async () => {
    let peak = 0;
    while (!working.done) {
      peak = Math.max(peak, await memoryOf(console));
      await wait(SAMPLE_MS);
    }
    return peak;
  })();
  try {
    const result = await work();
    working.done = true;
    return { result, peak: await watching };
  } finally {
    working.done = true;
  }
}
