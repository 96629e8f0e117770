import {
  type DnsChange,
  type dns,
  MAX_DNS_CHANGES_PAGE,
  RECORDS_SHOWN_PER_CHANGE,
  VALUE_SHOWN_PER_CHANGE,
} from '@nephos/contracts';
import type { Database } from '@nephos/db';
import { type Kysely, sql } from 'kysely';
import type { z } from 'zod';
import type { UserContext } from '../../../core/context.ts';

const SHOWN = sql.lit(`$[0 to ${RECORDS_SHOWN_PER_CHANGE - 1}]`);

const VALUE = sql`record ->> 'value'`;
const SHORT_VALUE = sql`
  case when length(${VALUE}) > ${sql.lit(VALUE_SHOWN_PER_CHANGE)}
  then left(${VALUE}, ${sql.lit(VALUE_SHOWN_PER_CHANGE - 1)}) || '…' else ${VALUE} end`;

/** The first of its records, with the beginnings of long values. */
function shownOf(column: 'added' | 'removed') {
  return sql<DnsChange['added']>`(
    select coalesce(jsonb_agg(jsonb_set(record, '{value}', to_jsonb(${SHORT_VALUE})) order by place), '[]')
    from jsonb_array_elements(jsonb_path_query_array(${sql.ref(`change.${column}`)}, ${SHOWN}))
      with ordinality as shown (record, place))`;
}

/** Someone's changes, as the contract shows them. */
function changesOf(db: Kysely<Database>, ownerId: string) {
  return db
    .selectFrom('dnsChanges as change')
    .leftJoin('users', 'users.id', 'change.userId')
    .where('change.ownerId', '=', ownerId)
    .select([
      'change.id',
      'change.domain',
      'change.kind',
      'change.serial',
      'change.createdAt',
      'users.email as by',
      shownOf('added').as('added'),
      'change.addedCount',
      shownOf('removed').as('removed'),
      'change.removedCount',
    ]);
}

/** A change that was just noted. */
export function theChange(db: Kysely<Database>, ownerId: string, id = ''): Promise<DnsChange> {
  return changesOf(db, ownerId).where('change.id', '=', id).executeTakeFirstOrThrow();
}

/** The signed-in person's changes, newest first. */
export function listChanges(
  { db, ownerId }: UserContext,
  { limit = MAX_DNS_CHANGES_PAGE, cursor, domain }: NonNullable<z.output<typeof dns.changes.input>> = {},
): Promise<DnsChange[]> {
  return changesOf(db, ownerId)
    .$if(domain !== undefined, (changes) => changes.where('change.domain', '=', domain ?? ''))
    .$if(cursor !== undefined, (changes) => changes.where('change.id', '<', cursor ?? ''))
    .orderBy('change.id', 'desc')
    .limit(limit)
    .execute();
}
