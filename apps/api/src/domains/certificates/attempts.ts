import type { Database } from '@nephos/db';
import { type Kysely, sql } from 'kysely';

/** For whom a name gets a certificate. */
export interface Wanted {
  /** Null: for the server itself. */
  ownerId: string | null;
  /** A host name, or `*.` and one. */
  name: string;
}

/**
 * How often an authority is asked, below what the large ones allow: what fails for a name in an hour (theirs: 5) and what
 * succeeds for it in a week (5), and what one account or all may ask for in three hours (300). Some is left for the names
 * of the server, and for what is renewed: whoever uses up the rest lets nobody's certificate end.
 */
const FAILURES_OF_NAME = 4;
const CERTIFICATES_OF_NAME = 4;
const ATTEMPTS_OF_OWNER = 60;
const ATTEMPTS_OF_ALL = 240;
const ATTEMPTS_WITH_OWN = 280;

/** Until when the authority is not to be asked for a name; null: it can be now. `replaced` is what is renewed. */
export async function waitFor(
  db: Kysely<Database>,
  { ownerId, name, replaced = null }: Wanted & { replaced?: string | null },
): Promise<string | null> {
  const most = ownerId === null || replaced !== null ? ATTEMPTS_WITH_OWN : ATTEMPTS_OF_ALL;
  const { rows } = await sql<{ until: string }>`
    select until from (select greatest(
      (select began_at + interval '1 hour' from acme_attempts where name = ${name} and not succeeded
        order by began_at desc offset ${FAILURES_OF_NAME - 1} limit 1),
      (select began_at + interval '7 days' from acme_attempts where name = ${name} and succeeded
        order by began_at desc offset ${CERTIFICATES_OF_NAME - 1} limit 1),
      (select began_at + interval '3 hours' from acme_attempts where owner_id = ${ownerId}
        order by began_at desc offset ${ATTEMPTS_OF_OWNER - 1} limit 1),
      (select began_at + interval '3 hours' from acme_attempts
        order by began_at desc offset ${most - 1} limit 1)
    ) as until) as limits where until > now()`.execute(db);
  return rows[0]?.until ?? null;
}

/** Counts an attempt, as failed until `countSuccess`. */
export async function countAttempt(db: Kysely<Database>, { ownerId, name }: Wanted): Promise<string> {
  const { id } = await db
    .insertInto('acmeAttempts')
    .values({ ownerId, name })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

export async function countSuccess(db: Kysely<Database>, id: string): Promise<void> {
  await db.updateTable('acmeAttempts').set({ succeeded: true }).where('id', '=', id).execute();
}

/** Forgets those that no limit looks back to. */
export async function sweepAttempts(db: Kysely<Database>): Promise<void> {
  await db.deleteFrom('acmeAttempts').where('beganAt', '<', sql<string>`now() - interval '8 days'`).execute();
}
