import { createHash } from 'node:crypto';
import type { Plan } from '../detect/plan.ts';
import { type ReleaseFolders, releaseFolders } from '../folders.ts';
import { pathInApp } from '../process/disks.ts';
import type { ProcessParts } from '../process/process-parts.ts';
import { runQuietly } from '../process/run-quietly.ts';
import type { RunningBuild } from '../process/running-build.ts';
import type { Runtimes } from './bring-programs.ts';
import { type Build, newestBuild } from './releases.ts';

/** What the log says then. */
export const REUSED =
  'Nothing has changed since the last build, so it is used again. To build anew, clear the cache and deploy.';

/**
 * The newest release that is the same as what this build would make, and still is as it was made: its deployment's id.
 * It is started again in its place, as a restart does, so nothing in it has to be moved.
 */
export async function findSameBuild(
  parts: ProcessParts,
  options: RunningBuild,
  plan: Plan,
  key: string,
): Promise<string | undefined> {
  const { job } = options;
  if (job.clearCache) return undefined;
  const newest = await newestBuild(parts.root, job.projectId);
  if (newest?.build.key !== key) return undefined;
  const folders = releaseFolders(parts.root, job.projectId, newest.id);
  const content = await contentOf(parts, options, plan, folders);
  return content !== undefined && content === newest.build.content ? newest.id : undefined;
}

/** The same for builds of the same commit by the same commands, programs and variables. */
export function buildKey(
  { root }: Pick<ProcessParts, 'root'>,
  { job }: RunningBuild,
  { commit, plan, runtimes }: { commit: string; plan: Plan; runtimes: Runtimes },
): string {
  const parts = [
    // Programs of a release may name the folder that they lie in.
    root,
    ...[job.repositoryUrl, commit, job.framework, plan, runtimes],
    ...[process.platform, process.arch, process.version],
    Object.entries(job.buildVariables).sort(),
    job.disks.map(({ id, path }) => [id, path]),
  ];
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex');
}

/** What tells later whether this release is still as it was built; undefined where that cannot be told. */
export async function describeBuild(
  parts: ProcessParts,
  options: RunningBuild,
  plan: Plan,
  key: string,
): Promise<Build | undefined> {
  const content = await contentOf(parts, options, plan, options.folders);
  return content === undefined ? undefined : { key, content };
}

/**
 * Prints a digest over the files below folders: their paths, numbers, sizes, modes and times. A project can set all of
 * these but the time of the last change. Arguments: names and paths to leave out, then the folders.
 */
const DIGEST = `const fs = require('node:fs');
const hash = require('node:crypto').createHash('sha256');
const [left, ...folders] = process.argv.slice(1);
const { names, paths } = JSON.parse(left);
const look = (folder, path) => {
  for (const name of fs.readdirSync(folder + path).sort()) {
    const below = path + '/' + name;
    if (names.includes(name) || paths.includes(below)) continue;
    const found = fs.lstatSync(folder + below, { bigint: true });
    if (found.isDirectory()) look(folder, below);
    else hash.update([below, found.ino, found.size, found.mode, found.mtimeNs, found.ctimeNs].join('\\0') + '\\n');
  }
};
for (const folder of folders) if (fs.existsSync(folder)) look(folder, '');
console.log(hash.digest('hex'));`;

/** What programs write beside their code as they first run, and can write again. */
const BYTECODE = '__pycache__';

/** It looks as the project's account, which may have put links anywhere. '' for a site, which only we can change. */
async function contentOf(
  parts: ProcessParts,
  options: RunningBuild,
  plan: Plan,
  { app, venv }: ReleaseFolders,
): Promise<string | undefined> {
  // A release command needs the app's folder, which a site's release does not keep.
  if (!('kind' in plan.serve)) return plan.release ? undefined : '';
  const disks = options.job.disks.flatMap((disk) => pathInApp(disk) ?? []);
  const paths = [...plan.kept.caches, ...disks].map((path) => `/${path}`);
  const left = JSON.stringify({ names: [BYTECODE, '.git'], paths });
  const readable = app === options.folders.app ? [] : [app, venv];
  return runQuietly(parts, options, ['node', '-e', DIGEST, left, app, venv], { readable });
}
