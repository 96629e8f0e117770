import type { deployments, LogChunk } from '@nephos/contracts';
import type { BytesAnswer, Tracked } from '@nephos/contracts/kit';
import type { Database } from '@nephos/db';
import type { Kysely } from 'kysely';
import type { z } from 'zod';
import type { UserContext } from '../../core/context.ts';
import type { Notifications } from '../../platform/notifications.ts';
import { DEPLOYMENT_CHANGED, DEPLOYMENT_LOG } from './channels.ts';
import { deploymentsOf, findDeployment } from './service.ts';
import { followPieces, type LogPages, readPieces, textOf } from './stored-log.ts';

/** How long the last words of an app that was stopped are waited for. */
const QUIET_MS = 1500;
const ENDED: ReadonlySet<string> = new Set(['failed', 'stopped', 'cancelled']);

function pagesOf(db: Kysely<Database>, deploymentId: string): LogPages {
  return (after, limit) =>
    db
      .selectFrom('deploymentLog')
      .select(['seq', 'stream', 'text', 'at'])
      .where('deploymentId', '=', deploymentId)
      .where('seq', '>', after)
      .orderBy('seq')
      .limit(limit)
      .execute();
}

/** A deployment's stored log after `seq`, read page by page. */
export function readLog(db: Kysely<Database>, deploymentId: string, seq: number): AsyncGenerator<LogChunk> {
  return readPieces(pagesOf(db, deploymentId), seq);
}

/** A deployment's stored log as plain text, ANSI sequences kept; a file to save where `download` is `1`. Throws 404. */
export async function readLogText(
  { db, ownerId }: UserContext,
  input: z.output<typeof deployments.logText.input>,
): Promise<BytesAnswer> {
  const { id } = await findDeployment(db, ownerId, input.id);
  return textOf(pagesOf(db, id), input.download === '1' ? `deployment-${id}.log` : undefined);
}

export interface StreamInput {
  id: string;
  lastEventId: string | undefined;
}

/**
 * A deployment's log: what there is after the event `lastEventId`, then what comes, until the deployment has ended
 * and its log with it. A running app's log goes on.
 */
export async function* followLog(
  { db, ownerId, signal }: UserContext,
  notifications: Notifications,
  { id, lastEventId }: StreamInput,
): AsyncGenerator<Tracked<LogChunk>> {
  await findDeployment(db, ownerId, id);
  yield* followPieces(notifications, {
    ...{ id, lastEventId, signal, pages: pagesOf(db, id), quiet: QUIET_MS },
    channels: [DEPLOYMENT_LOG, DEPLOYMENT_CHANGED],
    isOpen: () => isLogOpen(db, ownerId, id),
  });
}

async function isLogOpen(db: Kysely<Database>, ownerId: string, id: string): Promise<boolean> {
  const deployment = await deploymentsOf(db, ownerId).where('id', '=', id).executeTakeFirst();
  return deployment !== undefined && !ENDED.has(deployment.status);
}
