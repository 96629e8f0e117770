import { execFile } from 'node:child_process';
import { dirname, join, relative } from 'node:path';
import { promisify } from 'node:util';
import { isReachable } from '@nephos/db';
import { findPrograms } from './find-program.ts';
import { ownCopy, reachableCopy } from './reachable-copy.ts';
import { isSystemPath } from './sandbox/bubblewrap.ts';

const run = promisify(execFile);

/** An interpreter that is installed. */
export interface Interpreter {
  /** For example `3.12.4`. */
  version: string;
  executable: string;
  /** The folder that all of it lies in. */
  prefix: string;
}

export interface Python {
  /** The interpreter that is used where no other is asked for; undefined: projects in Python cannot be run. */
  command: string | undefined;
  /** Of that one; '' where there is none. */
  version: string;
  /** Why not, as one sentence; '' where they can. */
  reason: string;
  /** One of each version, looked for at the first question. */
  all(): Promise<readonly Interpreter[]>;
  /**
   * The command by which projects have another one than the first; it is copied once where runs do not see it. `isWalled`:
   * they see nothing but the system's files and our own.
   */
  reach(interpreter: Interpreter, isWalled: boolean): string;
}

const QUESTION =
  'import ensurepip, os, platform, sys, venv; print(os.path.realpath(sys.executable)); print(sys.base_prefix); print(platform.python_version())';
const NEWEST_MINOR = 16;
const OLDEST_MINOR = 7;

/** A python3 with venv and pip, preferably one that every account can reach as it is; and the others there are. */
export async function findPython(path: string, copies: string): Promise<Python> {
  let all: Promise<readonly Interpreter[]> | undefined;
  const found = await defaultPython(path, copies);
  return {
    ...found,
    all() {
      all ??= allPythons(path);
      return all;
    },
    reach({ executable, prefix }, isWalled) {
      if (!isWalled || isSystemPath(executable)) return reachablePython(executable, prefix, copies);
      return join(ownCopy(prefix, copies), relative(prefix, executable));
    },
  };
}

async function defaultPython(path: string, copies: string): Promise<Omit<Python, 'all' | 'reach'>> {
  const candidates = findPrograms('python3', path);
  if (candidates.length === 0) {
    return {
      ...NONE,
      reason: 'Python is not available: python3 is not installed on this server.',
    };
  }
  const reachable = candidates.filter((file) => isReachable(dirname(file)));
  for (const candidate of [...reachable, ...candidates]) {
    const found = await ask(candidate, path);
    if (!found) continue;
    const { executable, prefix, version } = found;
    return { command: reachablePython(executable, prefix, copies), version, reason: '' };
  }
  return {
    ...NONE,
    reason: 'Python is not available: python3 has no venv module (on Debian, install python3-venv).',
  };
}

const NONE = { command: undefined, version: '' };

/** One of each version, what every account can reach first. */
async function allPythons(path: string): Promise<readonly Interpreter[]> {
  const minors = Array.from(
    { length: NEWEST_MINOR - OLDEST_MINOR + 1 },
    (_, at) => `python3.${NEWEST_MINOR - at}`,
  );
  const candidates = ['python3', ...minors].flatMap((name) => findPrograms(name, path));
  candidates.sort((a, b) => Number(isReachable(dirname(b))) - Number(isReachable(dirname(a))));
  const answers = await Promise.all(candidates.map((candidate) => ask(candidate, path)));
  const byVersion = new Map(
    answers.flatMap((found) => (found ? [[found.version, found] as const] : [])).reverse(),
  );
  return [...byVersion.values()];
}

async function ask(candidate: string, path: string): Promise<Interpreter | undefined> {
  const answer = await run(candidate, ['-I', '-c', QUESTION], { env: { PATH: path }, timeout: 10_000 }).catch(
    () => undefined,
  );
  const [executable = '', prefix = '', version = ''] = answer?.stdout.trim().split('\n') ?? [];
  return executable && prefix ? { executable, prefix, version } : undefined;
}

function reachablePython(executable: string, prefix: string, copies: string): string {
  if (isReachable(dirname(executable))) return executable;
  return join(reachableCopy(prefix, copies), relative(prefix, executable));
}
