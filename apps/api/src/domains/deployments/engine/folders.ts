import { chmod, chown, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Account } from '@nephos/db';

/** Where a release lies. Only `app`, `home`, `tmp` and `venv` belong to the project's account. */
export interface ReleaseFolders {
  release: string;
  /** The clone, then the built app. */
  app: string;
  /** `HOME` and `TMPDIR` of its processes. */
  home: string;
  tmp: string;
  /** Python's packages. */
  venv: string;
  /** A static site, out of reach of the project's account. */
  site: string;
  /** Says how to start the release; there is none before the build has succeeded. */
  manifest: string;
}

export function projectFolder(root: string, projectId: string): string {
  return join(root, 'projects', projectId);
}

/** Package manager caches, shared by the builds of one project. */
export function cacheFolder(root: string, projectId: string): string {
  return join(projectFolder(root, projectId), 'cache');
}

export function releasesFolder(root: string, projectId: string): string {
  return join(projectFolder(root, projectId), 'releases');
}

export function releaseFolders(root: string, projectId: string, deploymentId: string): ReleaseFolders {
  const release = join(releasesFolder(root, projectId), deploymentId);
  return {
    release,
    app: join(release, 'app'),
    home: join(release, 'home'),
    tmp: join(release, 'tmp'),
    venv: join(release, 'venv'),
    site: join(release, 'site'),
    manifest: join(release, 'release.json'),
  };
}

/** Makes a folder of ours that other accounts may pass through, but neither list nor change. */
export async function makePassage(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  await chmod(folder, 0o711);
}

/** Makes a folder that only the project's account may enter. */
export async function makePrivate(folder: string, account: Account | undefined): Promise<void> {
  await mkdir(folder, { recursive: true });
  await chmod(folder, 0o700);
  if (account) await chown(folder, account.uid, account.gid);
}
