import type { Database } from '@nephos/db';
import { type Kysely, sql } from 'kysely';
import { registeredDomainOf } from './registered-domain.ts';

/** For whom a name gets a certificate. */
export interface Wanted {
  /** Null: for the server itself. */
  ownerId: string | null;
  /** A host name, or `*.` and one. */
  name: string;
}

/** What decides whether an authority is asked now. */
export interface Request extends Wanted {
  /** URL of the authority's. */
  directory: string;
  /** Whether the name has a certificate of an authority's that may end. */
  hasOne: boolean;
  /** Whether that is of this authority, which then counts it as a renewal. */
  renews: boolean;
}

/** Why an authority is not to be asked yet. */
export interface Wait {
  until: string;
  /** In a sentence or two. */
  reason: string;
}

/**
 * How often an authority is asked, below what the large ones allow: what fails for a name in an hour (theirs: 5), what
 * succeeds for it in a week (5) and for all names of a registered domain, but for renewals (50), and what one account or
 * all may ask for in three hours (300). Some is left for the names of the server, and for what is renewed: whoever uses up
 * the rest lets nobody's certificate end.
 */
const FAILURES_OF_NAME = 4;
const CERTIFICATES_OF_NAME = 4;
const CERTIFICATES_OF_DOMAIN = 45;
const CERTIFICATES_WITH_OWN = 49;
const ATTEMPTS_OF_OWNER = 60;
const ATTEMPTS_OF_ALL = 240;
const ATTEMPTS_WITH_OWN = 280;
/** Minutes for which an attempt may still succeed. */
const UNDECIDED = 15;

/** Until when an authority is not to be asked for a name, and why; null: it can be now. */
export async function waitFor(
  db: Kysely<Database>,
  { ownerId, name, directory, hasOne, renews }: Request,
): Promise<Wait | null> {
  const most = ownerId === null || hasOne ? ATTEMPTS_WITH_OWN : ATTEMPTS_OF_ALL;
  const mostOfDomain = ownerId === null ? CERTIFICATES_WITH_OWN : CERTIFICATES_OF_DOMAIN;
  const domain = await registeredDomainOf(name);
  const attempts = sql`(select * from acme_attempts where directory in (${directory}, '')) as attempts`;
  const maySucceed = sql`(succeeded or began_at > now() - ${UNDECIDED} * interval '1 minute')`;
  const { rows } = await sql<{ until: string; words: string | null }>`
    select until, words from (
      select greatest(
        (select began_at + interval '1 hour' from ${attempts} where name = ${name} and not succeeded
          order by began_at desc offset ${FAILURES_OF_NAME - 1} limit 1),
        (select began_at + interval '7 days' from ${attempts} where name = ${name} and succeeded
          order by began_at desc offset ${CERTIFICATES_OF_NAME - 1} limit 1),
        (select began_at + interval '7 days' from ${attempts}
          where registered_domain = ${domain} and not renews and ${maySucceed} and not ${renews}
          order by began_at desc offset ${mostOfDomain - 1} limit 1),
        (select began_at + interval '3 hours' from ${attempts} where owner_id = ${ownerId}
          order by began_at desc offset ${ATTEMPTS_OF_OWNER - 1} limit 1),
        (select began_at + interval '3 hours' from ${attempts}
          order by began_at desc offset ${most - 1} limit 1)
      ) as until, null as words
      union all
      select until, words from acme_holds
        where directory = ${directory} and registered_domain in (${domain}, '')
    ) as limits where until > now() order by until desc limit 1`.execute(db);
  const [found] = rows;
  return (
    (found && {
      until: found.until,
      reason: found.words ?? 'Too many certificates were requested. This one is requested later.',
    }) ??
    null
  );
}

/** Counts an attempt, as failed until `countSuccess`. */
export async function countAttempt(
  db: Kysely<Database>,
  { ownerId, name, directory, renews }: Omit<Request, 'hasOne'>,
): Promise<string> {
  const registeredDomain = await registeredDomainOf(name);
  const { id } = await db
    .insertInto('acmeAttempts')
    .values({ ownerId, name, directory, renews, registeredDomain })
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
