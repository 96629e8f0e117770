import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import type Docker from 'dockerode';
import { byteSize } from '../../../../platform/byte-size.ts';
import type { Usage } from '../../../observability/app-figures.ts';
import { countCpuTime } from '../instances/cpu-time.ts';
import type { ContainerParts } from './container-parts.ts';
import type { Daemon } from './daemon.ts';

const NS_IN_MS = 1_000_000;

/**
 * Tells each second what a container uses, until `signal` aborts or it ends. `isTakenOver`: an earlier server has told what
 * it used so far.
 */
export function watchUsage(
  daemon: Daemon,
  container: Docker.Container,
  {
    onUsage,
    isTakenOver,
    signal,
  }: { onUsage: (usage: Usage) => void; isTakenOver: boolean; signal: AbortSignal },
): void {
  const cpuSince = countCpuTime({ isTakenOver });
  const read = async () => {
    const stream = await container.stats({ stream: true, abortSignal: daemon.present(signal) } as {
      stream: true;
    });
    for await (const line of createInterface({ input: stream as Readable })) {
      const stats: Docker.ContainerStats = JSON.parse(line);
      const cpuMs = cpuSince(stats.cpu_stats.cpu_usage.total_usage) / NS_IN_MS;
      onUsage({ memory: memoryOf(stats), cpuMs });
    }
  };
  // Its end, too, comes as an error where it is in the midst of a line: figures are no more than missing then.
  daemon.patiently(read, signal).catch(() => {});
}

function memoryOf({ memory_stats }: Docker.ContainerStats): number {
  const { usage = 0, stats = {} as Partial<Docker.MemoryStats['stats']> } = memory_stats;
  // Pages of files that nobody waits for are given back whenever memory is short (control groups of version 1 and 2).
  const files = stats.total_inactive_file ?? stats.inactive_file ?? 0;
  return Math.max(0, usage - files);
}

/** Bytes of what a container wrote, and of that with its image. */
interface Sizes {
  SizeRw?: number;
  SizeRootFs?: number;
}

export interface DiskWatch {
  /** Is told of the bytes with its image. */
  onSize?: (bytes: number) => void;
  /** Is told why it is ended in a moment; completes a sentence. */
  onFull: (reason: string) => void;
  /** Ends the watch. */
  signal: AbortSignal;
}

/** Looks from time to time at what a container wrote outside of its disks; ends it where that is too much. */
export function watchDisk(
  { daemon, limits }: ContainerParts,
  container: Docker.Container,
  { onSize = () => {}, onFull, signal }: DiskWatch,
): void {
  const look = async () => {
    if (daemon.reason() !== '') return;
    // The typings know neither the question nor the answer.
    const sized = container.inspect as unknown as (options: object) => Promise<Sizes>;
    const found = await sized.call(container, { size: true, abortSignal: signal });
    if (found.SizeRootFs !== undefined) onSize(found.SizeRootFs);
    if ((found.SizeRw ?? 0) <= limits.appBytes) return;
    onFull(`it used more than ${byteSize(limits.appBytes)} of disk`);
    await container.kill();
  };
  const quietly = () => void look().catch(() => {});
  quietly();
  const timer = setInterval(quietly, limits.appDiskTime).unref();
  signal.addEventListener('abort', () => clearInterval(timer), { once: true });
}
