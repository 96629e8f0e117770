import { atomically, type Database } from '@nephos/db';
import { type Kysely, sql } from 'kysely';
import { lockAccount } from '../../platform/account-lock.ts';
import { recordOwnWork } from '../../platform/audit.ts';
import { removeProject } from '../projects/remove-project.ts';
import type { PreviewsParts } from './previews.ts';

/**
 * Deletes previews to which nothing was pushed for as long as their projects' settings say; one that cannot be is logged,
 * and tried again with the next run.
 */
export async function sweepPreviews(parts: PreviewsParts): Promise<void> {
  const { db, log } = parts;
  for (const preview of await overdue(db).execute()) {
    await endOverdue(parts, preview).catch((error: unknown) =>
      log.error({ err: error, projectId: preview.projectId }, 'a preview could not be deleted'),
    );
  }
}

async function endOverdue(
  parts: PreviewsParts,
  { projectId, ownerId }: { projectId: string; ownerId: string },
): Promise<void> {
  await atomically(parts.db, async (trx) => {
    // As a push does, which may have come in between.
    await lockAccount(trx, ownerId);
    const still = await overdue(trx)
      .where('previews.ownerId', '=', ownerId)
      .where('previews.projectId', '=', projectId)
      .executeTakeFirst();
    if (!still) return;
    await parts.removeFollowers(trx, { ownerId, projectId });
    await removeProject({ db: trx, ownerId }, parts, projectId);
    await recordOwnWork(trx, {
      ownerId,
      procedure: 'previews.sweep',
      subject: { kind: 'project', id: projectId, name: null },
      after: { cause: 'Nothing was pushed to this preview for as long as its project keeps them.' },
    });
  });
}

function overdue(db: Kysely<Database>) {
  return db
    .selectFrom('previews')
    .innerJoin('previewSettings', 'previewSettings.projectId', 'parentId')
    .select(['previews.projectId', 'previews.ownerId'])
    .where(sql<boolean>`pushed_at < now() - make_interval(days => days)`);
}
