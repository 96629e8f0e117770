import { readFileSync } from 'node:fs';
import type { Account } from '@nephos/db';
import { endProcesses, killGroup, type Selection, treeOf } from './process-tree.ts';
import type { RunGroups } from './run-groups.ts';

/** Carried by every process where nothing better tells what a killed server left behind. */
export const INSTANCE_MARK = 'NEPHOS_INSTANCE';

/**
 * One run of a project's code, a build or one start of its app, with all processes that come of it. Which these are is
 * decided here alone: as root by the project's account and the run's own group, which a process keeps whatever it does
 * to its environment, session and parents; else by session and descent.
 */
export interface Run {
  /** What its processes are started as; nothing where only our own account is there. */
  readonly account: Account | undefined;
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
  open(account: Account | undefined): Promise<Run>;
  /**
   * Ends every process that a killed server of this installation left behind; `byMark` as well by what processes of our
   * own account say of themselves, where nothing better tells.
   */
  reap(options: { byMark: boolean }): Promise<void>;
}

export function createRuns(groups: RunGroups, instance: string): Runs {
  return {
    open: async (account) => (account ? runByGroup(groups, await groups.reserve(account)) : runBySession()),
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

function runByGroup(groups: RunGroups, account: Account): Run {
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

function runBySession(): Run {
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
