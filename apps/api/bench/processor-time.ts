import { readFile } from 'node:fs/promises';

/** How the kernel counts, on every processor that Node runs on. */
const TICKS_PER_SECOND = 100;
/** Of user and system time, counted from behind the program's name, which may have spaces. */
const TIMES = [11, 13] as const;

/** Seconds of processor time that a process has used so far, with all its threads. Linux only. */
export async function processorSeconds(pid: number): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return fields.slice(...TIMES).reduce((sum, ticks) => sum + Number(ticks), 0) / TICKS_PER_SECOND;
}
