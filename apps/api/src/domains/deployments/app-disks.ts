import type { Database } from '@nephos/db';
import type { Kysely } from 'kysely';
import { forbidden } from '../../core/errors.ts';
import { byteSize } from '../../platform/byte-size.ts';
import type { Plans } from '../plans/plan.ts';
import { moreThan, readQuota, storageIn } from '../plans/storage-quota.ts';
import type { AppDisk } from './engine/engine.ts';

/** The disks of projects, oldest first. */
export async function disksByProject(
  db: Kysely<Database>,
  projectIds: readonly string[],
): Promise<Map<string, AppDisk[]>> {
  const disks = new Map<string, AppDisk[]>(projectIds.map((id) => [id, []]));
  if (projectIds.length === 0) return disks;
  const rows = await db
    .selectFrom('projectDisks')
    .select(['id', 'projectId', 'name', 'path', 'size'])
    .where('projectId', 'in', projectIds)
    .orderBy('id')
    .execute();
  for (const { projectId, ...disk } of rows) disks.get(projectId)?.push(disk);
  return disks;
}

export async function disksOf(db: Kysely<Database>, projectId: string): Promise<AppDisk[]> {
  return (await disksByProject(db, [projectId])).get(projectId) ?? [];
}

/**
 * Refuses to deploy a project with disks while the account's storage is over its plan: what apps write to a disk
 * is held up by the disk's size alone, so this is where it shows. Restarts and rollbacks go on, so that an app can be brought to free space.
 */
export async function assertStorageInPlan(
  { db, settings }: Plans,
  { id, ownerId }: { id: string; ownerId: string },
): Promise<void> {
  if ((await disksOf(db, id)).length === 0) return;
  const { plan, used } = await readQuota({ db, settings }, ownerId);
  if (used <= plan.storage) return;
  throw forbidden(
    'QUOTA_EXCEEDED',
    `${storageIn(plan)} and ${byteSize(used)} are in use, disks included. Free some space or ${moreThan(plan)}, then ` +
      'deploy again.',
  );
}
