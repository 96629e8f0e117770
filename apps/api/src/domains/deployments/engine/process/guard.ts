import { byteSize } from '../../../../platform/byte-size.ts';
import { duration } from '../../../../platform/duration.ts';
import type { Usage } from '../../../observability/app-figures.ts';
import { countCpuTime } from '../instances/cpu-time.ts';
import { type DiskBound, watchDisk } from './disk-watch.ts';
import { type ProcessInfo, recentProcesses } from './process-table.ts';
import type { Run } from './runs.ts';

/** What a run may use; an absent bound is not watched. Milliseconds and bytes. */
export interface Bounds {
  time?: number;
  memory: number;
  processes: number;
  disk: DiskBound;
  /** Told at each look what the run uses. */
  onUsage?: (usage: Usage) => void;
}

/** The part of the time between two looks that another run's look may be ago, to serve for this one as well. */
const SHARED = 1 / 4;

/** Watches a run; `signal` aborts with a `Breach` as soon as it uses more than it may. */
export interface Guard extends Disposable {
  signal: AbortSignal;
}

/** Its message completes a sentence that begins with what was stopped: 'it took more than …'. */
export class Breach extends Error {
  override readonly name = 'Breach';
}

/** Starts to watch all processes of a run and what it has on disk, every `every` milliseconds. */
export function guard(run: Run, bounds: Bounds, every: number): Guard {
  const controller = new AbortController();
  const breach = (reason: string) => controller.abort(new Breach(reason));
  const deadline = bounds.time
    ? setTimeout(() => breach(`it took more than ${duration(bounds.time ?? 0)}`), bounds.time)
    : undefined;
  const isDiskFull = watchDisk(bounds.disk);
  const usageOf = countUsage();
  let timer: NodeJS.Timeout;
  let over = false;
  const look = async () => {
    const reason =
      (await excess(run, bounds, { usageOf, age: every * SHARED })) ??
      ((await isDiskFull()) ? tooMuchDisk(bounds) : undefined);
    if (over || controller.signal.aborted) return;
    if (reason) breach(reason);
    else timer = setTimeout(look, every);
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

async function excess(
  run: Run,
  { memory, processes, onUsage }: Bounds,
  { usageOf, age }: { usageOf: (members: readonly ProcessInfo[]) => Usage; age: number },
): Promise<string | undefined> {
  const shortage = run.shortage();
  if (shortage) return `it ${shortage}`;
  const members = run.members(await recentProcesses(age));
  const usage = usageOf(members);
  onUsage?.(usage);
  if (usage.memory > memory && !run.walls.holdsMemory)
    return `it used more than ${byteSize(memory)} of memory`;
  return members.length > processes ? `it ran more than ${processes} processes` : undefined;
}

/** Makes what tells the use of a run since it was asked before. */
function countUsage(): (members: readonly ProcessInfo[]) => Usage {
  const cpuSince = countCpuTime({ isTakenOver: false });
  return (members) => ({
    cpuMs: cpuSince(members.reduce((sum, { cpuMs }) => sum + cpuMs, 0)),
    memory: members.reduce((sum, { memory }) => sum + memory, 0),
  });
}

function tooMuchDisk({ disk }: Bounds): string {
  return `it used more than ${byteSize(disk.bytes)} of disk`;
}
