import { execFile } from 'node:child_process';
import { dirname, posix } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { isDeepStrictEqual, promisify } from 'node:util';
import type Docker from 'dockerode';
import { pack } from 'tar-stream';
import { type DiskDriver, LOCAL_DRIVER } from '../../../../core/settings.ts';
import { loggable } from '../mount-failure.ts';
import type { ContainerParts } from './container-parts.ts';
import { isMissing } from './daemon.ts';
import { LABELS } from './names.ts';
import { removeContainer } from './open-container.ts';
import { PLACE, showVolume } from './show-volume.ts';

const run = promisify(execFile);

type Parts = Pick<ContainerParts, 'daemon' | 'instance'>;
type Made = Pick<Docker.VolumeInspectInfo, 'Driver' | 'Options'>;

/** What a volume is made of on any machine. */
export interface VolumeSource {
  driver: DiskDriver;
  labels: Record<string, string>;
}

/** Whether volumes of one name that several machines have hold the same files. */
export function isShared({ name, options }: DiskDriver): boolean {
  return name !== LOCAL_DRIVER || Object.keys(options).length > 0;
}

/** Whether a volume is one that this driver makes under its name. */
export function isMadeBy(driver: DiskDriver, { Name, Driver, Options }: Docker.VolumeInspectInfo): boolean {
  return Driver === driver.name && isDeepStrictEqual({ ...Options }, optionsOf(driver, Name));
}

function optionsOf({ options }: DiskDriver, volume: string): Record<string, string> {
  return Object.fromEntries(
    Object.entries(options).map(([key, value]) => [key, value.replaceAll('{disk}', volume)]),
  );
}

/** `VolumeOptions` of a mount, by which a machine that lacks the volume makes it. */
export function volumeOptions({ driver, labels }: VolumeSource, volume: string) {
  return {
    // The typings want to know of it.
    NoCopy: false,
    Labels: labels,
    DriverConfig: { Name: driver.name, Options: optionsOf(driver, volume) },
  };
}

