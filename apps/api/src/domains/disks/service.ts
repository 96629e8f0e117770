import { type Disk, MAX_DISKS, type NewDisk } from '@nephos/contracts';
import { atomically } from '@nephos/db';
import type { z } from 'zod';
import type { UserContext } from '../../core/context.ts';
import { conflict, forbidden, invalid, notFound } from '../../core/errors.ts';
import { quotaExceeded, readQuota, roomOf } from '../plans/storage-quota.ts';
import { assertProject, lockProject } from '../projects/read.ts';
import type { DisksParts } from './disks.ts';

const COLUMNS = ['id', 'name', 'path', 'bytes', 'measuredAt', 'createdAt'] as const;

export async function listDisks(
  { db, ownerId }: UserContext,
  { engine }: Pick<DisksParts, 'engine'>,
  projectId: string,
): Promise<{ mounted: boolean; disks: Disk[] }> {
  await assertProject(db, ownerId, projectId);
  const disks = await db
    .selectFrom('projectDisks')
    .select(COLUMNS)
    .where('ownerId', '=', ownerId)
    .where('projectId', '=', projectId)
    .orderBy('id')
    .execute();
  return { mounted: engine.mountsDisks(), disks };
}

/** Its folder is made when the app starts with it. */
export async function addDisk(
  { db, ownerId }: UserContext,
  { settings, engine }: Pick<DisksParts, 'settings' | 'engine'>,
  { id: projectId, name, path }: z.output<typeof NewDisk>,
): Promise<Disk> {
  const reason = engine.whyNoDisk(path);
  if (reason !== '') throw invalid(reason, [{ path: 'path', message: reason }]);
  return atomically(db, async (trx) => {
    if (!(await lockProject(trx, ownerId, projectId))) throw notFound();
    const others = await trx
      .selectFrom('projectDisks')
      .select(['name', 'path'])
      .where('ownerId', '=', ownerId)
      .where('projectId', '=', projectId)
      .execute();
    if (others.some((other) => other.name === name)) {
      throw conflict('EXISTS', 'This project already has a disk with this name.');
    }
    if (others.some((other) => overlap(other.path, path))) {
      throw conflict('EXISTS', 'This project already has a disk at this path.');
    }
    if (others.length >= MAX_DISKS) {
      throw forbidden('QUOTA_EXCEEDED', `A project can have up to ${MAX_DISKS} disks.`);
    }
    const quota = await readQuota({ db: trx, settings }, ownerId);
    if (roomOf(quota) === 0) throw quotaExceeded(quota);
    return trx
      .insertInto('projectDisks')
      .values({ ownerId, projectId, name, path })
      .returning(COLUMNS)
      .executeTakeFirstOrThrow();
  });
}

/** Whether one lies at or below the other, where `/app` and what is relative are the same folder. */
function overlap(a: string, b: string): boolean {
  const [one = '', other = ''] = [a, b].map((path) => `${path.startsWith('/') ? path : `/app/${path}`}/`);
  return one.startsWith(other) || other.startsWith(one);
}

/** Deletes it with everything on it. While the app runs, or may start any moment, it has files open there. */
export async function removeDisk(
  { db, ownerId }: UserContext,
  { deletion }: Pick<DisksParts, 'deletion'>,
  { id: projectId, name }: { id: string; name: string },
): Promise<{ success: true }> {
  await atomically(db, async (trx) => {
    const project = await lockProject(trx, ownerId, projectId);
    if (!project) throw notFound();
    const disk = await trx
      .selectFrom('projectDisks')
      .select('id')
      .where('ownerId', '=', ownerId)
      .where('projectId', '=', projectId)
      .where('name', '=', name)
      .executeTakeFirst();
    if (!disk) throw notFound();
    const underWay = await trx
      .selectFrom('deployments')
      .select('id')
      .where('projectId', '=', projectId)
      .where('status', 'in', ['queued', 'building', 'deploying'])
      .limit(1)
      .executeTakeFirst();
    if (project.liveDeploymentId || underWay) {
      throw conflict('IN_USE', 'The app uses this disk. Stop the app first, then delete the disk.');
    }
    await trx.deleteFrom('projectDisks').where('ownerId', '=', ownerId).where('id', '=', disk.id).execute();
    await deletion.enqueue(trx, { projectId, diskId: disk.id });
  });
  return { success: true };
}
