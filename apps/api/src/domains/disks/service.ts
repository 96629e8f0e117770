import { type contract, type Disk, type LargerDisk, MAX_DISKS, type NewDisk } from '@nephos/contracts';
import { atomically, type Database } from '@nephos/db';
import type { Kysely } from 'kysely';
import type { z } from 'zod';
import type { UserContext } from '../../core/context.ts';
import { conflict, forbidden, invalid, notFound } from '../../core/errors.ts';
import {
  moreThan,
  quotaExceeded,
  readQuota,
  roomOf,
  type StorageQuota,
  storageIn,
} from '../plans/storage-quota.ts';
import { assertProject, lockProject } from '../projects/read.ts';
import type { DisksParts } from './disks.ts';

const COLUMNS = ['id', 'name', 'path', 'size', 'limited', 'bytes', 'measuredAt', 'createdAt'] as const;
const MB = 1024 ** 2;

export async function listDisks(
  { db, ownerId }: UserContext,
  { engine }: Pick<DisksParts, 'engine'>,
  projectId: string,
): Promise<z.output<typeof contract.disks.list.output>> {
  await assertProject(db, ownerId, projectId);
  const disks = await db
    .selectFrom('projectDisks')
    .select(COLUMNS)
    .where('ownerId', '=', ownerId)
    .where('projectId', '=', projectId)
    .orderBy('id')
    .execute();
  const here = engine.cluster?.nodes().find(({ isHere }) => isHere)?.name ?? null;
  const shared = here !== null && (await engine.sharesDisks(disks));
  return { ...engine.diskSupport(), node: shared ? null : here, shared, disks };
}

/** Its folder is made when the app starts with it. */
export async function addDisk(
  { db, ownerId }: UserContext,
  { settings, engine }: Pick<DisksParts, 'settings' | 'engine'>,
  { id: projectId, name, path, size }: z.output<typeof NewDisk>,
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
    assertInPlan(quota, size);
    return trx
      .insertInto('projectDisks')
      .values({ ownerId, projectId, name, path, size })
      .returning(COLUMNS)
      .executeTakeFirstOrThrow();
  });
}

/** What is on all disks counts; a single one must at least be one that could be filled. */
function assertInPlan({ plan }: StorageQuota, size: number): void {
  if (size * MB <= plan.storage) return;
  throw forbidden(
    'QUOTA_EXCEEDED',
    `${storageIn(plan)}, and a disk can't be larger than that. Choose a smaller size, or ${moreThan(plan)}.`,
  );
}

/** A disk, under the lock of its project. */
async function lockDisk(
  trx: Kysely<Database>,
  ownerId: string,
  { projectId, name }: { projectId: string; name: string },
) {
  const project = await lockProject(trx, ownerId, projectId);
  if (!project) throw notFound();
  const disk = await trx
    .selectFrom('projectDisks')
    .select(['id', 'size'])
    .where('ownerId', '=', ownerId)
    .where('projectId', '=', projectId)
    .where('name', '=', name)
    .executeTakeFirst();
  if (!disk) throw notFound();
  return { project, disk };
}

/** Its image grows after the commit, under the app if that runs. */
export async function growDisk(
  { db, ownerId }: UserContext,
  { settings, growth }: Pick<DisksParts, 'settings' | 'growth'>,
  { id: projectId, name, size }: z.output<typeof LargerDisk>,
): Promise<Disk> {
  return atomically(db, async (trx) => {
    const { disk } = await lockDisk(trx, ownerId, { projectId, name });
    if (size < disk.size) {
      const message = `This disk has ${disk.size} MB. It can't be made smaller, because its files might no longer fit.`;
      throw invalid(message, [{ path: 'size', message }]);
    }
    assertInPlan(await readQuota({ db: trx, settings }, ownerId), size);
    await growth.enqueue(trx, { projectId, diskId: disk.id, size });
    return trx
      .updateTable('projectDisks')
      .set({ size })
      .where('ownerId', '=', ownerId)
      .where('id', '=', disk.id)
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
    const { project, disk } = await lockDisk(trx, ownerId, { projectId, name });
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
