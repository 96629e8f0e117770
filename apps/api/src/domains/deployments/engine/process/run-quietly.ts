import { Breach } from './guard.ts';
import type { ProcessParts } from './process-parts.ts';
import { runCommand } from './run-command.ts';
import type { RunningBuild } from './running-build.ts';

const MOST = 4096;

/**
 * What a command of ours prints, run as the project's account beside its build, or undefined where it fails. That the
 * build uses more than it may is for the step to say that comes next, or was before.
 */
export async function runQuietly(
  parts: ProcessParts,
  { folders, run, signal }: RunningBuild,
  argv: readonly string[],
  { folder = folders.home, readable = [] }: { folder?: string; readable?: readonly string[] } = {},
): Promise<string | undefined> {
  let said = '';
  const write = (stream: 'stdout' | 'stderr', text: string) => {
    if (stream === 'stdout') said = (said + text).slice(0, MOST);
  };
  const env = { PATH: parts.toolchain.path, HOME: folders.home, LC_ALL: 'C' };
  const maxFileBytes = parts.limits.buildBytes;
  const exit = await runCommand(
    parts,
    { argv, folder, env, run, readable, maxFileBytes },
    { log: { write }, signal },
  ).catch((error: unknown) => {
    if (!(error instanceof Breach)) throw error;
    return undefined;
  });
  return exit?.code === 0 ? said.trim() : undefined;
}
