import type { AppDisk, DeployedApp } from '../engine.ts';
import { diskPlace } from '../folders.ts';
import type { Mount } from './mount.ts';
import type { ProcessParts } from './process-parts.ts';

const MB = 1024 ** 2;

/** A disk as an app's processes find it. */
export interface PlacedDisk extends Mount {
  name: string;
  path: string;
}

/** Where each disk of an app lies, and where the app finds it. */
export function placeDisks(
  { root, runs }: Pick<ProcessParts, 'root' | 'runs'>,
  { projectId, disks }: Pick<DeployedApp, 'projectId' | 'disks'>,
): PlacedDisk[] {
  return disks.map((disk) => {
    const { folder } = diskPlace(root, projectId, disk.id);
    // Inside of the app's folder a link leads to it, so that it is there without mounts as well.
    const isMounted = runs.mountsFolders && pathInApp(disk) === undefined;
    return { name: disk.name, folder, path: isMounted ? disk.path : folder };
  });
}

/** Why no disk can be at a path: it would hide, or lie in, what every run is shown at its own place. '' where one can. */
export function whyNoDisk(
  { root, runs, sandbox }: Pick<ProcessParts, 'root' | 'runs' | 'sandbox'>,
  path: string,
): string {
  if (!runs.mountsFolders || pathInApp({ path }) !== undefined) return '';
  const isTaken = [root, ...sandbox.readable].some(
    (place) => `${place}/`.startsWith(`${path}/`) || `${path}/`.startsWith(`${place}/`),
  );
  return isTaken ? "Nephos's own files are at this path on this server. Choose another, like /disk." : '';
}

/** Its path below the app's own folder; undefined where it lies elsewhere. */
export function pathInApp({ path }: Pick<AppDisk, 'path'>): string | undefined {
  return path.startsWith('/') ? /^\/app\/(.+)$/.exec(path)?.[1] : path;
}

/** Bytes of the largest file that an app may write: one may take a whole disk. */
export function largestFile(
  { limits }: Pick<ProcessParts, 'limits'>,
  { disks }: Pick<DeployedApp, 'disks'>,
): number {
  return Math.max(limits.appBytes, ...disks.map(({ size }) => size * MB));
}

/** How an app's processes learn where their disks are: `NEPHOS_DATA` names the first. */
export function diskVariables(disks: readonly Pick<PlacedDisk, 'name' | 'path'>[]): Record<string, string> {
  const [first] = disks;
  if (!first) return {};
  const each = disks.map(({ name, path }) => [
    `NEPHOS_DISK_${name.toUpperCase().replaceAll('-', '_')}`,
    path,
  ]);
  return { NEPHOS_DATA: first.path, ...Object.fromEntries(each) };
}
