import { join } from 'node:path';
import { readSshAddress } from '@nephos/contracts';
import { readPlainFile } from '@nephos/db';
import { holdBelow } from '../detect/snapshot.ts';
import type { RunningBuild } from '../process/running-build.ts';
import { StepFailure } from '../step-failure.ts';
import type { BuildParts } from './clone.ts';
import { askGit, cloneFailure, type Git, MAX_SAID, runGit } from './git.ts';
import { explainGit } from './git-failure.ts';
import { checkRepository } from './repository-address.ts';

const MAX_SUBMODULES = 20;
const MAX_DEPTH = 3;

/**
 * Fetches the submodules of a clone, and theirs, at the commits that are recorded: public ones or those of the token's host, by the rules for
 * repositories' addresses. Throws `StepFailure`.
 */
export async function fetchSubmodules(
  parts: BuildParts,
  options: RunningBuild,
  git: Git,
  { folder = '.', depth = 1 } = {},
): Promise<void> {
  if (!(await hasSubmodules(options, folder))) return;
  if (depth > MAX_DEPTH) throw cloneFailure(`its submodules are nested more than ${MAX_DEPTH} deep`);
  const inside = ['-C', join(options.folders.app, folder)];
  const ask = (...args: string[]) =>
    askGit(parts, options, git, {
      args: [...inside, ...args],
      failure: () => 'its .gitmodules could not be read',
    });
  // From here on, git's own configuration says where each one is: a relative address is resolved in it.
  await ask('submodule', '--quiet', 'init');
  const listed = valuesOf(await ask('config', '--get-regexp', String.raw`^submodule\..*\.url$`));
  if (listed.length === 0) return;
  if (listed.length > MAX_SUBMODULES) throw cloneFailure(`it has more than ${MAX_SUBMODULES} submodules`);
  const pins: (string | undefined)[] = [];
  for (const { key, value } of listed) {
    const url = overHttps(value);
    if (url !== value) await ask('config', '--', key, url);
    pins.push(await checkSubmodule(parts, key, url));
  }
  options.log.system(`Fetching ${listed.length === 1 ? 'a submodule' : `${listed.length} submodules`}.`);
  await update(parts, options, git, { inside, pins });
  const paths = valuesOf(
    await ask('config', '-f', '.gitmodules', '--get-regexp', String.raw`^submodule\..*\.path$`),
  );
  for (const { value } of paths)
    await fetchSubmodules(parts, options, git, { folder: join(folder, value), depth: depth + 1 });
}

async function hasSubmodules({ folders, account }: RunningBuild, path: string): Promise<boolean> {
  await using folder = await holdBelow(folders.app, path, account);
  return folder !== undefined && (await readPlainFile(folder.at('.gitmodules'), account, 1)) !== undefined;
}

/** Keys and values that `git config` lists. */
function valuesOf(listed: string): { key: string; value: string }[] {
  return listed
    .split('\n')
    .map((line) => /^(submodule\..+\.(?:url|path)) (.+)$/.exec(line))
    .flatMap((match) => (match ? [{ key: match[1] ?? '', value: match[2] ?? '' }] : []));
}

/** The address over HTTPS of one that is written for SSH: hosts of public repositories have both. */
function overHttps(url: string): string {
  const [, host, path] = /^(?:ssh:\/\/)?git@([A-Za-z0-9.-]+)[:/](.+)$/.exec(url) ?? [];
  return host && path ? `https://${host}/${path}` : url;
}

async function checkSubmodule(parts: BuildParts, key: string, url: string): Promise<string | undefined> {
  const allowPrivate = parts.settings.allowPrivateRepositories;
  try {
    // The deploy key is for the project's own repository.
    if (readSshAddress(url)) throw cloneFailure('the URL must begin with https://');
    return (await checkRepository(url, { allowPrivate, resolve: parts.resolve })).pin;
  } catch (error) {
    if (!(error instanceof StepFailure)) throw error;
    const name = key.replace(/^submodule\.(.*)\.url$/, '$1');
    throw cloneFailure(
      `its submodule ${name} can't be fetched: ${error.message.replace(/^Failed to clone the repository: |\.$/g, '')}`,
    );
  }
}

async function update(
  parts: BuildParts,
  options: RunningBuild,
  git: Git,
  { inside, pins }: { inside: string[]; pins: readonly (string | undefined)[] },
): Promise<void> {
  let said = '';
  await runGit(parts, options, git, {
    args: [...inside, 'submodule', '--quiet', 'update', '--depth=1', '--checkout'],
    pins,
    listen(stream, text) {
      said = (said + text).slice(-MAX_SAID);
      options.log.write(stream, text);
    },
    failure: () => `a submodule could not be fetched: ${explainGit(said, { ...options.job, branch: '' })}`,
  });
}
