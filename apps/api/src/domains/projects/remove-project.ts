import { atomically } from '@nephos/db';
import { noAudit } from '../../core/call-audit.ts';
import type { UserContext } from '../../core/context.ts';
import { notFound } from '../../core/errors.ts';
import { lockAccount } from '../../platform/account-lock.ts';
import { imagesBuiltFor, removeUnneeded } from '../containers/release-sweep.ts';
import { removeDatabase } from '../databases/service.ts';
import type { ProjectsParts } from './projects.ts';

/**
 * Deletes a project with its previews and everything that they have, copies of databases included, and the images that
 * were built for them unless another project needs one; their apps, builds and folders end right after.
 */
export async function removeProject(
  { db, ownerId }: Pick<UserContext, 'db' | 'ownerId'>,
  parts: RemovingParts,
  id: string,
): Promise<{ success: true }> {
  await atomically(db, async (trx) => {
    // Before the project, as pushes and deletions of images do.
    await lockAccount(trx, ownerId);
    const previews = await trx
      .selectFrom('previews')
      .select('projectId')
      .where('ownerId', '=', ownerId)
      .where('parentId', '=', id)
      .execute();
    for (const { projectId } of previews) await removeAlone({ db: trx, ownerId }, parts, projectId);
    await removeAlone({ db: trx, ownerId }, parts, id);
  });
  return { success: true };
}

/**
 * Deletes a project as `removeProject` does, with the DNS records that lead there if that is asked. Throws 404, and
 * 409 where another record needs one of those.
 */
export async function removeWithRecords(
  ctx: UserContext,
  parts: RemovingParts & Pick<ProjectsParts, 'appRecords'>,
  { id, deleteRecords = false }: { id: string; deleteRecords?: boolean },
): Promise<{ success: true }> {
  return atomically(ctx.db, async (trx) => {
    const project = await trx
      .selectFrom('projects')
      .select('name')
      .where('ownerId', '=', ctx.ownerId)
      .where('id', '=', id)
      .executeTakeFirst();
    if (project) ctx.audit.note({ subject: project });
    if (deleteRecords) await parts.appRecords.remove({ ...ctx, db: trx }, id);
    return removeProject({ ...ctx, db: trx }, parts, id);
  });
}

/** What it takes to delete a project. */
export type RemovingParts = Pick<ProjectsParts, 'settings'> & {
  deployer: Pick<ProjectsParts['deployer'], 'removeProject'>;
  databases: Pick<ProjectsParts['databases'], 'work'>;
};

async function removeAlone(
  { db, ownerId }: Pick<UserContext, 'db' | 'ownerId'>,
  { settings, deployer, databases }: RemovingParts,
  id: string,
): Promise<void> {
  const images = await imagesBuiltFor({ db, ownerId }, id);
  const copies = await db
    .selectFrom('previewCopies')
    .select('databaseId')
    .where('ownerId', '=', ownerId)
    .where('projectId', '=', id)
    .execute();
  const deleted = await db
    .deleteFrom('projects')
    .where('ownerId', '=', ownerId)
    .where('id', '=', id)
    .executeTakeFirst();
  if (deleted.numDeletedRows === 0n) throw notFound();
  await deployer.removeProject(db, id);
  for (const { databaseId } of copies) {
    await removeDatabase({ db, ownerId, audit: noAudit }, databases.work, databaseId);
  }
  for (const image of images) await removeUnneeded({ db, ownerId }, settings, image);
}
