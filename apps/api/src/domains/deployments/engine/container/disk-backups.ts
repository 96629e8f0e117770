import { existsSync } from 'node:fs';
import { open, rm } from 'node:fs/promises';
import type { Logger } from 'pino';
import {
  BACKUP_KINDS,
  backupFile,
  findBackups,
  leaveFolderOf,
  makeBackupFolder,
  syncFolderOf,
} from '../backup-files.ts';
import { assertRoom, backupFailure } from '../backup-room.ts';
import { folderSize } from '../process/folder-size.ts';
import type { DiskBackup, DiskBackups } from '../runtime.ts';
import { StepFailure } from '../step-failure.ts';
import { whileItAnswers } from './app-container.ts';
import type { ContainerParts } from './container-parts.ts';
import { copyVolume, syncVolume } from './copy-volume.ts';
import { isAway } from './daemon.ts';
import { driverOfCopy, findVolume, freeVolume, hostFolder, makeVolume } from './disk-volumes.ts';
import { dropKept, loadKept } from './kept-volumes.ts';
import { backupVolumeName, LABELS, projectLabels, volumeName } from './names.ts';

type Parts = Pick<ContainerParts, 'daemon' | 'instance' | 'root' | 'limits' | 'settings'>;
interface LoggedParts extends Parts {
  log: Logger;
}

/** Backups of disks as volumes, each of which is one once a file of ours vouches for it. */
export function createVolumeBackups(parts: LoggedParts): DiskBackups {
  const { daemon, root, log } = parts;
  const markOf = (backup: DiskBackup) => backupFile(root, backup, '.volume');
  const unmark = async (backup: DiskBackup) => {
    await rm(markOf(backup), { force: true });
    await leaveFolderOf(markOf(backup));
  };
  /** A daemon that is away is told with the next start, or the next backup. */
  const discard = async (backup: DiskBackup) => {
    const dropped = dropVolume(parts, backup).catch((error) => {
      if (!isAway(error)) log.error({ err: error, ...backup }, 'a backup of a disk is still there');
    });
    await daemon.unlessAway(dropped);
  };
  return {
    async save(backup, { signal }) {
      await unmark(backup);
      try {
        if (await makeBackup(parts, backup, signal)) await vouch(root, backup);
      } catch (error) {
        await discard(backup);
        signal.throwIfAborted();
        throw error;
      }
    },
    async restore(backup) {
      if (!existsSync(markOf(backup))) return;
      await daemon.patiently(() => putBack(parts, backup));
      await unmark(backup);
      await discard(backup);
    },
    async drop(backup) {
      await unmark(backup);
      await discard(backup);
    },
    list: (projectId) => findBackups(root, BACKUP_KINDS.container, projectId),
  };
}

/** The same for the engine, which may ask before what an earlier server left is settled. */
export function backupsOnceSettled(
  { daemon, settled }: Pick<ContainerParts, 'daemon' | 'settled'>,
  backups: DiskBackups,
): DiskBackups {
  return {
    list: backups.list,
    async save(backup, options) {
      try {
        await whileItAnswers(daemon.reason(), async () => {
          await settled();
          await backups.save(backup, options);
        });
      } catch (error) {
        options.signal.throwIfAborted();
        throw backupFailure(error);
      }
    },
    async restore(backup) {
      await daemon.patiently(settled);
      await backups.restore(backup);
    },
    drop: backups.drop,
  };
}

const HAS_OPTIONS =
  'Start failed: the disk data could not be backed up, because its Docker volume was made with options of its own. Have an administrator move it to a volume without them, then deploy again.';

/** Whether there was a disk to copy. */
async function makeBackup(parts: Parts, backup: DiskBackup, signal: AbortSignal): Promise<boolean> {
  const { docker } = parts.daemon;
  const from = volumeName(backup.diskId);
  const to = backupVolumeName(backup.diskId);
  await loadKept(parts, backup.projectId, from);
  const found = await findVolume(docker, from);
  if (!found) return false;
  const driver = driverOfCopy(found);
  // What is behind such a volume stays when it is removed, and what is put back would mix with it.
  if (!driver) throw new StepFailure('start', HAS_OPTIONS);
  const folder = await hostFolder(found);
  if (folder !== undefined) {
    // A tar archive from Docker has no holes.
    const sizes = [await folderSize([folder]), await folderSize([folder], { unpacked: true })];
    await assertRoom(parts.limits, { folder, bytes: Math.max(...sizes) });
  }
  await dropVolume(parts, backup);
  const labels = projectLabels(parts.instance, backup.projectId);
  await makeVolume(parts, {
    ...{ name: to, driver },
    labels: { ...labels, [LABELS.backupOf]: backup.diskId },
  });
  await copyVolume(docker, { from, to, labels, signal });
  await syncVolume(docker, to);
  return true;
}

async function vouch(root: string, backup: DiskBackup): Promise<void> {
  await makeBackupFolder(root, backup);
  const mark = backupFile(root, backup, '.volume');
  await using file = await open(mark, 'w', 0o600);
  await file.sync();
  await syncFolderOf(mark);
}

/** What is on the disk's volume cannot be deleted but with the volume, and no volume can be renamed. */
async function putBack(parts: Parts, { projectId, diskId }: DiskBackup): Promise<void> {
  const { docker } = parts.daemon;
  const [from, to] = [backupVolumeName(diskId), volumeName(diskId)];
  await loadKept(parts, projectId, from);
  if (!(await findVolume(docker, from))) throw new Error(`the volume ${from} is gone`);
  const labels = projectLabels(parts.instance, projectId);
  const found = await findVolume(docker, to);
  await dropKept(parts.root, projectId, to);
  await freeVolume(parts, to);
  await makeVolume(parts, {
    ...{ name: to, labels: found?.Labels ?? labels },
    driver: found ? { name: found.Driver, options: found.Options ?? {} } : parts.settings.diskDriver,
  });
  await copyVolume(docker, { from, to, labels, signal: new AbortController().signal });
  await syncVolume(docker, to);
}

async function dropVolume(parts: Parts, { projectId, diskId }: DiskBackup): Promise<void> {
  const name = backupVolumeName(diskId);
  await dropKept(parts.root, projectId, name);
  await freeVolume(parts, name);
}

/** Removes backups that nothing vouches for: half-made ones, and what was dropped while the daemon was away. */
export async function sweepVolumeBackups(parts: Parts, backups: DiskBackups): Promise<void> {
  const { docker } = parts.daemon;
  const filters = { label: [`${LABELS.instance}=${parts.instance}`, LABELS.backupOf] };
  const { Volumes } = await docker.listVolumes({ filters });
  const kept = new Set((await backups.list()).map(({ diskId }) => backupVolumeName(diskId)));
  for (const { Name } of Volumes ?? []) if (!kept.has(Name)) await freeVolume(parts, Name);
}
