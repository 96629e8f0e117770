import type { MessageMetadata } from '@nephos/contracts';
import { atomically, type Database } from '@nephos/db';
import { type Kysely, sql } from 'kysely';
import type { z } from 'zod';
import type { Piece, StoredEvent } from './pieces.ts';
import { storedPieces, storePieces } from './reply-store.ts';

/** How a reply ended. */
export interface Ending {
  replyId: string;
  /** All of its pieces but the last, which is `done`. */
  pieces: readonly Piece[];
  done: Piece & { event: { type: 'done' } };
  metadata: { model?: string; promptTokens?: number; completionTokens?: number };
}

/**
 * Makes a reply's pieces messages of its conversation: those of the tools in the order in which they were called, and
 * the answer, unless nothing was said. Nothing happens where that was done before, or the conversation is gone.
 */
export async function endReply(
  db: Kysely<Database>,
  { replyId, pieces, done, metadata }: Ending,
): Promise<void> {
  await atomically(db, async (trx) => {
    const reply = await trx
      .updateTable('assistantReplies')
      .set({ status: 'done' })
      .where('id', '=', replyId)
      .where('status', '=', 'writing')
      .returning('sessionId')
      .executeTakeFirst();
    if (!reply) return;
    const { sessionId } = reply;
    const events = pieces.map(({ event }) => event);
    for (const message of [
      ...toolMessages(events),
      ...answerOf(events, { ...metadata, ...(done.event.truncated && { truncated: true }) }),
    ]) {
      await trx
        .insertInto('assistantMessages')
        .values({ sessionId, ...message, metadata: JSON.stringify(message.metadata) })
        .execute();
    }
    await trx
      .updateTable('assistantSessions')
      .set({ updatedAt: sql<string>`now()` })
      .where('id', '=', sessionId)
      .execute();
    await storePieces(trx, [{ replyId, pieces: [...pieces, done] }]);
  });
}

function toolMessages(events: readonly StoredEvent[]) {
  return events
    .filter((event) => event.type === 'tool')
    .map(({ toolName, content }) => ({
      sender: 'tool' as const,
      content,
      metadata: { toolName },
    }));
}

function answerOf(events: readonly StoredEvent[], metadata: z.output<typeof MessageMetadata>) {
  const content = events.map((event) => (event.type === 'text' ? event.text : '')).join('');
  return content === '' ? [] : [{ sender: 'assistant' as const, content, metadata }];
}

/** Ends the replies whose writer has died, of everybody or of one person; what there is of them is kept. */
export async function endDeadReplies(db: Kysely<Database>, ownerId?: string): Promise<void> {
  const dead = await db
    .selectFrom('assistantReplies')
    .select('id')
    .where('status', '=', 'writing')
    .where('leaseUntil', '<', sql<string>`now()`)
    .$if(ownerId !== undefined, (query) => query.where('ownerId', '=', ownerId ?? ''))
    .execute();
  for (const { id } of dead) {
    const pieces = await storedPieces(db, id);
    const error = 'The server stopped while answering. Ask again.';
    const done = { seq: pieces.length + 1, event: { type: 'done' as const, truncated: true, error } };
    await endReply(db, { replyId: id, pieces, done, metadata: {} });
  }
}
