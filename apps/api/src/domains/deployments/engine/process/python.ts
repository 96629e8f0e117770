import { execFile } from 'node:child_process';
import { dirname, join, relative } from 'node:path';
import { promisify } from 'node:util';
import { isReachable } from '@nephos/db';
import { findPrograms } from './find-program.ts';
import { reachableCopy } from './reachable-copy.ts';

const run = promisify(execFile);

/** An interpreter that every account can reach. */
export interface Interpreter {
  command: string;
  /** For example `3.12.4`. */
  version: string;
}

export interface Python {
  /** The interpreter; undefined: projects in Python cannot be run. */
  command: string | undefined;
  /** Why not, as one sentence; '' where they can. */
  reason: string;
  /** All that are installed, looked for at the first question. */
  all(): Promise<readonly Interpreter[]>;
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
      all ??= allPythons(path, copies);
      return all;
    },
  };
}

async function defaultPython(path: string, copies: string): Promise<Omit<Python, 'all'>> {
  const candidates = findPrograms('python3', path);
  if (candidates.length === 0) {
    return {
      command: undefined,
      reason: 'Python is not available: python3 is not installed on this server.',
    };
  }
  const reachable = candidates.filter((file) => isReachable(dirname(file)));
  for (const candidate of [...reachable, ...candidates]) {
    const found = await ask(candidate, path, copies);
    if (found) return { command: found.command, reason: '' };
  }
  return {
    command: undefined,
    reason: 'Python is not available: python3 has no venv module (on Debian, install python3-venv).',
  };
}

/** One of each version, what every account can reach first. */
async function allPythons(path: string, copies: string): Promise<readonly Interpreter[]> {
  const minors = Array.from(
    { length: NEWEST_MINOR - OLDEST_MINOR + 1 },
    (_, at) => `python3.${NEWEST_MINOR - at}`,
  );
  const candidates = ['python3', ...minors].flatMap((name) => findPrograms(name, path));
  candidates.sort((a, b) => Number(isReachable(dirname(b))) - Number(isReachable(dirname(a))));
  const answers = await Promise.all(candidates.map((candidate) => ask(candidate, path, copies)));
  const byVersion = new Map(
    answers.flatMap((found) => (found ? [[found.version, found] as const] : [])).reverse(),
  );
  return [...byVersion.values()];
}

async function ask(candidate: string, path: string, copies: string): Promise<Interpreter | undefined> {
  const answer = await run(candidate, ['-I', '-c', QUESTION], { env: { PATH: path }, timeout: 10_000 }).catch(
    () => undefined,
  );
  const [executable = '', prefix = '', version = ''] = answer?.stdout.trim().split('\n') ?? [];
  return executable && prefix ? { command: reachablePython(executable, prefix, copies), version } : undefined;
}

function reachablePython(executable: string, prefix: string, copies: string): string {
  if (isReachable(dirname(executable))) return executable;
  return join(reachableCopy(prefix, copies), relative(prefix, executable));
}
