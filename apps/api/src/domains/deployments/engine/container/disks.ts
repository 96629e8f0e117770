import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { posix } from 'node:path';
import { buffer, text } from 'node:stream/consumers';
import type Docker from 'dockerode';
import { pack } from 'tar-stream';
import type { AppDisk, AppDisks, DeployedApp } from '../engine.ts';
import { diskPlace } from '../folders.ts';
import { folderSize } from '../process/folder-size.ts';
import { StepFailure } from '../step-failure.ts';
import { type Daemon, isMissing } from './daemon.ts';
import { LABELS, projectLabels, volumeName } from './names.ts';
import { readArchive } from './read-archive.ts';

/** A disk as a container has it: a named volume. */
export interface MountedDisk {
  name: string;
  volume: string;
  /** Absolute. */
  path: string;
}

/**
 * Refuses an app whose disks were kept by the process runtime, as files of this machine: they would seem to be gone. Throws
 * `StepFailure`.
 */
export async function refuseFormerDisks(
  root: string,
  { projectId, disks }: Pick<DeployedApp, 'projectId' | 'disks'>,
): Promise<void> {
  for (const { id, name } of disks) {
    const { folder, image } = diskPlace(root, projectId, id);
    const isEmpty = (await readdir(folder).catch(ofMissing)).length === 0;
    if (isEmpty && !existsSync(image)) continue;
    throw new StepFailure(
      'start',
      `Start failed: the disk "${name}" has data from when apps ran as processes here, which containers don't see. Have an administrator move it to Docker, or set DEPLOY_RUNTIME to process.`,
    );
  }
}

function ofMissing(error: NodeJS.ErrnoException): string[] {
  if (error.code !== 'ENOENT') throw error;
  return [];
}

/** Makes the volumes of an app's disks where there are none yet. */
export async function openDisks(
  { docker }: Daemon,
  { instance, app, folder }: { instance: string; app: DeployedApp; folder: string },
): Promise<MountedDisk[]> {
  const disks: MountedDisk[] = [];
  for (const disk of app.disks) {
    const volume = volumeName(disk.id);
    // One that is there is left as it is.
    await docker.createVolume({ Name: volume, Labels: projectLabels(instance, app.projectId) });
    disks.push({ name: disk.name, volume, path: pathOf(disk, folder) });
  }
  return disks;
}

/** `folder` is the image's own working folder: what is relative lies there. */
export function pathOf({ path }: Pick<AppDisk, 'path'>, folder: string): string {
  return posix.resolve('/', folder, path);
}

/** What cannot be covered by a disk without taking away what every container needs. */
const TAKEN = /^\/(proc|sys|dev|etc)(\/|$)|^\/$/;

export function createAppDisks(daemon: Daemon): AppDisks {
  const { docker } = daemon;
  return {
    // Volumes have no size of their own.
    diskSupport: () => ({ mounted: true, limited: false, growsInUse: false }),
    whyNoDisk: (path) =>
      TAKEN.test(posix.resolve('/', path))
        ? "The system's own files are at this path. Choose another, like /disk."
        : '',
    async diskUse(_, diskId) {
      if (daemon.reason() !== '') return undefined;
      try {
        const { Mountpoint } = await docker.getVolume(volumeName(diskId)).inspect();
        if (!existsSync(Mountpoint)) return undefined;
        return { bytes: await folderSize([Mountpoint]), limited: false };
      } catch (error) {
        if (isMissing(error)) return undefined;
        throw error;
      }
    },
    growDisk: async () => {},
    async removeDisk(_, diskId) {
      await removeVolume(docker.getVolume(volumeName(diskId)));
    },
  };
}

/** Removes one that need not be there. */
export async function removeVolume(volume: Docker.Volume): Promise<void> {
  try {
    await volume.remove();
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
}

/** Deletes the disks of a project that was deleted. */
export async function removeDisksOf({ docker }: Daemon, projectId: string): Promise<void> {
  const { Volumes } = await docker.listVolumes({ filters: { label: [`${LABELS.project}=${projectId}`] } });
  for (const { Name } of Volumes ?? []) await removeVolume(docker.getVolume(Name));
}

/** Gives disks that are root's yet to the account that the image runs as: it could not write to them. */
export async function giveDisks(
  container: Docker.Container,
  { disks, user }: { disks: readonly MountedDisk[]; user: string },
): Promise<void> {
  const account = disks.length > 0 ? await accountOf(container, user) : undefined;
  if (!account) return;
  for (const { path } of disks) {
    if ((await ownerOf(container, path)) !== 0) continue;
    // The folder itself is none of its own entries, as Docker unpacks archives.
    const archive = await folderOf(posix.basename(path), account);
    await container.putArchive(archive, { path: posix.dirname(path) });
  }
}

/** The number of a folder's account. */
async function ownerOf(container: Docker.Container, path: string): Promise<number | undefined> {
  for await (const { header } of readArchive(container, path)) return header.uid;
  return undefined;
}

interface Account {
  uid: number;
  gid: number;
}

/** The numbers of an image's account; undefined for root, and for a name that the image does not tell of. */
async function accountOf(container: Docker.Container, user: string): Promise<Account | undefined> {
  const [name = '', group] = user.split(':');
  if (name === '' || name === 'root' || name === '0') return undefined;
  const isNumber = /^\d+$/.test(name);
  const known = isNumber && group !== undefined ? [] : await passwd(container);
  const row = known.find(([login, , uid]) => (isNumber ? uid === name : login === name));
  const uid = isNumber ? name : row?.[2];
  if (uid === undefined) return undefined;
  const gid = group !== undefined && /^\d+$/.test(group) ? group : (row?.[3] ?? '0');
  return { uid: Number(uid), gid: Number(gid) };
}

/** Bytes. */
const MAX_PASSWD = 1024 ** 2;

/** Rows of the image's /etc/passwd (passwd(5)); none where that is no such file. */
async function passwd(container: Docker.Container): Promise<string[][]> {
  try {
    for await (const { header, pieces } of readArchive(container, '/etc/passwd')) {
      if (header.type !== 'file' || (header.size ?? 0) > MAX_PASSWD) break;
      return (await text(pieces)).split('\n').map((line) => line.split(':'));
    }
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
  return [];
}

/** An archive of nothing but a folder: one of that name that is there has this owner afterwards. */
function folderOf(name: string, { uid, gid }: Account): Promise<Buffer> {
  const archive = pack();
  archive.entry({ name, type: 'directory', mode: 0o755, uid, gid });
  archive.finalize();
  return buffer(archive);
}
