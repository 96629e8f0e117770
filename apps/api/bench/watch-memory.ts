import { readFile, writeFile } from 'node:fs/promises';
import type { Console } from './console.ts';

/**
 * The most memory, in bytes, that our process has while `work` runs: the high-water mark of its resident set, which Linux
 * keeps to the page and begins anew for a 5 in `clear_refs` (proc(5)).
 */
export async function watchMemory<T>(
  { pid }: Console,
  work: () => Promise<T>,
): Promise<{ result: T; peak: number }> {
  await writeFile(`/proc/${pid}/clear_refs`, '5');
  const result = await work();
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return { result, peak: Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1]) * 1024 };
}
