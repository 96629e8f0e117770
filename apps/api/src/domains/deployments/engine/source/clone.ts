import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { isReachable } from '@nephos/db';
import { byteSize } from '../../../../platform/byte-size.ts';
import type { Resolve } from '../../../../platform/public-address.ts';
import { makePrivate, type ReleaseFolders, repositoryFolders } from '../folders.ts';
import { cloneEnvironment } from '../process/environment.ts';
import { folderSize } from '../process/folder-size.ts';
import type { ProcessParts } from '../process/process-parts.ts';
import type { RunningBuild } from '../process/running-build.ts';
import { StepFailure } from '../step-failure.ts';
import { askGit, cloneFailure, type Git, MAX_SAID, runGit } from './git.ts';
import { explainGit } from './git-failure.ts';
import { refuseLfs } from './large-files.ts';
import { checkRepository } from './repository-address.ts';
import { openSshAccess } from './ssh-access.ts';
import { fetchSubmodules } from './submodules.ts';

/** What a build works with. */
export interface BuildParts extends ProcessParts {
  /** Finds the addresses of repositories' hosts. */
  resolve: Resolve;
}

export interface Commit {
  id: string;
  /** First line of the message. */
  message: string;
  branch: string;
}

/**
 * Clones the newest commit of the branch, or of the repository's default branch, with its submodules into `folders.app`,
 * as the project's account: no hook, LFS, redirect, prompt or host configuration, and only from the addresses that were
 * checked. Throws `StepFailure`.
 */
export async function clone(parts: BuildParts, options: RunningBuild): Promise<Commit> {
  const { job, folders, account } = options;
  const { git: program, gitReason } = parts.toolchain;
  if (!program) throw new StepFailure('clone', `Failed to clone the repository. ${gitReason}`);
  const allowPrivate = parts.settings.allowPrivateRepositories;
  const gitConfig = allowPrivate ? await trustingConfig(folders) : '/dev/null';
  const git: Git = {
    program,
    env: cloneEnvironment(parts, { folders, gitConfig }),
    protocols: allowPrivate ? ['https', 'http', 'file'] : ['https'],
  };
  await makePrivate(folders.app, account);
  if (job.pushed) await clonePushed(parts, options, git, job.pushed);
  else await cloneRepository(parts, options, git);
  const commit = await readCommit(parts, options, git);
  await refuseLfs(parts, options, git);
  await fetchSubmodules(parts, options, git);
  await refuseSize(parts, options);
  return commit;
}

/** What was pushed to us: the branch, at that commit where it may have gone on since. */
async function clonePushed(
  parts: BuildParts,
  options: RunningBuild,
  git: Git,
  { commit }: { commit: string | null },
): Promise<void> {
  const { app } = options.folders;
  const { app: folder } = repositoryFolders(parts.root, options.job.projectId);
  const { href: url } = pathToFileURL(folder);
  const local = { ...git, protocols: ['file'], readable: [folder] };
  await runClone(parts, options, local, { url, pin: undefined });
  if (commit === null) return;
  const goTo = (...args: string[]) =>
    askGit(parts, options, local, {
      args: ['-C', app, ...args],
      failure: () => 'this commit is no longer in it. Deploy again to build the latest one',
    });
  await goTo('fetch', '--quiet', '--depth=1', 'origin', commit);
  await goTo('reset', '--quiet', '--hard', commit);
}

async function cloneRepository(parts: BuildParts, options: RunningBuild, git: Git): Promise<void> {
  const allowPrivate = parts.settings.allowPrivateRepositories;
  const address = await checkRepository(options.job.repositoryUrl, { allowPrivate, resolve: parts.resolve });
  checkReach(address.url);
  if (address.ssh === undefined) await runClone(parts, options, git, address);
  else await cloneBySsh(parts, options, git, { ...address, ssh: address.ssh });
}

/** The key is there for this step alone. */
async function cloneBySsh(
  parts: BuildParts,
  options: RunningBuild,
  git: Git,
  { url, ssh }: { url: string; ssh: string },
): Promise<void> {
  await using access = await openSshAccess(parts, options, ssh);
  const { readable, env } = access;
  const bySsh = { ...git, env: { ...git.env, ...env }, protocols: ['ssh'], readable };
  await runClone(parts, options, bySsh, { url, pin: undefined });
}

/** Refuses a folder that is closed to the project's account, of which git would only say that nothing is there. */
function checkReach(url: string): void {
  if (!url.startsWith('file:') || process.getuid?.() !== 0 || isReachable(fileURLToPath(url))) return;
  throw cloneFailure('the build account has no permission to read its folder');
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
  git: Git,
  { url, pin }: { url: string; pin: string | undefined },
): Promise<void> {
  const { job, folders, log } = options;
  const flags = [
    '--quiet',
    '--depth=1',
    '--single-branch',
    '--no-tags',
    '--no-recurse-submodules',
    '--template=',
  ];
  const branch = job.branch === '' ? [] : [`--branch=${job.branch}`];
  let said = '';
  await runGit(parts, options, git, {
    args: ['clone', ...flags, ...branch, '--', url, folders.app],
    pins: [pin],
    listen(stream, text) {
      said = (said + text).slice(-MAX_SAID);
      log.write(stream, text);
    },
    failure: () => explainGit(said, job),
  });
}

/** It may have grown since the last look of the guard. */
async function refuseSize({ limits: { cloneBytes } }: BuildParts, { folders }: RunningBuild): Promise<void> {
  if ((await folderSize([folders.release])) <= cloneBytes) return;
  throw cloneFailure(`it used more than ${byteSize(cloneBytes)} of disk`);
}

async function readCommit(parts: BuildParts, options: RunningBuild, git: Git): Promise<Commit> {
  const { folders, job } = options;
  const said = await askGit(parts, options, git, {
    args: ['-C', folders.app, 'log', '-1', '--decorate=short', '--format=%H%n%D%n%s'],
    failure: () =>
      job.branch === ''
        ? 'its default branch has no commits'
        : 'its latest commit could not be read. See the log for details',
  });
  const [id = '', names = '', message = ''] = said.split('\n');
  const [, branch = job.branch] = /(?:^|, )HEAD -> ([^,]+)/.exec(names) ?? [];
  return { id, branch, message: message.slice(0, 500) };
}
