import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { promisify } from 'node:util';
import type { Exit } from '../../instances/exit.ts';
import { findPrograms } from '../../process/find-program.ts';
import { pipeToLog } from '../../process/run-command.ts';

const run = promisify(execFile);

/** Milliseconds that the command gets to cancel its build. */
const GRACE_MS = 5000;
const LOOK_MS = 10_000;

const NO_BUILDKIT =
  'The docker command here cannot use BuildKit, which builds need. Install buildx (on Debian, apt-get install docker-buildx).';

/** The docker command that can build, or why there is none, as a sentence. */
export type DockerCommand = { program: string } | { reason: string };

/** The first docker command on a PATH that has BuildKit: from version 23 on that is a program of its own, buildx. */
export async function findDocker(path: string): Promise<DockerCommand> {
  const programs = findPrograms('docker', path);
  for (const program of programs) {
    if (await hasBuildKit(program, path)) return { program };
  }
  return {
    reason:
      programs.length > 0
        ? NO_BUILDKIT
        : 'The docker command is not installed on this server (on Debian, apt-get install docker.io).',
  };
}

async function hasBuildKit(program: string, path: string): Promise<boolean> {
  const ask = (...args: string[]) => run(program, args, { env: { PATH: path }, timeout: LOOK_MS });
  try {
    const { stdout } = await ask('--version');
    if (Number(/version (\d+)\./.exec(stdout)?.[1]) < 23) return true;
    await ask('buildx', 'version');
    return true;
  } catch {
    return false;
  }
}

export interface DockerBuild {
  program: string;
  args: readonly string[];
  env: Readonly<Record<string, string>>;
  folder: string;
  listen(text: string): void;
  signal: AbortSignal;
}

/** Runs the docker command to its end. When `signal` aborts, ends it and its build and rejects with the signal's reason. */
export async function runDocker({ program, args, env, folder, listen, signal }: DockerBuild): Promise<Exit> {
  signal.throwIfAborted();
  const child = spawn(program, args, { cwd: folder, env: { ...env }, stdio: ['ignore', 'pipe', 'pipe'] });
  pipeToLog(child, { write: (_, text) => listen(text) });
  const closed = once(child, 'close');
  let killing: NodeJS.Timeout | undefined;
  const cancel = () => {
    child.kill('SIGTERM');
    killing = setTimeout(() => child.kill('SIGKILL'), GRACE_MS);
  };
  signal.addEventListener('abort', cancel, { once: true });
  try {
    await closed;
  } finally {
    signal.removeEventListener('abort', cancel);
    clearTimeout(killing);
  }
  signal.throwIfAborted();
  return { code: child.exitCode, signal: child.signalCode };
}
