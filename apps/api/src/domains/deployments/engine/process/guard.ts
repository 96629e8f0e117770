import { byteSize } from '../../../../platform/byte-size.ts';
import { folderSize } from './folder-size.ts';
import { readProcesses } from './process-table.ts';
import { type Selection, treeOf } from './process-tree.ts';

/** What a group of processes may use; an absent bound is not watched. Milliseconds and bytes. */
export interface Bounds {
  time?: number;
  memory: number;
  processes: number;
  disk?: { folders: string[]; bytes: number };
}

/** Watches a group of processes; `signal` aborts with a `Breach` as soon as they use more than they may. */
export interface Guard extends Disposable {
  signal: AbortSignal;
}

/** Its message completes a sentence that begins with what was stopped: 'it took more than …'. */
export class Breach extends Error {
  override readonly name = 'Breach';
}

/** Starts to watch `select`ed processes and their descendants, every `every` milliseconds. */
export function guard(select: Selection, bounds: Bounds, every: number): Guard {
  const controller = new AbortController();
  const breach = (reason: string) => controller.abort(new Breach(reason));
  const deadline = bounds.time
    ? setTimeout(() => breach(`it took more than ${duration(bounds.time ?? 0)}`), bounds.time)
    : undefined;
  let timer: NodeJS.Timeout;
  let over = false;
  const look = async () => {
    const started = Date.now();
    const reason = await excess(select, bounds);
    if (over || controller.signal.aborted) return;
    if (reason) breach(reason);
    // A look at a large folder takes long: it may keep the disk busy a fifth of the time.
    else timer = setTimeout(look, Math.max(every, 4 * (Date.now() - started)));
  };
  timer = setTimeout(look, every);
  return {
    signal: controller.signal,
    [Symbol.dispose]: () => {
      over = true;
      clearTimeout(deadline);
      clearTimeout(timer);
    },
  };
}

async function excess(select: Selection, bounds: Bounds): Promise<string | undefined> {
  const members = treeOf(await readProcesses(), select);
  const memory = members.reduce((sum, member) => sum + member.memory, 0);
  if (memory > bounds.memory) return `it used more than ${byteSize(bounds.memory)} of memory`;
  if (members.length > bounds.processes) return `it ran more than ${bounds.processes} processes`;
  if (!bounds.disk) return undefined;
  const used = await folderSize(bounds.disk.folders);
  return used > bounds.disk.bytes ? `it used more than ${byteSize(bounds.disk.bytes)} of disk` : undefined;
}

export function duration(ms: number): string {
  const [value, unit] = ms >= 60_000 ? [ms / 60_000, 'minute'] : [ms / 1000, 'second'];
  return `${Number(value.toFixed(1))} ${unit}${value === 1 ? '' : 's'}`;
}
