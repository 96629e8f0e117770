import { constants } from 'node:fs';
import { type FileHandle, mkdir, open } from 'node:fs/promises';
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
  /** Links to programs that were brought for this release: its Node.js, its package manager. */
  bin: string;
  /** Versions that a lock file holds Python's packages to. */
  constraints: string;
  /** Python's packages. */
  venv: string;
  /** A static site, out of reach of the project's account. */
  site: string;
  /** Where a restore of the installation leaves the image of a release until Docker has it, as Docker saves one. */
  image: string;
  /** Says how to start the release; there is none before the build has succeeded. */
  manifest: string;
}

export function projectFolder(root: string, projectId: string): string {
  return join(root, 'projects', projectId);
}

/** What the builds of one project keep for the next: packages, and the caches of its tools. */
export function cacheFolder(root: string, projectId: string): string {
  return join(projectFolder(root, projectId), 'cache');
}

/** Holds a folder per disk, each under its id. */
export function disksFolder(root: string, projectId: string): string {
  return join(projectFolder(root, projectId), 'disks');
}

/** Holds the file of each disk that is a file system of its own, out of reach of the project's account. */
export function imagesFolder(root: string, projectId: string): string {
  return join(projectFolder(root, projectId), 'images');
}

/** Where a disk lies. */
export interface DiskPlace {
  /** Where its files are. */
  folder: string;
  /** What is mounted there, of a file system of its own. */
  image: string;
}

export function diskPlace(root: string, projectId: string, diskId: string): DiskPlace {
  return {
    folder: join(disksFolder(root, projectId), diskId),
    image: join(imagesFolder(root, projectId), `${diskId}.ext4`),
  };
}

/** Holds a folder per deployment with the copies of disks that were made for it, which no app is shown. */
export function backupsFolder(root: string, projectId: string): string {
  return join(projectFolder(root, projectId), 'backups');
}

/**
 * Where a restore of the installation leaves what was in a Docker volume, as a tar archive, until there is one again: it
 * holds files as root's, which only root may enter.
 */
export function keptVolume(root: string, projectId: string, volume: string): string {
  return join(projectFolder(root, projectId), 'volumes', `${volume}.tar`);
}

export function releasesFolder(root: string, projectId: string): string {
  return join(projectFolder(root, projectId), 'releases');
}

export function releaseFolders(root: string, projectId: string, deploymentId: string): ReleaseFolders {
  return foldersIn(join(releasesFolder(root, projectId), deploymentId));
}

/** Where a project's own repository lies: as `app`, with folders beside it for the git that works on it. */
export function repositoryFolders(root: string, projectId: string): ReleaseFolders {
  return foldersIn(join(projectFolder(root, projectId), 'repository'));
}

function foldersIn(release: string): ReleaseFolders {
  return {
    release,
    app: join(release, 'app'),
    home: join(release, 'home'),
    tmp: join(release, 'tmp'),
    bin: join(release, 'bin'),
    constraints: join(release, 'constraints.txt'),
    venv: join(release, 'venv'),
    site: join(release, 'site'),
    image: join(release, 'image.tar'),
    manifest: join(release, 'release.json'),
  };
}

/** Makes a folder of ours that other accounts may pass through, but neither list nor change. */
export async function makePassage(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  await using held = await hold(folder);
  await held.chmod(0o711);
}

/** Makes a folder that only the project's account may enter. A link in its place is refused. */
export async function makePrivate(folder: string, account: Account | undefined): Promise<void> {
  await mkdir(folder, { recursive: true });
  await using held = await hold(folder);
  await held.chmod(0o700);
  if (account) await held.chown(account.uid, account.gid);
}

/** By a descriptor, so that what is changed is what was found, whatever has its name by then. */
function hold(folder: string): Promise<FileHandle> {
  return open(folder, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW);
}
