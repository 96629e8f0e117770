import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import type { Account } from '@nephos/db';
import type { ReleaseFolders } from '../folders.ts';
import type { RunLimits } from '../runtime.ts';
import type { Mount } from './mount.ts';
import { endProcesses, killGroup, type Selection, treeOf } from './process-tree.ts';
import type { RunGroups } from './run-groups.ts';
import type { Sandbox } from './sandbox/sandbox.ts';
import type { Walls } from './sandbox/walls.ts';

/** Carried by every process where nothing better tells what a killed server left behind. */
export const INSTANCE_MARK = 'NEPHOS_INSTANCE';

/** What a run is given. */
export interface RunOptions {
  /** The release whose folders it sees. */
  folders: ReleaseFolders;
  mounts?: readonly Mount[];
  limits: RunLimits;
}

/**
 * One run of a project's code, a build or one start of its app, with all processes that come of it. Which these are is
 * decided here alone: as root by the project's account and the run's own group, which a process keeps whatever it does
 * to its environment, session and parents; else by session and descent.
 */
export interface Run {
  /** What its processes are started as; nothing where only our own account is there. */
  readonly account: Account | undefined;
  readonly options: RunOptions;
  /** The address at which we reach its ports: any port of its own, or those of the machine where that is shared. */
  readonly host: string;
  /** Whether nobody else listens at that address, so that whatever answers there is the run's. */
  readonly hasOwnNetwork: boolean;
  /** What is around it; its processes are started inside. */
  readonly walls: Walls;
  readonly members: Selection;
  /** That there was no more memory for it, to complete a sentence: 'ran out of memory (1 GB)'. */
  shortage(): string | undefined;
  /** Takes in a process that was just started, as the leader of a session. */
  adopt(child: ChildProcess): void;
  /** Ends all of it: SIGTERM, and after `grace` milliseconds SIGKILL. Resolves when nothing is left. */
  end(grace: number): Promise<void>;
  /** Ends what is left. The run's group is another's from then on. */
  [Symbol.asyncDispose](): Promise<void>;
}

export interface Runs {
  /** Whether the mounts of a run are where their paths say; else each is only where it lies. */
  readonly mountsFolders: boolean;
  /** Begins a run, as the account of its project. */
  open(account: Account | undefined, options: RunOptions): Promise<Run>;
  /**
   * Ends every process that a killed server of this installation left behind; `byMark` as well by what processes of our
   * own account say of themselves, where nothing better tells.
   */
  reap(options: { byMark: boolean }): Promise<void>;
}

/** Ways out of a run's walls are closed after the processes inside have ended. */
const EXIT_MS = 1000;

export function createRuns(groups: RunGroups, instance: string, sandbox: () => Sandbox): Runs {
  return {
    get mountsFolders() {
      return sandbox().bubblewrap !== undefined;
    },
    async open(account, options) {
      const run = account ? runByGroup(groups, await groups.reserve(account)) : runBySession();
      const walls = await sandbox()
        .open(options.limits)
        .catch(async (error) => {
          await run[Symbol.asyncDispose]();
          throw error;
        });
      const { host, hasOwnNetwork, shortage } = walls;
      const close = async () => {
        await run[Symbol.asyncDispose]();
        await walls.close();
      };
      return { ...run, options, walls, host, hasOwnNetwork, shortage, [Symbol.asyncDispose]: close };
    },
    async reap({ byMark }) {
      const left = await groups.inUse();
      const isLeft = ({ uid, gid }: Account) => left.some((one) => one.uid === uid && one.gid === gid);
      if (left.length > 0 && (await endProcesses((processes) => processes.filter(isLeft), 0))) {
        await Promise.all(left.map((account) => groups.free(account)));
      }
      const own = process.getuid?.();
      if (byMark)
        await endProcesses(
          (processes) => processes.filter(({ uid, pid }) => uid === own && markOf(pid) === instance),
          0,
        );
    },
  };
}

/** The processes of a run, without what it is given. */
type Membership = Pick<Run, 'account' | 'members' | 'adopt' | 'end' | typeof Symbol.asyncDispose>;

function runByGroup(groups: RunGroups, account: Account): Membership {
  let isOpen = true;
  const starters = new Set<ChildProcess>();
  const members: Selection = (processes) =>
    processes.filter(({ uid, gid }) => isOpen && uid === account.uid && gid === account.gid);
  const end = async (grace: number) => {
    await endProcesses(members, grace);
    if (starters.size === 0) return true;
    await Promise.all([...starters].map(endStarter));
    // It may have become the project's account while we looked.
    return endProcesses(members, 0);
  };
  return {
    account,
    members,
    adopt(child) {
      if (child.pid === undefined) return;
      starters.add(child);
      child.once('exit', () => starters.delete(child));
    },
    end: async (grace) => void (await end(grace)),
    async [Symbol.asyncDispose]() {
      // What will not die keeps its group, so that the next start finds it.
      if (!isOpen || !((await end(0)) && (await endProcesses(members, 0)))) return;
      isOpen = false;
      await groups.free(account);
    },
  };
}

/** What we started ends after what it runs; until then it is root's, and no member of the run. */
async function endStarter(child: ChildProcess): Promise<void> {
  const isOver = () => child.exitCode !== null || child.signalCode !== null;
  if (isOver()) return;
  const ended = once(child, 'exit');
  await Promise.race([ended, wait(EXIT_MS)]);
  if (isOver()) return;
  child.kill('SIGKILL');
  await ended;
}

function runBySession(): Membership {
  const leaders = new Set<number>();
  const members: Selection = (processes) =>
    treeOf(processes, ({ pid, session }) => leaders.has(pid) || leaders.has(session));
  const end = async (grace: number) => {
    await endProcesses(members, grace);
    for (const leader of leaders) killGroup(leader);
    // The system gives the numbers of ended processes to others.
    leaders.clear();
  };
  return {
    account: undefined,
    members,
    adopt({ pid }) {
      if (pid !== undefined) leaders.add(pid);
    },
    end,
    [Symbol.asyncDispose]: () => end(0),
  };
}

function markOf(pid: number): string | undefined {
  try {
    const environment = readFileSync(`/proc/${pid}/environ`, 'latin1').split('\0');
    return environment
      .find((entry) => entry.startsWith(`${INSTANCE_MARK}=`))
      ?.slice(INSTANCE_MARK.length + 1);
  } catch {
    return undefined;
  }
}
