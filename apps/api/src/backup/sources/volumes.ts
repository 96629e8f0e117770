import { existsSync } from 'node:fs';
import { relative } from 'node:path';
import type { Database } from '@nephos/db';
import type Docker from 'dockerode';
import { type Kysely, sql } from 'kysely';
import { BACKUP_KINDS, backupFile, findBackups } from '../../domains/deployments/engine/backup-files.ts';
import { isAway } from '../../domains/deployments/engine/container/daemon.ts';
import { findVolume, hostFolder } from '../../domains/deployments/engine/container/disk-volumes.ts';
import { findKept } from '../../domains/deployments/engine/container/kept-volumes.ts';
import {
  backupVolumeName,
  projectLabels,
  volumeName,
} from '../../domains/deployments/engine/container/names.ts';
import { removeContainer } from '../../domains/deployments/engine/container/open-container.ts';
import { readArchive } from '../../domains/deployments/engine/container/read-archive.ts';
import { PLACE, showVolume } from '../../domains/deployments/engine/container/show-volume.ts';
import { diskPlace, keptVolume } from '../../domains/deployments/engine/folders.ts';
import { instanceOf } from '../../domains/deployments/engine/process/account.ts';
import { PlaceFailed } from '../repository/backup-store.ts';
import { wordsOf } from '../run-record.ts';
import { volumePath } from '../volume-archives.ts';
import type { Copying, PartCopy } from './copying.ts';
import { patiently } from './patiently.ts';
import type { Reached } from './reach-docker.ts';
import { copyOneFile, copyTree } from './tree.ts';

export interface Volume {
  projectId: string;
  name: string;
  /** As a sentence begins. */
  what: string;
  /** Whether an app runs on it, so that it has to be somewhere. */
  isUsed: boolean;
  /** The file without which it means nothing. */
  mark?: string;
}

interface Parts {
  db: Kysely<Database>;
  /** Of apps. */
  root: string;
}

/**
 * Takes the disks that Docker keeps for apps in containers, and what an update that goes on has copied of them. What a
 * restore has brought back and Docker does not have yet is taken as it lies. Answers whether Docker responds to the end.
 */
export async function copyVolumes(
  copying: Copying,
  part: PartCopy,
  { volumes, root, reached }: { volumes: readonly Volume[]; root: string; reached: Reached | undefined },
): Promise<boolean> {
  let responds = reached !== undefined;
  for (const volume of volumes) {
    const isTaken = await copyKept(part, { volume, root });
    if (!isTaken && reached && responds) {
      responds = await copyVolume(copying, part, { ...reached, volume, root });
    }
    if (volume.mark) await copyOneFile(part, volume.mark, relative(root, volume.mark));
  }
  return responds;
}

/** Takes what a restore has brought back; answers whether there was such. */
async function copyKept(
  part: PartCopy,
  { volume: { projectId, name }, root }: { volume: Volume; root: string },
): Promise<boolean> {
  const path = relative(root, keptVolume(root, projectId, name));
  const kept = findKept(root, projectId, name);
  if (!kept) return false;
  if (await copyOneFile(part, kept, path)) return true;
  // Its name changes while Docker takes it, after which it is gone.
  const loading = findKept(root, projectId, name);
  return loading !== undefined && copyOneFile(part, loading, path);
}

/** Copies before disks: a disk that is to be put back from one may be changed meanwhile. */
export async function volumesIn({ db, root }: Parts): Promise<Volume[]> {
  const backups = await findBackups(root, BACKUP_KINDS.container);
  const { rows: disks } = await sql<Omit<Volume, 'what'> & { id: string; name: string; slug: string }>`
    select disk.id, disk.project_id, disk.name, project.slug, exists (
      select from deployments where project_id = project.id and status = 'running'
        and created_at >= disk.created_at
    ) as is_used
    from project_disks disk join projects project on project.id = disk.project_id
    order by disk.id`.execute(db);
  return [
    ...backups.map((backup) => ({
      projectId: backup.projectId,
      name: backupVolumeName(backup.diskId),
      what: `The copy of the disk ${backup.diskId} that an update made`,
      isUsed: true,
      mark: backupFile(root, backup, '.volume'),
    })),
    ...disks.map(({ id, projectId, name, slug, isUsed }) => {
      const { folder, image } = diskPlace(root, projectId, id);
      // One that was kept for processes is taken with the apps.
      const isElsewhere = existsSync(folder) || existsSync(image);
      const what = `The disk ${name} of ${slug}`;
      return { projectId, name: volumeName(id), what, isUsed: isUsed && !isElsewhere };
    }),
  ];
}

/** Answers whether Docker responds to the end. */
async function copyVolume(
  copying: Copying,
  part: PartCopy,
  { docker, isOpen, volume, root }: Reached & { volume: Volume; root: string },
): Promise<boolean> {
  const { projectId, name, what, isUsed } = volume;
  const at = volumePath(projectId, name);
  let folder: string | undefined;
  const failure = await patiently(copying, part, {
    what,
    async copy() {
      const found = await findVolume(docker, name);
      folder = found && isOpen ? await hostFolder(found) : undefined;
      if (found && folder === undefined) {
        await copyArchive(part, { docker, labels: projectLabels(instanceOf(root), projectId), name, at });
      }
      // It may have come there since it was looked for.
      if (found || !isUsed || findKept(root, projectId, name)) return;
      part.miss(`${what} was not taken: Docker here has no volume ${name}. Another machine may have it.`);
    },
  });
  if (failure) return !isAway(failure);
  if (folder === undefined) return true;
  try {
    // What a failure leaves of it is better than nothing of it.
    await copyTree(part, folder, { at, textsOnly: true });
  } catch (error) {
    copying.signal.throwIfAborted();
    if (error instanceof PlaceFailed) throw error;
    part.miss(`${what} was taken in part: ${wordsOf(error)}`);
  }
  return true;
}

/** Takes what Docker reads, which also sees what is mounted for containers alone. */
async function copyArchive(
  part: PartCopy,
  {
    docker,
    labels,
    name: volume,
    at,
  }: { docker: Docker; labels: Record<string, string>; name: string; at: string },
): Promise<void> {
  const shown = await showVolume(docker, { Source: volume }, labels);
  const pathOf = (name: string) => `${at}${name.slice(PLACE.length - 1)}`.replace(/\/$/, '');
  try {
    for await (const { header, pieces } of readArchive(shown, PLACE)) {
      const { name, type, mode = 0, uid = 0, gid = 0, mtime, linkname } = header;
      const path = pathOf(name);
      // Read as UTF-8, whatever it was: under this name it would be another.
      if (`${name}${linkname ?? ''}`.includes('\ufffd')) {
        part.miss(`${part.name}/${path} has a name that is not UTF-8, which Docker keeps for no volume.`);
        continue;
      }
      const of = { path, mode: mode & 0o7777, uid, gid };
      const times = { mtime: mtime?.getTime() ?? 0, ctime: 0, inode: 0 };
      if (type === 'directory') await part.note({ kind: 'folder', ...of });
      else if (type === 'file') await part.add({ kind: 'file', ...of, ...times, size: 0, at: [] }, pieces);
      else if (type === 'symlink') await part.note({ kind: 'link', path, uid, gid, to: linkname ?? '' });
      else if (type === 'link') await part.note({ kind: 'name', path, to: pathOf(linkname ?? '') });
    }
  } finally {
    await removeContainer(shown);
  }
}
