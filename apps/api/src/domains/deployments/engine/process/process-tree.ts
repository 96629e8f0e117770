import { setTimeout as wait } from 'node:timers/promises';
import { type ProcessInfo, readProcesses } from './process-table.ts';

const POLL_MS = 25;
/** How long processes may survive SIGKILL: those in an uninterruptible call do for a moment. */
const KILLED_MS = 5000;

/** Chooses processes that belong together. */
export type Selection = (processes: readonly ProcessInfo[]) => ProcessInfo[];

/** What `isRoot` chooses, and all their descendants. */
export function treeOf(
  processes: readonly ProcessInfo[],
  isRoot: (process: ProcessInfo) => boolean,
): ProcessInfo[] {
  const members = new Map(processes.filter(isRoot).map((member) => [member.pid, member]));
  for (let grown = members.size > 0; grown; ) {
    const before = members.size;
    for (const candidate of processes) {
      if (members.has(candidate.parent)) members.set(candidate.pid, candidate);
    }
    grown = members.size > before;
  }
  return [...members.values()];
}

/**
 * Asks processes to end, waits `grace` milliseconds, then kills what is left. Resolves when none is left, or with
 * false when some live on after 5 seconds of SIGKILL.
 */
export async function endProcesses(select: Selection, grace: number): Promise<boolean> {
  if (grace > 0) {
    const members = select(await readProcesses());
    const waiting = waitingForInit(members);
    // They would not wait any longer, and their init would be killed with them.
    signalAll(
      members.filter(({ pid }) => !waiting.has(pid)),
      'SIGTERM',
    );
    await settled(select, grace);
  }
  const deadline = Date.now() + KILLED_MS;
  for (;;) {
    const rest = select(await readProcesses());
    if (rest.length === 0) return true;
    if (Date.now() > deadline) return false;
    // This is repeated, since a process may have forked while we looked.
    signalAll(rest, 'SIGKILL');
    await wait(POLL_MS);
  }
}

/** What waits for the first process of a namespace, as unshare and bubblewrap do, ends with it. */
function waitingForInit(members: readonly ProcessInfo[]): Set<number> {
  return new Set(members.filter(({ isInit }) => isInit).map(({ parent }) => parent));
}

/** Resolves when what is left will not end of itself, but `within` milliseconds at the latest. */
async function settled(select: Selection, within: number): Promise<void> {
  const deadline = Date.now() + within;
  while (Date.now() < deadline) {
    const members = select(await readProcesses());
    const waiting = waitingForInit(members);
    if (!members.some(({ pid, heedsSigterm }) => heedsSigterm && !waiting.has(pid))) return;
    await wait(POLL_MS);
  }
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
export function killGroup(leader: number): void {
  try {
    process.kill(-leader, 'SIGKILL');
  } catch {
    // None of it is left.
  }
}
