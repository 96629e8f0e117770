import type { deployments, LogChunk } from '@nephos/contracts';
import type { BytesAnswer, Tracked } from '@nephos/contracts/kit';
import type { Database } from '@nephos/db';
import type { Kysely } from 'kysely';
import type { z } from 'zod';
import type { UserContext } from '../../core/context.ts';
import { follow } from '../../platform/follow.ts';
import type { Notifications } from '../../platform/notifications.ts';
import { DEPLOYMENT_CHANGED, DEPLOYMENT_LOG } from './channels.ts';
import { deploymentsOf, findDeployment } from './service.ts';

/** Rows of a page: at most 16 Ki characters of text each, so that a page stays small. */
const PAGE_ROWS = 50;
/** How long the last words of an app that was stopped are waited for. */
const QUIET_MS = 1500;
const ENDED: ReadonlySet<string> = new Set(['failed', 'stopped', 'cancelled']);

/** A deployment's stored log after `seq`, read page by page. */
export async function* readLog(
  db: Kysely<Database>,
  deploymentId: string,
  seq = 0,
): AsyncGenerator<LogChunk> {
  let last = seq;
  for (;;) {
    const rows = await db
      .selectFrom('deploymentLog')
      .select(['seq', 'stream', 'text', 'at'])
      .where('deploymentId', '=', deploymentId)
      .where('seq', '>', last)
      .orderBy('seq')
      .limit(PAGE_ROWS)
      .execute();
    yield* rows;
    last = rows.at(-1)?.seq ?? last;
    if (rows.length < PAGE_ROWS) return;
  }
}

/** A deployment's stored log as plain text, ANSI sequences kept; a file to save where `download` is `1`. Throws 404. */
export async function readLogText(
  { db, ownerId }: UserContext,
  input: z.output<typeof deployments.logText.input>,
): Promise<BytesAnswer> {
  const { id } = await findDeployment(db, ownerId, input.id);
  return {
    type: 'text/plain; charset=utf-8',
    ...(input.download === '1' && { fileName: `deployment-${id}.log` }),
    async *body() {
      for await (const { text } of readLog(db, id)) yield text;
    },
  };
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
  const channels = [DEPLOYMENT_LOG, DEPLOYMENT_CHANGED];
  const follower = follow(notifications, { channels, concerns: (about) => about.endsWith(id), signal });
  try {
    let seq = seqOf(lastEventId);
    let sawItOpen = false;
    for (;;) {
      // Asked before reading: what an ended build wrote is all there by then.
      const isOpen = await isLogOpen(db, ownerId, id);
      for await (const chunk of readLog(db, id, seq)) {
        if (signal?.aborted) return;
        seq = chunk.seq;
        yield { id: String(seq), data: chunk };
      }
      if (!isOpen && !sawItOpen) return;
      sawItOpen = true;
      const turn = await follower.turn(isOpen ? undefined : QUIET_MS);
      if (turn !== 'news') return;
    }
  } finally {
    follower.end();
  }
}

async function isLogOpen(db: Kysely<Database>, ownerId: string, id: string): Promise<boolean> {
  const deployment = await deploymentsOf(db, ownerId).where('id', '=', id).executeTakeFirst();
  return deployment !== undefined && !ENDED.has(deployment.status);
}

function seqOf(lastEventId: string | undefined): number {
  return lastEventId !== undefined && /^\d{1,9}$/.test(lastEventId) ? Number(lastEventId) : 0;
}
