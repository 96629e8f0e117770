import { existsSync } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { posix } from 'node:path';
import { buffer, text } from 'node:stream/consumers';
import type Docker from 'dockerode';
import { pack } from 'tar-stream';
import type { AppDisk, AppDisks, DeployedApp } from '../engine.ts';
import { diskPlace } from '../folders.ts';
import { folderSize } from '../process/folder-size.ts';
import { StepFailure } from '../step-failure.ts';
import type { ContainerParts } from './container-parts.ts';
import { isAway, isMissing } from './daemon.ts';
import {
  findVolume,
  hostFolder,
  isMadeBy,
  isShared,
  makeVolume,
  removeVolume,
  type VolumeSource,
  volumeOptions,
} from './disk-volumes.ts';
import { dropKept, findKept, loadKept } from './kept-volumes.ts';
import { LABELS, projectLabels, volumeName } from './names.ts';
import { readArchive } from './read-archive.ts';

type Parts = Pick<ContainerParts, 'daemon' | 'instance' | 'settings' | 'root'>;

/** A disk as a container has it: a named volume. */
export interface MountedDisk {
  name: string;
  volume: string;
  /** Absolute. */
  path: string;
  /** What another machine makes the same volume of; undefined where this one alone has it. */
  source: VolumeSource | undefined;
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

/** Makes the volumes of an app's disks where there are none yet. Throws `StepFailure` where they cannot be made. */
export async function openDisks(
  parts: Parts,
  { app, folder }: { app: DeployedApp; folder: string },
): Promise<MountedDisk[]> {
  const { daemon, instance, settings } = parts;
  const disks: MountedDisk[] = [];
  for (const disk of app.disks) {
    const name = volumeName(disk.id);
    const labels = projectLabels(instance, app.projectId);
    await loadKeptDisk(parts, app.projectId, disk);
    // One that is there is left as it is.
    const found = await findVolume(daemon.docker, name);
    if (!found) await makeDisk(parts, disk, labels);
    const source = { driver: settings.diskDriver, labels };
    const isEverywhere = isShared(source.driver) && (!found || isMadeBy(source.driver, found));
    disks.push({
      ...{ name: disk.name, volume: name, path: pathOf(disk, folder) },
      source: isEverywhere ? source : undefined,
    });
  }
  return disks;
}

/** Makes a volume of what a restore of the installation has brought back. Throws `StepFailure`. */
async function loadKeptDisk(parts: Parts, projectId: string, { id, name }: AppDisk): Promise<void> {
  try {
    await loadKept(parts, projectId, volumeName(id));
  } catch (error) {
    if (isAway(error) || !(error instanceof Error)) throw error;
    throw new StepFailure(
      'start',
      `Start failed: the disk "${name}" could not be brought back from the backup. ${error.message}`,
    );
  }
}

/** Throws `StepFailure` where Docker refuses. What it says may hold options of the driver, and is in its own log. */
async function makeDisk(parts: Parts, { id, name }: AppDisk, labels: Record<string, string>): Promise<void> {
  try {
    await makeVolume(parts, { name: volumeName(id), labels, driver: parts.settings.diskDriver });
  } catch (error) {
    if (isAway(error)) throw error;
    throw new StepFailure(
      'start',
      `Start failed: the disk "${name}" could not be made. Have an administrator check DISK_DRIVER and DISK_DRIVER_OPTIONS, and whether what they name responds: Docker's log says why.`,
    );
  }
}

/** Mounts of disks, as the Engine API takes those of a container or of a service. */
export function mountsOf(disks: readonly MountedDisk[]): Docker.MountSettings[] {
  return disks.map(({ volume, path, source }) => ({
    ...{ Type: 'volume', Source: volume, Target: path },
    ...(source && { VolumeOptions: volumeOptions(source, volume) }),
  }));
}

/** `folder` is the image's own working folder: what is relative lies there. */
export function pathOf({ path }: Pick<AppDisk, 'path'>, folder: string): string {
  return posix.resolve('/', folder, path);
}

/** What cannot be covered by a disk without taking away what every container needs. */
const TAKEN = /^\/(proc|sys|dev|etc)(\/|$)|^\/$/;

export function createAppDisks(parts: Parts): AppDisks {
  const { daemon } = parts;
  const { docker } = daemon;
  return {
    // Volumes have no size of their own.
    diskSupport: () => ({ mounted: true, limited: false, growsInUse: false }),
    whyNoDisk: (path) =>
      TAKEN.test(posix.resolve('/', path))
        ? "The system's own files are at this path. Choose another, like /disk."
        : '',
    sharesDisks: (disks) => sharesDisks(parts, disks),
    async diskUse(projectId, diskId) {
      const kept = findKept(parts.root, projectId, volumeName(diskId));
      // It may become a volume meanwhile.
      const archive = kept && (await stat(kept).catch(() => undefined));
      if (archive) return { bytes: archive.size, limited: false };
      if (daemon.reason() !== '') return undefined;
      const found = await findVolume(docker, volumeName(diskId));
      const folder = found && (await hostFolder(found));
      return folder === undefined ? undefined : { bytes: await folderSize([folder]), limited: false };
    },
    growDisk: async () => {},
    async removeDisk(projectId, diskId) {
      await dropKept(parts.root, projectId, volumeName(diskId));
      await removeVolume(parts, volumeName(diskId));
    },
  };
}

/** Whether the driver of the settings shares disks, and those that are here were made by it. */
export async function sharesDisks(
  { daemon, settings: { diskDriver } }: Parts,
  disks: readonly Pick<AppDisk, 'id'>[],
): Promise<boolean> {
  if (!isShared(diskDriver)) return false;
  if (daemon.reason() !== '') return true;
  for (const { id } of disks) {
    const found = await findVolume(daemon.docker, volumeName(id));
    if (found && !isMadeBy(diskDriver, found)) return false;
  }
  return true;
}

/** Deletes the disks of a project that was deleted. */
export async function removeDisksOf(parts: Parts, projectId: string): Promise<void> {
  const filters = { label: [`${LABELS.project}=${projectId}`] };
  const { Volumes } = await parts.daemon.docker.listVolumes({ filters });
  for (const { Name } of Volumes ?? []) await removeVolume(parts, Name);
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
