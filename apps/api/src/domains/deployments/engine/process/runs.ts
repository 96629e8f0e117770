import { readFileSync } from 'node:fs';
import type { Account } from '@nephos/db';
import type { ReleaseFolders } from '../folders.ts';
import { endProcesses, killGroup, type Selection, treeOf } from './process-tree.ts';
import type { RunGroups } from './run-groups.ts';
import type { Mount, RunLimits } from './run-limits.ts';

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
  readonly members: Selection;
  /** Takes in a process that was just started, as the leader of a session. */
  adopt(pid: number | undefined): void;
  /** Ends all of it: SIGTERM, and after `grace` milliseconds SIGKILL. Resolves when nothing is left. */
  end(grace: number): Promise<void>;
  /** Ends what is left. The run's group is another's from then on. */
  [Symbol.asyncDispose](): Promise<void>;
}

export interface Runs {
  /** Begins a run, as the account of its project. */
  open(account: Account | undefined, options: RunOptions): Promise<Run>;
  /**
   * Ends every process that a killed server of this installation left behind; `byMark` as well by what processes of our
   * own account say of themselves, where nothing better tells.
   */
  reap(options: { byMark: boolean }): Promise<void>;
}

export function createRuns(groups: RunGroups, instance: string): Runs {
  return {
    async open(account, options) {
      const run = account ? runByGroup(groups, await groups.reserve(account)) : runBySession();
      return { ...run, options, host: '127.0.0.1', hasOwnNetwork: false };
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
type Membership = Omit<Run, 'options' | 'host' | 'hasOwnNetwork'>;

function runByGroup(groups: RunGroups, account: Account): Membership {
  let isOpen = true;
  const members: Selection = (processes) =>
    processes.filter(({ uid, gid }) => isOpen && uid === account.uid && gid === account.gid);
  return {
    account,
    members,
    adopt() {},
    async end(grace) {
      await endProcesses(members, grace);
    },
    async [Symbol.asyncDispose]() {
      // What will not die keeps its group, so that the next start finds it.
      if (!isOpen || !(await endProcesses(members, 0))) return;
      isOpen = false;
      await groups.free(account);
    },
  };
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
    adopt(pid) {
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
