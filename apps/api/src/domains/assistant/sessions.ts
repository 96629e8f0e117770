import { type AssistantMessage, type AssistantSession, MAX_PAGE, type Page } from '@nephos/contracts';
import type { Database } from '@nephos/db';
import { type Kysely, sql } from 'kysely';
import type { z } from 'zod';
import type { UserContext } from '../../core/context.ts';
import { notFound } from '../../core/errors.ts';
import type { ReplyWriter } from './reply-writer.ts';
import { assertSubject, type Subject } from './subject.ts';

const SHOWN = ['id', 'resourceScope', 'resourceId', 'title', 'createdAt', 'updatedAt'] as const;
/** Days after which a conversation that nobody wrote in is forgotten. */
const EMPTY_DAYS = 1;

/** Throws 404 where what it is to be about is not the person's. */
export async function createSession(
  { db, user, ownerId }: UserContext,
  subject: Subject,
): Promise<AssistantSession> {
  await assertSubject(db, ownerId, subject);
  return db
    .insertInto('assistantSessions')
    .values({ ownerId, userId: user.id, ...subject })
    .returning(SHOWN)
    .executeTakeFirstOrThrow();
}

export function listSessions(
  { db, user, ownerId }: UserContext,
  { limit = MAX_PAGE, cursor }: z.output<typeof Page> = {},
): Promise<AssistantSession[]> {
  const all = db
    .selectFrom('assistantSessions')
    .where('ownerId', '=', ownerId)
    .where('userId', '=', user.id)
    .where('title', '<>', '')
    .select(SHOWN)
    .orderBy('id', 'desc')
    .limit(limit);
  return (cursor === undefined ? all : all.where('id', '<', cursor)).execute();
}

/** Throws 404. */
export async function findSession(
  { db, user, ownerId }: Pick<UserContext, 'db' | 'user' | 'ownerId'>,
  id: string,
): Promise<AssistantSession> {
  const session = await db
    .selectFrom('assistantSessions')
    .where('ownerId', '=', ownerId)
    .where('userId', '=', user.id)
    .where('id', '=', id)
    .select(SHOWN)
    .executeTakeFirst();
  if (!session) throw notFound();
  return session;
}

/** Ends a reply that is being written and forgets everything. Throws 404. */
export async function removeSession(
  { db, user, ownerId }: UserContext,
  writer: Pick<ReplyWriter, 'forget'>,
  id: string,
): Promise<{ success: true }> {
  const { numDeletedRows } = await db
    .deleteFrom('assistantSessions')
    .where('ownerId', '=', ownerId)
    .where('userId', '=', user.id)
    .where('id', '=', id)
    .executeTakeFirst();
  if (numDeletedRows === 0n) throw notFound();
  writer.forget(id);
  return { success: true };
}

/** The newest 1,000, oldest first. Throws 404. */
export async function listMessages(ctx: UserContext, sessionId: string): Promise<AssistantMessage[]> {
  await findSession(ctx, sessionId);
  const newest = await ctx.db
    .selectFrom('assistantMessages')
    .where('sessionId', '=', sessionId)
    .select(['id', 'sender', 'content', 'metadata', 'createdAt'])
    .orderBy('id', 'desc')
    .limit(MAX_PAGE)
    .execute();
  return newest.reverse();
}

/** Forgets conversations that were begun and not used. */
export async function sweepEmptySessions(db: Kysely<Database>): Promise<void> {
  await db
    .deleteFrom('assistantSessions')
    .where('title', '=', '')
    .where('createdAt', '<', sql<string>`now() - make_interval(days => ${EMPTY_DAYS})`)
    .execute();
}
