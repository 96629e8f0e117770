import type { Once } from '@nephos/contracts/implement';
import type { UserContext } from '../../core/context.ts';
import { notify } from '../../platform/notifications.ts';
import type { AssistantParts } from './assistant.ts';
import { ASSISTANT_STOP } from './channels.ts';
import { readPieces } from './pieces.ts';
import { storedSource } from './reply-store.ts';
import { findSession } from './sessions.ts';

/** Milliseconds for which the end of what was stopped is waited for. */
const PATIENCE = 2000;

/**
 * Stops the reply of a conversation, whichever replica writes it, and resolves when it has ended, or is about to: its
 * end is written by another transaction, so it is waited for after this one. Without a reply nothing happens. Throws
 * 404.
 */
export async function stopReply(
  ctx: UserContext,
  { writer, notifications }: Pick<AssistantParts, 'writer' | 'notifications'>,
  sessionId: string,
  once: Once<UserContext>,
) {
  let replyId: string | undefined;
  const answer = await once(async (inner) => {
    replyId = await askToStop(inner, sessionId);
    return { success: true as const };
  });
  if (replyId === undefined) return answer;
  const running = writer.running(replyId);
  running?.giveUp('');
  const source = running?.feed ?? storedSource(ctx.db, notifications, replyId);
  const signal = AbortSignal.timeout(PATIENCE);
  await Array.fromAsync(readPieces(source, { after: 0, signal, quietAfter: undefined }));
  return answer;
}

/** Notes that the reply is to end, and tells the replica that writes it. */
async function askToStop(ctx: UserContext, sessionId: string): Promise<string | undefined> {
  const { db } = ctx;
  await findSession(ctx, sessionId);
  const reply = await db
    .updateTable('assistantReplies')
    .set({ stopAsked: true })
    .where('sessionId', '=', sessionId)
    .where('status', '=', 'writing')
    .returning('id')
    .executeTakeFirst();
  if (reply) await notify(db, ASSISTANT_STOP, reply.id);
  return reply?.id;
}
