import { createReadStream, existsSync } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { syncFolderOf } from '../backup-files.ts';
import { keptVolume } from '../folders.ts';
import type { ContainerParts } from './container-parts.ts';
import { fillVolume, syncVolume } from './copy-volume.ts';
import { findVolume, freeVolume, makeVolume } from './disk-volumes.ts';
import { backedUpDisk, LABELS, projectLabels } from './names.ts';
import { removeContainer } from './open-container.ts';
import { readArchive } from './read-archive.ts';
import { PLACE, showVolume } from './show-volume.ts';

type Parts = Pick<ContainerParts, 'daemon' | 'instance' | 'settings' | 'root'>;

/** What an archive is called from before its volume has anything of it until it has all. */
const loadingOf = (kept: string) => `${kept}.loading`;

/** What a restore of the installation has brought back of a volume, and Docker does not have yet. */
export function findKept(root: string, projectId: string, volume: string): string | undefined {
  const kept = keptVolume(root, projectId, volume);
  return [kept, loadingOf(kept)].find((file) => existsSync(file));
}

export async function dropKept(root: string, projectId: string, volume: string): Promise<void> {
  const kept = keptVolume(root, projectId, volume);
  for (const file of [kept, loadingOf(kept)]) await rm(file, { force: true });
}

/** Under way, by the names of their volumes: the processes of an app start beside each other. */
const loads = new Map<string, Promise<void>>();

/**
 * Puts what a restore has brought back into its volume, where there is such. What was cut short is done again. Throws where
 * the volume has files of its own, or Docker refuses.
 */
export function loadKept(parts: Parts, projectId: string, volume: string): Promise<void> {
  const loading = (loads.get(volume) ?? load(parts, projectId, volume)).finally(() => loads.delete(volume));
  loads.set(volume, loading);
  return loading;
}

async function load(parts: Parts, projectId: string, volume: string): Promise<void> {
  if (findKept(parts.root, projectId, volume) === undefined) return;
  const { docker } = parts.daemon;
  const kept = keptVolume(parts.root, projectId, volume);
  const loading = loadingOf(kept);
  const labels = projectLabels(parts.instance, projectId);
  const isHalf = existsSync(loading);
  if (isHalf) await freeVolume(parts, volume);
  if (!(await findVolume(docker, volume))) {
    const diskId = backedUpDisk(volume);
    const own = { ...labels, ...(diskId !== undefined && { [LABELS.backupOf]: diskId }) };
    await makeVolume(parts, { name: volume, labels: own, driver: parts.settings.diskDriver });
  }
  if (!isHalf) {
    if (!(await isEmpty(parts, volume, labels))) throw new Error(hasFiles(volume));
    await rename(kept, loading);
    await syncFolderOf(kept);
  }
  const { signal } = new AbortController();
  await fillVolume(docker, { archive: createReadStream(loading), to: volume, labels, signal });
  await syncVolume(docker, volume);
  await rm(loading);
  await syncFolderOf(kept);
}

const hasFiles = (volume: string) =>
  `Docker has files in the volume ${volume} already. Have an administrator delete that volume, or, to go on with what is in it, ${volume}.tar in DATA_DIR.`;

/** What a file system makes of itself. */
const OWN = /^lost\+found\/?$/;

async function isEmpty({ daemon }: Parts, volume: string, labels: Record<string, string>): Promise<boolean> {
  const shown = await showVolume(daemon.docker, { Source: volume }, labels);
  try {
    for await (const { header } of readArchive(shown, PLACE)) {
      const name = header.name.slice(PLACE.length);
      if (name !== '' && !OWN.test(name)) return false;
    }
    return true;
  } finally {
    await removeContainer(shown);
  }
}
