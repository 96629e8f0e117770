import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isReachable } from '@nephos/db';
import { byteSize } from '../../../../platform/byte-size.ts';
import type { Resolve } from '../../../../platform/public-address.ts';
import { makePrivate, type ReleaseFolders } from '../folders.ts';
import type { RunningBuild } from '../process/build-options.ts';
import { cloneEnvironment } from '../process/environment.ts';
import { folderSize } from '../process/folder-size.ts';
import { Breach, guard } from '../process/guard.ts';
import type { ProcessParts } from '../process/process-parts.ts';
import { runCommand } from '../process/run-command.ts';
import { StepFailure } from '../step-failure.ts';
import { explainGit } from './git-failure.ts';
import { checkRepository } from './repository-address.ts';

/** What a build works with. */
export interface BuildParts extends ProcessParts {
  /** Finds the addresses of repositories' hosts. */
  resolve: Resolve;
}

/** What is kept of git's output, in characters. */
const MAX_SAID = 16_384;

export interface Commit {
  id: string;
  /** First line of the message. */
  message: string;
}

/**
 * Clones the newest commit of the branch into `folders.app`, as the project's account: no submodule, hook, LFS,
 * redirect, prompt or host configuration, and only to the addresses that were checked. Throws `StepFailure`.
 */
export async function clone(parts: BuildParts, options: RunningBuild): Promise<Commit> {
  const { job, folders, account } = options;
  const { git, gitReason } = parts.toolchain;
  if (!git) throw new StepFailure('clone', `Failed to clone the repository. ${gitReason}`);
  const allowPrivate = parts.settings.allowPrivateRepositories;
  const address = await checkRepository(job.repositoryUrl, { allowPrivate, resolve: parts.resolve });
  checkReach(address.url);
  const gitConfig = allowPrivate ? await trustingConfig(folders) : '/dev/null';
  const env = cloneEnvironment(parts, { folders, gitConfig });
  const protocols = allowPrivate ? ['https', 'http', 'file'] : ['https'];
  const settings = [
    'protocol.allow=never',
    ...protocols.map((protocol) => `protocol.${protocol}.allow=always`),
    'http.followRedirects=false',
    'core.hooksPath=/dev/null',
    'credential.helper=',
    ...(address.pin ? [`http.curloptResolve=${address.pin}`] : []),
  ].flatMap((setting) => ['-c', setting]);
  const flags = [
    '--quiet',
    '--depth=1',
    '--single-branch',
    '--no-tags',
    '--no-recurse-submodules',
    '--template=',
  ];
  const argv = [
    git,
    ...settings,
    'clone',
    ...flags,
    `--branch=${job.branch}`,
    '--',
    address.url,
    folders.app,
  ];
  await makePrivate(folders.app, account);
  await runClone(parts, options, { argv, env });
  return readCommit(parts, options, { git, env });
}

/** Refuses a folder that is closed to the project's account, of which git would only say that nothing is there. */
function checkReach(url: string): void {
  if (!url.startsWith('file:') || process.getuid?.() !== 0 || isReachable(fileURLToPath(url))) return;
  throw new StepFailure(
    'clone',
    'Failed to clone the repository: the build account has no permission to read its folder.',
  );
}

/** Lets git read a repository on this machine's disk that belongs to another account; git itself is unprivileged. */
async function trustingConfig(folders: ReleaseFolders): Promise<string> {
  const file = join(folders.release, 'gitconfig');
  await writeFile(file, '[safe]\n\tdirectory = *\n', { mode: 0o644 });
  return file;
}

async function runClone(
  parts: BuildParts,
  options: RunningBuild,
  command: Pick<GitCommand, 'argv' | 'env'>,
): Promise<void> {
  const { job, folders, log } = options;
  const { cloneBytes: bytes } = parts.limits;
  let said = '';
  await runGit(parts, options, {
    ...command,
    listen(stream, text) {
      said = (said + text).slice(-MAX_SAID);
      log.write(stream, text);
    },
    failure: () => explainGit(said, job.branch),
  });
  // It may have grown since the last look.
  if ((await folderSize([folders.release])) > bytes) {
    throw new StepFailure(
      'clone',
      `Failed to clone the repository: it used more than ${byteSize(bytes)} of disk.`,
    );
  }
}

/** Asks git, within the limits, since an app of the project that runs could make it never answer. */
async function readCommit(
  parts: BuildParts,
  options: RunningBuild,
  { git, env }: { git: string; env: Record<string, string> },
): Promise<Commit> {
  let said = '';
  await runGit(parts, options, {
    argv: [git, '-C', options.folders.app, 'log', '-1', '--format=%H%n%s'],
    env,
    listen(stream, text) {
      if (stream === 'stdout') said = (said + text).slice(0, MAX_SAID);
      else options.log.write(stream, text);
    },
    failure: () => 'its latest commit could not be read. See the log for details',
  });
  const [id = '', message = ''] = said.split('\n');
  return { id, message: message.slice(0, 500) };
}

interface GitCommand {
  argv: string[];
  env: Record<string, string>;
  listen(stream: 'stdout' | 'stderr', text: string): void;
  /** Why it failed; completes 'Failed to clone the repository: …'. */
  failure(): string;
}

/** Runs git as the project's account within the limits of a clone. Throws `StepFailure`, or the signal's reason. */
async function runGit(
  parts: BuildParts,
  { folders, run, signal }: RunningBuild,
  { argv, env, listen, failure }: GitCommand,
): Promise<void> {
  const { cloneTime: time, cloneBytes: bytes, buildMemory: memory, processes, sampleTime } = parts.limits;
  using bounds = guard(
    run,
    { time, memory, processes, disk: { folders: [folders.release], bytes, rest: 0 } },
    sampleTime,
  );
  const exit = await runCommand(
    parts,
    { argv, folder: folders.home, env, run, maxFileBytes: parts.limits.buildBytes },
    { log: { write: listen }, signal: AbortSignal.any([signal, bounds.signal]) },
  ).catch((error: unknown) => {
    if (!(error instanceof Breach)) throw error;
    throw new StepFailure('clone', `Failed to clone the repository: ${error.message}.`);
  });
  if (exit.code !== 0) throw new StepFailure('clone', `Failed to clone the repository: ${failure()}.`);
}
