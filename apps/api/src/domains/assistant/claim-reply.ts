import type { AssistantMessage } from '@nephos/contracts';
import { type Database, type Parameter, prepare } from '@nephos/db';
import { type Kysely, sql } from 'kysely';
import { conflict, rateLimited } from '../../core/errors.ts';
import { LEASE_SECONDS } from './leases.ts';
import { endDeadReplies } from './reply-end.ts';
import type { Subject } from './subject.ts';

/** Seconds after which somebody with two replies under way may ask again. */
const RETRY_SECONDS = 5;
/** Races for a free slot that one question may lose. */
const MAX_ATTEMPTS = 5;
const TITLE_LENGTH = 80;

export interface Question extends Subject {
  sessionId: string;
  ownerId: string;
  /** Who asks. */
  userId: string;
  message: string;
}

/** A question that was stored, with the reply to it that its asker may now write. */
export interface Claim {
  replyId: string;
  message: AssistantMessage;
}

type Values = Record<'ownerId' | 'userId' | 'sessionId' | 'message' | 'resourceScope' | 'title', string> & {
  resourceId: string | null;
};

interface Row {
  replyId: string;
  id: string;
  createdAt: string;
}

/**
 * Takes one of the person's two slots and the conversation's only one, and stores the question; no rows where either
 * is taken. One statement, because the model is not asked before it.
 */
const claim = prepare((db, parameter: Parameter<Values>) =>
  sql<Row>`
    with reply as (
      insert into assistant_replies (session_id, owner_id, slot, lease_until)
      select session.id, session.user_id, free.slot, now() + ${sql.lit(`${LEASE_SECONDS} seconds`)}::interval
      from assistant_sessions session, generate_series(1, 2) as free (slot)
      where session.owner_id = ${parameter('ownerId')} and session.user_id = ${parameter('userId')} and session.id = ${parameter('sessionId')}
        and not exists (
          select from assistant_replies other
          where other.owner_id = session.user_id and other.status = 'writing' and other.slot = free.slot
        )
      limit 1
      on conflict do nothing
      returning id, session_id
    ), message as (
      insert into assistant_messages (session_id, sender, content)
      select session_id, 'user', ${parameter('message')} from reply
      returning id, created_at
    ), asked as (
      update assistant_sessions session
      set updated_at = now(), resource_scope = ${parameter('resourceScope')},
        resource_id = ${parameter('resourceId')}::uuid,
        title = case when title = '' then ${parameter('title')} else title end
      from reply where session.id = reply.session_id
    )
    select reply.id as reply_id, message.id, message.created_at from reply, message`.compile(db),
);

/** Throws 409 STREAM_IN_PROGRESS and 429 RATE_LIMITED. The conversation must be the person's own. */
export async function claimReply(db: Kysely<Database>, question: Question): Promise<Claim> {
  const title = titleOf(question.message);
  for (let attempt = 1; ; attempt += 1) {
    const [row] = await claim(db, { ...question, title });
    if (row) {
      const { replyId, ...message } = row;
      return { replyId, message: { ...message, sender: 'user', content: question.message, metadata: {} } };
    }
    if (attempt === MAX_ATTEMPTS) throw rateLimited(RETRY_SECONDS);
    await assertFree(db, question);
  }
}

/** Throws the refusal of the rule that bars the reply; returns where what was in the way is gone. */
async function assertFree(db: Kysely<Database>, { userId, sessionId }: Question): Promise<void> {
  await endDeadReplies(db, userId);
  const writing = await db
    .selectFrom('assistantReplies')
    .select('sessionId')
    .where('ownerId', '=', userId)
    .where('status', '=', 'writing')
    .execute();
  if (writing.some((reply) => reply.sessionId === sessionId)) {
    throw conflict('STREAM_IN_PROGRESS', 'The last question is still being answered.');
  }
  if (writing.length > 1) throw rateLimited(RETRY_SECONDS);
}

/** The beginning of a question, in one line. */
function titleOf(message: string): string {
  const line = message.replaceAll(/\s+/g, ' ');
  if (line.length <= TITLE_LENGTH) return line;
  // The cut may have left half of a character, which goes as well.
  return `${line
    .slice(0, TITLE_LENGTH - 1)
    .replace(/[\ud800-\udbff]$/, '')
    .trimEnd()}…`;
}
