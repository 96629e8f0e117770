import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { isReachable } from '@nephos/db';
import { byteSize } from '../../../../platform/byte-size.ts';
import type { BuildOptions } from '../build/build-options.ts';
import { runCommand } from '../build/run-command.ts';
import type { EngineDeps } from '../engine-deps.ts';
import type { ReleaseFolders } from '../folders.ts';
import { cloneEnvironment } from '../process/environment.ts';
import { folderSize } from '../process/folder-size.ts';
import { Breach, guard } from '../process/guard.ts';
import { StepFailure } from '../step-failure.ts';
import { explainGit } from './git-failure.ts';
import { checkRepository } from './repository-address.ts';

const run = promisify(execFile);

export interface Commit {
  id: string;
  /** First line of the message. */
  message: string;
}

/**
 * Clones the newest commit of the branch into `folders.app`, as the project's account: no submodule, hook, LFS,
 * redirect, prompt or host configuration, and only to the addresses that were checked. Throws `StepFailure`.
 */
export async function clone(deps: EngineDeps, options: BuildOptions): Promise<Commit> {
  const { job, folders, account } = options;
  const { git, gitReason } = deps.toolchain;
  if (!git) throw new StepFailure('clone', `The repository cannot be cloned. ${gitReason}`);
  const allowPrivate = deps.settings.allowPrivateRepositories;
  const address = await checkRepository(job.repositoryUrl, { allowPrivate, resolve: deps.resolve });
  checkReach(address.url);
  const gitConfig = allowPrivate ? await trustingConfig(folders) : '/dev/null';
  const env = cloneEnvironment(deps, { deploymentId: job.deploymentId, folders, gitConfig });
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
  await runClone(deps, options, { argv, env });
  return readCommit(git, { cwd: folders.app, env, ...account });
}

/** Git itself only says that nothing is there, when a folder on the way is closed to its account. */
function checkReach(url: string): void {
  if (!url.startsWith('file:') || process.getuid?.() !== 0 || isReachable(fileURLToPath(url))) return;
  throw new StepFailure(
    'clone',
    'The repository cannot be cloned: its folder, or one above it, is closed to the account that builds projects.',
  );
}

/** Lets git read a repository on this machine's disk that belongs to another account; git itself is unprivileged. */
async function trustingConfig(folders: ReleaseFolders): Promise<string> {
  const file = join(folders.release, 'gitconfig');
  await writeFile(file, '[safe]\n\tdirectory = *\n', { mode: 0o644 });
  return file;
}

async function runClone(
  deps: EngineDeps,
  { job, folders, account, log, signal }: BuildOptions,
  { argv, env }: { argv: string[]; env: Record<string, string> },
): Promise<void> {
  const { cloneTime: time, cloneBytes: bytes, buildMemory: memory, processes, sampleTime } = deps.limits;
  using bounds = guard(
    (candidate) => candidate.deployment === job.deploymentId,
    { time, memory, processes, disk: { folders: [folders.release], bytes } },
    sampleTime,
  );
  let said = '';
  const listening = {
    write(stream: 'stdout' | 'stderr', text: string) {
      said = (said + text).slice(-16_384);
      log.write(stream, text);
    },
  };
  const exit = await runCommand(
    deps,
    { argv, folder: folders.home, env, account, deploymentId: job.deploymentId },
    { log: listening, signal: AbortSignal.any([signal, bounds.signal]) },
  ).catch((error: unknown) => {
    if (!(error instanceof Breach)) throw error;
    throw new StepFailure('clone', `The repository cannot be cloned: ${error.message}.`);
  });
  if (exit.code !== 0) {
    throw new StepFailure('clone', `The repository cannot be cloned: ${explainGit(said, job.branch)}.`);
  }
  // It may have grown since the last look.
  if ((await folderSize([folders.release])) > bytes) {
    throw new StepFailure(
      'clone',
      `The repository cannot be cloned: it used more than ${byteSize(bytes)} of disk.`,
    );
  }
}

async function readCommit(
  git: string,
  options: { cwd: string; env: Record<string, string>; uid?: number; gid?: number },
): Promise<Commit> {
  const { stdout } = await run(git, ['log', '-1', '--format=%H%n%s'], options);
  const [id = '', message = ''] = stdout.split('\n');
  return { id, message: message.slice(0, 500) };
}
