import type { Deployment, DeploymentChange } from '@nephos/contracts';
import type { Tracked } from '@nephos/contracts/kit';
import type { Database } from '@nephos/db';
import { type Kysely, sql } from 'kysely';
import type { UserContext } from '../../core/context.ts';
import { follow } from '../../platform/follow.ts';
import type { Notifications } from '../../platform/notifications.ts';
import { assertProject } from '../projects/read.ts';
import { UNFINISHED } from './attempt.ts';
import { DEPLOYMENT_CHANGED } from './channels.ts';
import type { StreamInput } from './log.ts';
import { deploymentsOf } from './service.ts';

/** A change carries the time at which it was written, and others can see it within this time. */
const COMMIT_MS = 15_000;

/**
 * A project's deployments: at first those that are unfinished or have just changed, after a reconnection since then;
 * then each one that changes. What one moment changed comes together: all but the last of it say that `more` follows.
 * The event's id is the instant of the change.
 */
export async function* followDeployments(
  { db, ownerId, signal }: UserContext,
  notifications: Notifications,
  { id: projectId, lastEventId }: StreamInput,
): AsyncGenerator<Tracked<DeploymentChange>> {
  await assertProject(db, ownerId, projectId);
  const concerns = (about: string) => about.startsWith(projectId);
  const follower = follow(notifications, { channels: [DEPLOYMENT_CHANGED], concerns, signal });
  const sent = new Map<string, string>();
  try {
    let since = instantOf(lastEventId) ?? (await databaseNow(db));
    do {
      const changed = (await changedSince({ db, ownerId }, projectId, since)).filter(
        ({ changedAt: _, ...deployment }) => isNew(deployment),
      );
      for (const [index, { changedAt, ...deployment }] of changed.entries()) {
        since = changedAt;
        yield { id: changedAt, data: { ...deployment, more: index < changed.length - 1 } };
      }
    } while ((await follower.turn()) === 'news');
  } finally {
    follower.end();
  }

  function isNew(deployment: Deployment): boolean {
    const shown = JSON.stringify(deployment);
    if (sent.get(deployment.id) === shown) return false;
    sent.set(deployment.id, shown);
    return true;
  }
}

/** In one query, so that what was committed together is seen together. */
function changedSince(
  { db, ownerId }: Pick<UserContext, 'db' | 'ownerId'>,
  projectId: string,
  instant: string,
) {
  const from = new Date(Date.parse(instant) - COMMIT_MS).toISOString();
  return deploymentsOf(db, ownerId)
    .select('changedAt')
    .where('projectId', '=', projectId)
    .where(({ eb, or }) => or([eb('changedAt', '>=', from), eb('status', 'in', UNFINISHED)]))
    .orderBy('changedAt')
    .orderBy('id')
    .execute();
}

async function databaseNow(db: Kysely<Database>): Promise<string> {
  const { rows } = await sql<{ now: string }>`select now() as now`.execute(db);
  return rows[0]?.now ?? new Date().toISOString();
}

function instantOf(lastEventId: string | undefined): string | undefined {
  return lastEventId !== undefined && !Number.isNaN(Date.parse(lastEventId)) ? lastEventId : undefined;
}
