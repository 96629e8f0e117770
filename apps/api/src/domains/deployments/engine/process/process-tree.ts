import { setTimeout as wait } from 'node:timers/promises';
import { type ProcessInfo, readProcesses } from './process-table.ts';

const POLL_MS = 25;
/** How long processes may survive SIGKILL: those in an uninterruptible call do for a moment. */
const KILLED_MS = 5000;

/** Processes that belong together. */
export type Selection = (process: ProcessInfo) => boolean;

/** What `select` chooses, and all their descendants. */
export function treeOf(processes: ProcessInfo[], select: Selection): ProcessInfo[] {
  const members = new Map(processes.filter(select).map((member) => [member.pid, member]));
  for (let grown = members.size > 0; grown; ) {
    const before = members.size;
    for (const candidate of processes) {
      if (members.has(candidate.parent)) members.set(candidate.pid, candidate);
    }
    grown = members.size > before;
  }
  return [...members.values()];
}

/** Asks processes to end, waits `grace` milliseconds, then kills what is left. Resolves when none is left. */
export async function endProcesses(select: Selection, grace: number): Promise<void> {
  if (grace > 0) {
    signalAll(treeOf(await readProcesses(), select), 'SIGTERM');
    if (await gone(select, grace)) return;
  }
  const deadline = Date.now() + KILLED_MS;
  for (;;) {
    const rest = treeOf(await readProcesses(), select);
    if (rest.length === 0 || Date.now() > deadline) return;
    // Again and again, since a process may have forked while we looked.
    signalAll(rest, 'SIGKILL');
    await wait(POLL_MS);
  }
}

async function gone(select: Selection, within: number): Promise<boolean> {
  const deadline = Date.now() + within;
  while (Date.now() < deadline) {
    if (treeOf(await readProcesses(), select).length === 0) return true;
    await wait(POLL_MS);
  }
  return false;
}

function signalAll(processes: ProcessInfo[], name: NodeJS.Signals): void {
  for (const { pid } of processes) {
    try {
      process.kill(pid, name);
    } catch {
      // It ended meanwhile, or belongs to somebody else now.
    }
  }
}

/** Kills a process group. What finds processes by /proc needs Linux; this works on every system. */
export function killGroup(leader: number | undefined): void {
  if (leader === undefined) return;
  try {
    process.kill(-leader, 'SIGKILL');
  } catch {
    // None of it is left.
  }
}
