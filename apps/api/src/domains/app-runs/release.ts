import type { Database } from '@nephos/db';
import type { Kysely } from 'kysely';
import { lastToRun } from '../deployments/service.ts';

/** Why a command was not run. */
export const NO_RELEASE = 'There is no release to run it in. Deploy the app first.';
export const NOT_LIVE =
  "The app isn't running, so the job had no environment to run in. Deploy or start the app.";

/**
 * The deployment in whose environment a run of a project takes place: the live one; for a command, else the one
 * that ran last, while its release is kept.
 */
export async function releaseOf(
  db: Kysely<Database>,
  { projectId, kind }: { projectId: string; kind: 'cron' | 'command' },
): Promise<string | undefined> {
  const project = await db
    .selectFrom('projects')
    .select(['ownerId', 'liveDeploymentId'])
    .where('id', '=', projectId)
    .executeTakeFirst();
  if (!project || project.liveDeploymentId || kind === 'cron') return project?.liveDeploymentId ?? undefined;
  const last = await lastToRun(db, project.ownerId, projectId);
  return last?.releaseKept ? last.id : undefined;
}
