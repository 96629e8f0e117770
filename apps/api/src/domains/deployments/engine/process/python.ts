import { execFile } from 'node:child_process';
import { dirname, join, relative } from 'node:path';
import { promisify } from 'node:util';
import { isReachable } from '@nephos/db';
import { findPrograms } from './find-program.ts';
import { reachableCopy } from './reachable-copy.ts';

const run = promisify(execFile);

export interface Python {
  /** The interpreter; undefined: projects in Python cannot be run. */
  command: string | undefined;
  /** Why not, as one sentence; '' where they can. */
  reason: string;
}

const QUESTION =
  'import ensurepip, os, sys, venv; print(os.path.realpath(sys.executable)); print(sys.base_prefix)';

/** A python3 with venv and pip, preferably one that every account can reach as it is. */
export async function findPython(path: string, copies: string): Promise<Python> {
  const candidates = findPrograms('python3', path);
  if (candidates.length === 0) {
    return {
      command: undefined,
      reason: 'Python is not available: python3 is not installed on this server.',
    };
  }
  const reachable = candidates.filter((file) => isReachable(dirname(file)));
  for (const candidate of [...reachable, ...candidates]) {
    const answer = await run(candidate, ['-I', '-c', QUESTION], {
      env: { PATH: path },
      timeout: 10_000,
    }).catch(() => undefined);
    const [executable = '', prefix = ''] = answer?.stdout.trim().split('\n') ?? [];
    if (executable && prefix) return { command: reachablePython(executable, prefix, copies), reason: '' };
  }
  return {
    command: undefined,
    reason: 'Python is not available: python3 has no venv module (on Debian, install python3-venv).',
  };
}

function reachablePython(executable: string, prefix: string, copies: string): string {
  if (isReachable(dirname(executable))) return executable;
  return join(reachableCopy(prefix, copies), relative(prefix, executable));
}
