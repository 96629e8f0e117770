import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '@nephos/db';
import type { Kysely } from 'kysely';

/** Milliseconds that a write may take to its commit. */
const PATIENCE = 5000;
const PAUSE = 20;

/**
 * Waits until another connection sees a reply that was claimed inside an idempotent write, so until that is committed;
 * false when it was rolled back, as far as one can tell. Nothing cuts it short: what was given up meanwhile has to be
 * ended, and can be only then.
 */
export async function becomesVisible(db: Kysely<Database>, replyId: string): Promise<boolean> {
  const deadline = performance.now() + PATIENCE;
  while (performance.now() < deadline) {
    const reply = await db
      .selectFrom('assistantReplies')
      .select('id')
      .where('id', '=', replyId)
      .executeTakeFirst();
    if (reply) return true;
    await sleep(PAUSE);
  }
  return false;
}
