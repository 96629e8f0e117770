import { sql } from 'kysely';
import { Refusal } from '../../core/errors.ts';
import { removeProject } from '../projects/remove-project.ts';
import type { PreviewsParts } from './previews.ts';

/** Deletes previews to which nothing was pushed for as long as their projects' settings say. */
export async function sweepPreviews(parts: PreviewsParts): Promise<void> {
  const { db } = parts;
  const ended = await db
    .selectFrom('previews')
    .innerJoin('previewSettings', 'previewSettings.projectId', 'parentId')
    .select(['previews.projectId', 'previews.ownerId'])
    .where(sql<boolean>`pushed_at < now() - make_interval(days => days)`)
    .execute();
  for (const { projectId, ownerId } of ended) {
    await removeProject({ db, ownerId }, parts, projectId).catch((error: unknown) => {
      // Somebody else deleted it first.
      if (!(error instanceof Refusal)) throw error;
    });
  }
}
