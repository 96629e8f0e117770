import { fileURLToPath } from 'node:url';
import { Breach, guard } from '../process/guard.ts';
import type { ProcessParts } from '../process/process-parts.ts';
import { runCommand } from '../process/run-command.ts';
import type { RunningBuild } from '../process/running-build.ts';
import { StepFailure } from '../step-failure.ts';
import { credentialVariables } from './git-credentials.ts';

/** git with the settings that every command of a clone has: it goes nowhere but to the addresses that were checked. */
export interface Git {
  program: string;
  env: Record<string, string>;
  /** Files that it reads besides. */
  readable?: readonly string[];
  /** Schemes that it may use. */
  protocols: readonly string[];
}

export interface GitCommand {
  args: string[];
  /** Values of `http.curloptResolve`: it goes to these, as whoever may read the repository. Absent, it goes nowhere. */
  pins?: readonly (string | undefined)[];
  listen(stream: 'stdout' | 'stderr', text: string): void;
  /** Why it failed; completes 'Failed to clone the repository: …'. */
  failure(): string;
}

/** What is kept of git's output, in characters. */
export const MAX_SAID = 16_384;

export function cloneFailure(reason: string): StepFailure {
  return new StepFailure('clone', `Failed to clone the repository: ${reason}.`);
}

/** Runs git as the project's account within the limits of a clone. Throws `StepFailure`, or the signal's reason. */
export async function runGit(
  parts: ProcessParts,
  { job, folders, run, signal }: RunningBuild,
  { program, env, protocols, readable = [] }: Git,
  { args, pins, listen, failure }: GitCommand,
): Promise<void> {
  const { cloneTime: time, cloneBytes: bytes, buildMemory: memory, processes, sampleTime } = parts.limits;
  using bounds = guard(
    run,
    { time, memory, processes, disk: { folders: [folders.release], bytes, rest: 0 } },
    sampleTime,
  );
  const settings = [
    'protocol.allow=never',
    ...protocols.map((protocol) => `protocol.${protocol}.allow=always`),
    'http.followRedirects=false',
    'core.hooksPath=/dev/null',
    'credential.helper=',
    ...(pins ?? []).flatMap((pin) => (pin ? [`http.curloptResolve=${pin}`] : [])),
  ].flatMap((setting) => ['-c', setting]);
  const exit = await runCommand(
    parts,
    {
      argv: [program, ...settings, ...args],
      folder: folders.home,
      env: { ...env, ...(pins && credentialVariables(job.repositoryCredentials)) },
      run,
      maxFileBytes: parts.limits.buildBytes,
      // The addresses that it may reach were checked, and it runs no code of the project's.
      sharesNetwork: true,
      readable: [...readable, ...folderOf(job.repositoryUrl), ...settingsOf(env)],
    },
    { log: { write: listen }, signal: AbortSignal.any([signal, bounds.signal]) },
  ).catch((error: unknown) => {
    if (!(error instanceof Breach)) throw error;
    throw cloneFailure(error.message);
  });
  if (exit.code !== 0) throw cloneFailure(failure());
}

/** A repository on this machine's disk. */
function folderOf(url: string): string[] {
  return url.startsWith('file:') ? [fileURLToPath(url)] : [];
}

function settingsOf({ GIT_CONFIG_GLOBAL: file = '/dev/null' }: Git['env']): string[] {
  return file === '/dev/null' ? [] : [file];
}

/** What git prints for a question about the clone, within the limits: a running app of the project could make it never answer. */
export async function askGit(
  parts: ProcessParts,
  options: RunningBuild,
  git: Git,
  { args, failure }: Pick<GitCommand, 'args' | 'failure'>,
): Promise<string> {
  let said = '';
  await runGit(parts, options, git, {
    args,
    listen(stream, text) {
      if (stream === 'stdout') said = (said + text).slice(0, MAX_SAID);
      else options.log.write(stream, text);
    },
    failure,
  });
  return said;
}
