import type { AssistantMessage, NewAssistantMessage } from '@nephos/contracts';
import type { z } from 'zod';
import type { UserContext } from '../../context.ts';
import { claimReply } from './claim-reply.ts';
import { findSession } from './sessions.ts';
import { assertSubject, type Subject } from './subject.ts';

/**
 * Stores a question and begins to write the reply to it on this replica. Throws 404 where the conversation or what it
 * is about is not the person's, 409 STREAM_IN_PROGRESS while the last reply of the conversation is being written, and
 * 429 while two others of the person are.
 */
export async function ask(
  { db, user, assistant, requestId }: UserContext,
  { sessionId, message: question, ...given }: z.output<typeof NewAssistantMessage>,
): Promise<{ message: AssistantMessage; replyId: string }> {
  assistant.assertRunning();
  const session = await findSession(db, user.id, sessionId);
  const subject: Subject = {
    resourceScope: given.resourceScope ?? session.resourceScope,
    resourceId:
      given.resourceId === undefined && !given.resourceScope
        ? session.resourceId
        : (given.resourceId ?? null),
  };
  if (given.resourceId) await assertSubject(db, user.id, subject);
  // Whoever asks again right after leaving finds the conversation free.
  await assistant.settled(sessionId);
  const { replyId, message } = await claimReply(db, {
    ...subject,
    sessionId,
    ownerId: user.id,
    message: question,
  });
  assistant.begin({
    replyId,
    sessionId,
    messageId: message.id,
    question,
    scope: subject.resourceScope,
    resourceId: subject.resourceId,
    user,
    requestId,
    uncommitted: db.isTransaction,
  });
  return { message, replyId };
}
