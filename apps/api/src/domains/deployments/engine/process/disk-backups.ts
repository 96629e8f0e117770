import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { open, rename, rm, stat } from 'node:fs/promises';
import { promisify } from 'node:util';
import { type Account, removeTree } from '@nephos/db';
import {
  BACKUP_KINDS,
  backupFile,
  findBackups,
  leaveFolderOf,
  makeBackupFolder,
  newHalfOf,
  syncFileSystem,
  syncFolderOf,
} from '../backup-files.ts';
import { assertRoom, backupFailure } from '../backup-room.ts';
import { type DiskPlace, diskPlace, imagesFolder, makePrivate } from '../folders.ts';
import type { Limits } from '../limits.ts';
import type { DiskBackup, DiskBackups } from '../runtime.ts';
import type { DiskImages } from './disk-images.ts';
import { folderSize } from './folder-size.ts';
import { mountAt } from './mount-table.ts';

const run = promisify(execFile);

interface Parts {
  /** Holds a folder per project. */
  root: string;
  limits: Pick<Limits, 'spareBytes'>;
}

interface SaveOptions {
  account: Account | undefined;
  signal: AbortSignal;
}

/** Bytes that a block of `stat` stands for (stat(2)). */
const BLOCK = 512;

/** Backups of this machine's disks, as files and folders beside them. `images` says why there are none, where there are none. */
export function createDiskBackups({ root, limits }: Parts, images: () => DiskImages | string): DiskBackups {
  const placesOf = (backup: DiskBackup) => ({
    disk: diskPlace(root, backup.projectId, backup.diskId),
    image: backupFile(root, backup, '.ext4'),
    files: backupFile(root, backup, '.files'),
  });

  /** Does work with an image while it is not mounted, all of it on the machine's disk; it is mounted again where it was. */
  const aside = async (place: DiskPlace, work: () => Promise<void>) => {
    const found = images();
    if (typeof found === 'string' || !(await mountAt(place.folder))) return work();
    // A namespace of somebody else's may hold it for longer than we do.
    await syncFileSystem(place.folder);
    await found.unmount(place);
    try {
      await work();
    } finally {
      // As large as it is.
      await found.mount(place, 0, undefined);
    }
  };

  const saveImage = async (backup: DiskBackup, signal: AbortSignal) => {
    const { disk, image } = placesOf(backup);
    const bytes = (await stat(disk.image)).blocks * BLOCK;
    await assertRoom(limits, { folder: imagesFolder(root, backup.projectId), bytes });
    await makeBackupFolder(root, backup);
    await making(image, (half) => aside(disk, () => copyImage(disk.image, half, signal)));
  };

  const saveFiles = async (backup: DiskBackup, { account, signal }: SaveOptions) => {
    const { disk, files } = placesOf(backup);
    await assertRoom(limits, { folder: disk.folder, bytes: await folderSize([disk.folder]) });
    await makeBackupFolder(root, backup);
    await making(files, (half) => copyFiles(disk.folder, half, { account, signal }));
  };

  return {
    async save(backup, options) {
      const { disk } = placesOf(backup);
      try {
        await this.drop(backup);
        if (existsSync(disk.image)) await saveImage(backup, options.signal);
        else if (existsSync(disk.folder)) await saveFiles(backup, options);
      } catch (error) {
        options.signal.throwIfAborted();
        throw backupFailure(error);
      }
    },
    async restore(backup) {
      const { disk, image, files } = placesOf(backup);
      if (existsSync(image)) {
        await aside(disk, () => rename(image, disk.image));
        await syncFolderOf(disk.image);
        await leaveFolderOf(image);
      }
      if (existsSync(files)) {
        const former = newHalfOf(files);
        // Cut short here, the disk is missing and the backup is not: then this begins anew.
        if (existsSync(disk.folder)) await rename(disk.folder, former);
        await rename(files, disk.folder);
        await syncFolderOf(disk.folder);
        await removeTree(former);
        await leaveFolderOf(files);
      }
    },
    async drop(backup) {
      const { image, files } = placesOf(backup);
      await rm(image, { force: true });
      if (existsSync(files)) {
        const former = newHalfOf(files);
        await rename(files, former);
        await removeTree(former);
      }
      await leaveFolderOf(image);
    },
    list: (projectId) => findBackups(root, BACKUP_KINDS.process, projectId),
  };
}

/** Makes something all of it or none. */
async function making(file: string, make: (half: string) => Promise<void>): Promise<void> {
  const half = newHalfOf(file);
  try {
    await make(half);
    await rename(half, file);
    await syncFolderOf(file);
  } catch (error) {
    await removeTree(half);
    await leaveFolderOf(file);
    throw error;
  }
}

/** Where nothing was written, the copy takes no space either. */
async function copyImage(image: string, copy: string, signal: AbortSignal): Promise<void> {
  await using file = await open(copy, 'wx', 0o600);
  await copyBy(['--sparse=always', '--reflink=auto', '--', image, copy], { account: undefined, signal });
  await file.sync();
}

/** As the project's account, whose files may be links to something of root's. */
async function copyFiles(folder: string, copy: string, { account, signal }: SaveOptions): Promise<void> {
  await makePrivate(copy, account);
  await copyBy(['-a', '--', `${folder}/.`, copy], { account, signal });
  await syncFileSystem(copy);
}

/** Throws what `cp` says where it fails, once it writes no more. */
async function copyBy(args: string[], { account, signal }: SaveOptions): Promise<void> {
  const copying = run('cp', args, { env: { LC_ALL: 'C' }, cwd: '/', ...account, signal });
  // A copy that is cut short is told of before it has ended.
  const ended = new Promise((resolve) => copying.child.once('close', resolve));
  try {
    await copying;
  } catch (error) {
    await ended;
    // What a failed program is told by has what it said.
    const { stderr, message } = error as { stderr?: string; message: string };
    throw new Error(stderr?.trim().split('\n')[0] || message);
  }
}
