import type { AssistantMessage, NewAssistantMessage } from '@nephos/contracts';
import type { z } from 'zod';
import type { UserContext } from '../../core/context.ts';
import { claimReply } from './claim-reply.ts';
import type { ReplyWriter } from './reply-writer.ts';
import { findSession } from './sessions.ts';
import { assertSubject, type Subject } from './subject.ts';

/**
 * Stores a question and begins to write the reply to it on this replica. Throws 404 where the conversation or what it
 * is about is not the person's, 409 STREAM_IN_PROGRESS while the last reply of the conversation is being written, and
 * 429 while two others of the person are.
 */
export async function ask(
  ctx: UserContext,
  writer: ReplyWriter,
  { sessionId, message: question, ...given }: z.output<typeof NewAssistantMessage>,
): Promise<{ message: AssistantMessage; replyId: string }> {
  const { db, user, workspace, ownerId, requestId, afterCommit } = ctx;
  writer.assertRunning();
  const session = await findSession(ctx, sessionId);
  const subject: Subject = {
    resourceScope: given.resourceScope ?? session.resourceScope,
    resourceId:
      given.resourceId === undefined && !given.resourceScope
        ? session.resourceId
        : (given.resourceId ?? null),
  };
  if (given.resourceId) await assertSubject(db, ownerId, subject);
  // Whoever asks again right after leaving finds the conversation free.
  await writer.settled(sessionId);
  const { replyId, message } = await claimReply(db, {
    ...subject,
    sessionId,
    ...{ ownerId, userId: user.id },
    message: question,
  });
  afterCommit(() =>
    writer.begin({
      replyId,
      sessionId,
      messageId: message.id,
      question,
      scope: subject.resourceScope,
      resourceId: subject.resourceId,
      user,
      workspace,
      requestId,
    }),
  );
  return { message, replyId };
}