export async function findVolume(
  docker: Docker,
  name: string,
): Promise<Docker.VolumeInspectInfo | undefined> {
  try {
    return await docker.getVolume(name).inspect();
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

/** Makes a volume that is not there, with the folder that it is to show. */
export async function makeVolume(
  parts: Parts,
  { name, driver, labels }: VolumeSource & { name: string },
): Promise<void> {
  const DriverOpts = optionsOf(driver, name);
  const parent = parentOf(name, { Driver: driver.name, Options: DriverOpts });
  if (parent) await inParent(parts, parent, (shown) => makeFolder(shown, name));
  await parts.daemon.docker.createVolume({ Name: name, Driver: driver.name, DriverOpts, Labels: labels });
}

/** Removes a volume, which need not be there and which nothing holds, with the files that it shows. */
export async function removeVolume(parts: Parts, name: string): Promise<void> {
  const { docker } = parts.daemon;
  const found = await findVolume(docker, name);
  if (!found) return;
  const parent = parentOf(name, found);
  if (parent) await inParent(parts, parent, (shown) => emptyFolder(shown, name));
  try {
    await docker.getVolume(name).remove();
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
}

/** Removes a volume with the containers that hold it, none of which runs any more. */
export async function freeVolume(parts: Parts, volume: string): Promise<void> {
  const { docker } = parts.daemon;
  const holders = await docker.listContainers({ all: true, filters: { volume: [volume] } });
  await Promise.all(holders.map(({ Id }) => removeContainer(docker.getContainer(Id))));
  await removeVolume(parts, volume);
}

/**
 * What the copy of a volume is made by, so that the copy is in the same kind of place; undefined where it cannot be told
 * that its files are apart from those of the volume, and go with it.
 */
export function driverOfCopy(found: Docker.VolumeInspectInfo): DiskDriver | undefined {
  const { Name, Driver, Options } = found;
  if (Object.keys(Options ?? {}).length === 0) return { name: Driver, options: {} };
  if (!parentOf(Name, found)) return undefined;
  const options = Object.entries(Options ?? {}).map(([key, value]) => [
    key,
    value.replaceAll(Name, '{disk}'),
  ]);
  return { name: Driver, options: Object.fromEntries(options) };
}

/** Milliseconds within which a file system answers that is there. */
const PRESENT_MS = 2000;

/**
 * Where the files of a volume are on this machine; undefined where only containers see them at the moment, and where the
 * server of a share does not answer.
 */
export async function hostFolder({
  Driver,
  Mountpoint,
  Options,
}: Docker.VolumeInspectInfo): Promise<string | undefined> {
  const { o = '', device = '' } = Options ?? {};
  const isPlain = Driver === LOCAL_DRIVER && Object.keys(Options ?? {}).length === 0;
  const isBind = Driver === LOCAL_DRIVER && o.split(',').includes('bind');
  const folder = isBind ? device : Mountpoint;
  if (folder === '') return undefined;
  const [own, above] = await fileSystemsOf([folder, dirname(folder)]);
  // A share is there while a container of this machine has it.
  const isHere = own !== undefined && (isPlain || isBind || own !== above);
  return isHere ? folder : undefined;
}

/**
 * The number of each folder's file system; none where one does not answer. A program asks: the threads by which we read
 * files are few, and one that waits for a share cannot be called off.
 */
async function fileSystemsOf(folders: readonly string[]): Promise<string[]> {
  const killing = { timeout: PRESENT_MS, killSignal: 'SIGKILL' } as const;
  const asked = run('stat', ['--format=%d', '--', ...folders], { env: { LC_ALL: 'C' }, ...killing });
  const { stdout } = await asked.catch(() => ({ stdout: '' }));
  return stdout.split('\n').filter(Boolean);
}

/**
 * Docker's own driver shows a folder that is there, and leaves it there: such one lies below a parent, under the volume's
 * name. Answers the options of a volume that shows the parent.
 */
function parentOf(name: string, { Driver, Options }: Made): Record<string, string> | undefined {
  const { device = '' } = Options ?? {};
  if (Driver !== LOCAL_DRIVER || !device.endsWith(`/${name}`)) return undefined;
  return { ...Options, device: device.slice(0, -name.length) };
}

async function inParent(
  { daemon, instance }: Parts,
  parent: Record<string, string>,
  work: (shown: Docker.Container) => Promise<void>,
): Promise<void> {
  const DriverConfig = { Name: LOCAL_DRIVER, Options: parent };
  const shown = await showVolume(
    daemon.docker,
    { VolumeOptions: { NoCopy: true, Labels: {}, DriverConfig } },
    { [LABELS.instance]: instance },
  );
  try {
    await work(shown);
  } catch (error) {
    throw loggable(error);
  } finally {
    await removeContainer(shown);
  }
}

/** One that is there stays as it is. */
async function makeFolder(shown: Docker.Container, name: string): Promise<void> {
  try {
    await shown.infoArchive({ path: posix.join(PLACE, name) });
  } catch (error) {
    if (!isMissing(error)) throw error;
    await unpack(shown, [{ name, type: 'directory' }]);
  }
}

/** Docker replaces a folder by a file of its name, and that by an empty folder. Nothing can be deleted otherwise. */
async function emptyFolder(shown: Docker.Container, name: string): Promise<void> {
  await unpack(shown, [
    { name, type: 'file' },
    { name, type: 'directory' },
  ]);
}

async function unpack(
  shown: Docker.Container,
  entries: readonly { name: string; type: 'file' | 'directory' }[],
): Promise<void> {
  const archive = pack();
  for (const entry of entries) archive.entry({ ...entry, mode: 0o755 }, '');
  archive.finalize();
  await shown.putArchive(await buffer(archive), { path: PLACE });
}
