import type { Doer } from '../../platform/audit.ts';
import { readOwner } from '../workspaces/workspace-columns.ts';
import { deployPush } from './deploy-push.ts';
import type { GitParts } from './git-pushes.ts';
import { openFor } from './open-for.ts';
import { findPending } from './pending-pushes.ts';

/** Of pushes that were noted by a version that kept nobody's name. */
const NOBODY: Doer = { actor: null, via: 'system' };

/**
 * Deploys what git took in while the server was killed, or something else kept it from being queued. Of pushes that are
 * under way it waits for the end. One that fails is logged and left for the next time.
 */
export async function resumePushes(parts: GitParts): Promise<void> {
  const { db, engine, log, stopping } = parts;
  const pending = await db
    .selectFrom('pendingPushes')
    .innerJoin('projects', 'projects.id', 'projectId')
    .select(['projects.id', 'projects.ownerId', 'projects.slug'])
    .execute();
  for (const { id, ownerId, slug } of pending) {
    // Another server's repositories are that one's.
    if (stopping.aborted || !engine.hasRepository(id)) continue;
    try {
      await resumePush(parts, { ownerId, slug });
    } catch (error) {
      log.error({ err: error, project: id }, 'a push that was cut off could not be deployed yet');
    }
  }
}

async function resumePush(
  parts: GitParts,
  { ownerId, slug }: { ownerId: string; slug: string },
): Promise<void> {
  const owner = await readOwner(parts.db, ownerId);
  if (!owner) return;
  const pusher = { owner, personId: ownerId, projectId: null, by: NOBODY };
  const opened = await openFor(parts, pusher, { name: slug, service: 'git-upload-pack' });
  try {
    const pending = await findPending(parts.db, opened.project);
    if (!pending) return;
    const { before, pushedBy } = pending;
    await deployPush(parts, { pusher: { ...pusher, by: pushedBy ?? NOBODY }, opened, before });
  } finally {
    await opened.close();
  }
}
