import type { Database } from '@nephos/db';
import { type Kysely, sql } from 'kysely';
import type { PastMessage } from './responder/responder.ts';

/** UTF-16 units of what was said before that a new answer may rest on. */
const MAX_HISTORY = 24_000;
const MAX_MESSAGES = 30;

/**
 * What was said before a question, as much of the latest as there is room for, oldest first. Without what tools said:
 * that may be true no more.
 */
export async function historyBefore(
  db: Kysely<Database>,
  sessionId: string,
  messageId: string,
): Promise<PastMessage[]> {
  const latest = await db
    .selectFrom('assistantMessages')
    .where('sessionId', '=', sessionId)
    .where('id', '<', messageId)
    .where('sender', 'in', ['user', 'assistant'])
    // The line before leaves no other sender.
    .select(sql<PastMessage['sender']>`sender`.as('sender'))
    .select(sql<string>`left(content, ${MAX_HISTORY})`.as('content'))
    .orderBy('id', 'desc')
    .limit(MAX_MESSAGES)
    .execute();
  let room = MAX_HISTORY;
  const fitting = latest.filter(({ content }) => {
    room -= content.length;
    return room >= 0;
  });
  return fitting.reverse();
}
