import type { Database } from '@nephos/db';
import { type Kysely, sql } from 'kysely';

/** A reply that nobody renewed for so long has lost its writer. */
export const LEASE_SECONDS = 30;
/**
 * How long a reply goes on while nobody reads it through `reply`: a page that is loaded again, on a slow machine or a
 * slow line, finds it going on. A REST chat has no such grace: its connection is its reader.
 */
export const UNHEARD_SECONDS = 15;

const leaseEnd = sql<string>`now() + make_interval(secs => ${LEASE_SECONDS})`;
const unheard = sql<boolean>`coalesce(heard_at, created_at) < now() - make_interval(secs => ${UNHEARD_SECONDS})`;

/** A reply as all replicas see it. */
export interface Lease {
  id: string;
  /** Somebody on some replica asked for its end. */
  stopAsked: boolean;
  /** Nobody on any replica reads it, or has lately. */
  unheard: boolean;
}

/** Keeps replies alive, and notes which of them are read here; the result leaves out those that have ended. */
export async function renewLeases(
  db: Kysely<Database>,
  replyIds: readonly string[],
  readHere: readonly string[],
): Promise<Lease[]> {
  const { rows } = await sql<Lease>`
    update assistant_replies
    set lease_until = ${leaseEnd}, heard_at = case when id = any(${readHere}::uuid[]) then now() else heard_at end
    where id = any(${replyIds}::uuid[]) and status = 'writing'
    returning id, stop_asked, ${unheard} as unheard`.execute(db);
  return rows;
}

/** Notes that a reply is being read; false where it is written no more. */
export async function noteReader(db: Kysely<Database>, replyId: string): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('assistantReplies')
    .set({ heardAt: sql<string>`now()` })
    .where('id', '=', replyId)
    .where('status', '=', 'writing')
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Whether somebody reads a reply through `reply`, or has lately. */
export async function isRead(db: Kysely<Database>, replyId: string): Promise<boolean> {
  const reply = await db
    .selectFrom('assistantReplies')
    .select(sql<boolean>`heard_at is not null and not ${unheard}`.as('read'))
    .where('id', '=', replyId)
    .executeTakeFirst();
  return reply?.read ?? false;
}
