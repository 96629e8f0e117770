import { type DnsChange, type dns, MAX_PAGE, RECORDS_SHOWN_PER_CHANGE } from '@nephos/contracts';
import type { Database } from '@nephos/db';
import { type Kysely, sql } from 'kysely';
import type { z } from 'zod';
import type { UserContext } from '../../../core/context.ts';

const SHOWN = sql.lit(`$[0 to ${RECORDS_SHOWN_PER_CHANGE - 1}]`);

/** Someone's changes, as the contract shows them. */
export function changesOf(db: Kysely<Database>, ownerId: string) {
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
      sql<DnsChange['added']>`jsonb_path_query_array(change.added, ${SHOWN})`.as('added'),
      sql<number>`jsonb_array_length(change.added)`.as('addedCount'),
      sql<DnsChange['added']>`jsonb_path_query_array(change.removed, ${SHOWN})`.as('removed'),
      sql<number>`jsonb_array_length(change.removed)`.as('removedCount'),
    ]);
}

/** The signed-in person's changes, newest first. */
export function listChanges(
  { db, ownerId }: UserContext,
  { limit = MAX_PAGE, cursor, domain }: NonNullable<z.output<typeof dns.changes.input>> = {},
): Promise<DnsChange[]> {
  return changesOf(db, ownerId)
    .$if(domain !== undefined, (changes) => changes.where('change.domain', '=', domain ?? ''))
    .$if(cursor !== undefined, (changes) => changes.where('change.id', '<', cursor ?? ''))
    .orderBy('change.id', 'desc')
    .limit(limit)
    .execute();
}
