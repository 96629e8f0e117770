import { readFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';

/** A process by what the kernel says of it: nothing here is of its own making. */
export interface ProcessInfo {
  pid: number;
  parent: number;
  session: number;
  /** Resident memory in bytes. */
  memory: number;
  /** Milliseconds of processor time, that of children which it waited for included. */
  cpuMs: number;
  /** The real ones, which no program that it runs can change. */
  uid: number;
  gid: number;
  /** The first of a namespace of its own: when it ends, all others in there do (pid_namespaces(7)). */
  isInit: boolean;
  /** Whether SIGTERM has an effect: an init without a handler for it does not even end. */
  heedsSigterm: boolean;
}

const PAGE = 4096;
/** The kernel tells time in hundredths of a second (proc(5), USER_HZ). */
const TICK_MS = 10;
/** Processes read before other work gets its turn. */
const BATCH = 64;
const SIGTERM_BIT = 1n << 14n;

/** What was read last, and when that was begun. */
let last: { at: number; processes: Promise<ProcessInfo[]> } | undefined;
let isReading = false;
let next: Promise<ProcessInfo[]> | undefined;

/**
 * Every living process (zombies are not), as of a moment after the call. Empty where there is no /proc. To read all of it
 * takes milliseconds, so calls that come while it is read share the next reading.
 */
export function readProcesses(): Promise<ProcessInfo[]> {
  if (!isReading || !last) return begin();
  next ??= last.processes
    .catch(() => {})
    .then(() => {
      next = undefined;
      return begin();
    });
  return next;
}

/** The same as of at most `age` milliseconds ago: for whoever looks again and again. */
export function recentProcesses(age: number): Promise<ProcessInfo[]> {
  return last && performance.now() - last.at <= age ? last.processes : readProcesses();
}

function begin(): Promise<ProcessInfo[]> {
  isReading = true;
  const processes = readAll().finally(() => {
    isReading = false;
  });
  last = { at: performance.now(), processes };
  return processes;
}

async function readAll(): Promise<ProcessInfo[]> {
  const names = await readdir('/proc').catch(() => []);
  const pids = names.map(Number).filter((pid) => Number.isInteger(pid) && pid > 1 && pid !== process.pid);
  const found: ProcessInfo[] = [];
  for (const [index, pid] of pids.entries()) {
    if (index % BATCH === BATCH - 1) await new Promise(setImmediate);
    const info = readProcess(pid);
    if (info) found.push(info);
  }
  return found;
}

function readProcess(pid: number): ProcessInfo | undefined {
  try {
    // The program's name stands in brackets and may hold any character (proc(5)).
    const fields = readFileSync(`/proc/${pid}/stat`, 'latin1')
      .replace(/^.*\) /s, '')
      .split(' ');
    const [state, parent, , session] = fields;
    if (state === 'Z' || state === 'X') return undefined;
    // The folder's own owner is no answer: it is root as soon as a process forbids to look into it.
    const status = readFileSync(`/proc/${pid}/status`, 'latin1');
    const line = (name: string) => new RegExp(`^${name}:\\t(.*)$`, 'm').exec(status)?.[1] ?? '';
    const isInit = /\t1$/.test(line('NSpid'));
    return {
      pid,
      parent: Number(parent),
      session: Number(session),
      memory: Number(fields[21]) * PAGE,
      cpuMs: fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0) * TICK_MS,
      uid: Number.parseInt(line('Uid'), 10),
      gid: Number.parseInt(line('Gid'), 10),
      isInit,
      heedsSigterm: !isInit || (BigInt(`0x${line('SigCgt') || '0'}`) & SIGTERM_BIT) !== 0n,
    };
  } catch {
    // It ended meanwhile.
    return undefined;
  }
}
