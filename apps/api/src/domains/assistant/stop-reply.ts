import type { UserContext } from '../../context.ts';
import { notify } from '../../platform/notifications.ts';
import { ASSISTANT_STOP } from './channels.ts';
import { readPieces } from './pieces.ts';
import { storedSource } from './reply-store.ts';
import { findSession } from './sessions.ts';

/** Milliseconds for which the end of what was stopped is waited for. */
const PATIENCE = 2000;

/**
 * Stops the reply of a conversation, whichever replica writes it, and resolves when it has ended, or is about to.
 * Without one nothing happens. Throws 404.
 */
export async function stopReply(
  { db, user, assistant, notifications }: UserContext,
  sessionId: string,
): Promise<{ success: true }> {
  await findSession(db, user.id, sessionId);
  const reply = await db
    .updateTable('assistantReplies')
    .set({ stopAsked: true })
    .where('sessionId', '=', sessionId)
    .where('status', '=', 'writing')
    .returning('id')
    .executeTakeFirst();
  if (!reply) return { success: true };
  const running = assistant.running(reply.id);
  if (running) running.giveUp('');
  else await notify(db, ASSISTANT_STOP, reply.id);
  // Its writer waits for the end of an idempotent write.
  if (db.isTransaction) return { success: true };
  const source = running?.feed ?? storedSource(db, notifications, reply.id);
  const signal = AbortSignal.timeout(PATIENCE);
  await Array.fromAsync(readPieces(source, { after: 0, signal, quietAfter: undefined }));
  return { success: true };
}
