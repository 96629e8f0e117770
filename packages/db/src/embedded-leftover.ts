import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, readlinkSync, realpathSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { readPlainFile } from './held-folder.ts';

/** Made by PostgreSQL as it starts: its process number, and once it takes connections the word `ready`. */
const LOCK = 'postmaster.pid';
const LOCK_BYTES = 4096;
const GRACE_MS = 5000;
const POLL_MS = 10;

/**
 * Ends what a killed process of ours left behind on this cluster: its PostgreSQL, and the lock file that would
 * keep a new one from starting. A process that merely got the old number is not touched.
 */
export async function clearLeftover(folder: string): Promise<void> {
  const lock = join(folder, LOCK);
  const text = await readLock(folder);
  // A link or a pipe of that name would keep PostgreSQL, too, from its data.
  if (text === undefined) return rmSync(lock, { force: true });
  const postmaster = Number(text.split('\n', 1)[0]);
  if (serves(postmaster, folder)) {
    signal(postmaster, 'SIGINT');
    await gone([postmaster], GRACE_MS);
  }
  // Without its postmaster a busy backend lives until its query ends, and holds the shared memory.
  await kill(processesIn(folder, 'postgres'));
  rmSync(lock, { force: true });
}

/** The text of a cluster's lock file; undefined where there is none. Its account could put anything else there. */
export function readLock(folder: string): Promise<string | undefined> {
  return readPlainFile(join(folder, LOCK), undefined, LOCK_BYTES);
}

/**
 * Ends every process of `program` that works inside `folder`: by SIGTERM, and what is left after 5 s by SIGKILL.
 * Linux only; elsewhere the server's own lock keeps a second one from its data.
 */
export async function endServerIn(folder: string, program: string): Promise<void> {
  const servers = processesIn(folder, program);
  for (const pid of servers) signal(pid, 'SIGTERM');
  await gone(servers, GRACE_MS);
  await kill(processesIn(folder, program));
}

/** Whether a process of `program` works inside `folder`. Linux only; elsewhere never. */
export function isServerIn(folder: string, program: string): boolean {
  return processesIn(folder, program).length > 0;
}

async function kill(pids: number[]): Promise<void> {
  for (const pid of pids) signal(pid, 'SIGKILL');
  await gone(pids, GRACE_MS);
}

/** Whether `pid` is a running process. One that has ended and only waits for its parent to notice is not. */
export function isAlive(pid: number): boolean {
  return signal(pid, 0) && !isZombie(pid);
}

function isZombie(pid: number): boolean {
  try {
    // The state follows the program's name, which stands in brackets and may hold any character (proc(5)).
    return /\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
}

function signal(pid: number, name: NodeJS.Signals | 0): boolean {
  if (!Number.isInteger(pid) || pid <= 1) return false;
  try {
    process.kill(pid, name);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

async function gone(pids: number[], withinMs: number): Promise<void> {
  const deadline = Date.now() + withinMs;
  while (pids.some(isAlive) && Date.now() < deadline) await wait(POLL_MS);
}

function serves(pid: number, folder: string): boolean {
  if (!isAlive(pid)) return false;
  if (process.platform === 'linux') return processesIn(folder, 'postgres').includes(pid);
  const command = execFileSync('ps', ['-o', 'command=', '-p', String(pid)], { encoding: 'utf8' });
  return command.includes('postgres') && command.includes(` ${folder}`);
}

/** A database server works inside its data folder, which tells ours from any other. Linux only. */
function processesIn(folder: string, program: string): number[] {
  if (process.platform !== 'linux' || !existsSync(folder)) return [];
  const home = realpathSync(folder);
  return readdirSync('/proc')
    .map(Number)
    .filter((pid) => Number.isInteger(pid) && linkOf(pid, 'cwd') === home)
    .filter((pid) => basename(linkOf(pid, 'exe').replace(/ \(deleted\)$/, '')) === program);
}

function linkOf(pid: number, name: 'cwd' | 'exe'): string {
  try {
    return readlinkSync(`/proc/${pid}/${name}`);
  } catch {
    return '';
  }
}
