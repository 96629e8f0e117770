import { MAX_DNS_CHANGES, MAX_DNS_HISTORY } from '@nephos/contracts';
import type { Database } from '@nephos/db';
import type { Kysely } from 'kysely';
import type { ZoneRecord } from '../zone-rules.ts';
import type { ZoneRow } from '../zones.ts';
import { type Difference, sizeOf } from './difference.ts';

/** Where a change comes from. */
export interface ChangeOrigin {
  kind: 'edit' | 'import' | 'revert' | 'follow';
  /** Who makes it; null for nobody. */
  userId: string | null;
}

function noted(records: readonly ZoneRecord[]): string {
  return JSON.stringify(
    records.map(({ name, recordType, value, ttl }) => ({ name, recordType, value, ttl })),
  );
}

/** Keeps what changed of a zone, whose serial is the new one, and forgets the oldest of too many. Its id, if anything did. */
export async function noteChange(
  trx: Kysely<Database>,
  { ownerId, domain, serial }: Pick<ZoneRow, 'ownerId' | 'domain' | 'serial'>,
  difference: Difference,
  { kind, userId }: ChangeOrigin,
): Promise<string | undefined> {
  if (sizeOf(difference) === 0) return undefined;
  const { added, removed, changed } = difference;
  const former = changed.map(({ formerTtl, ...record }) => ({ ...record, ttl: formerTtl }));
  const { id } = await trx
    .insertInto('dnsChanges')
    .values({
      ...{ ownerId, domain, userId, kind, serial },
      added: noted([...added, ...changed]),
      removed: noted([...removed, ...former]),
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await forgetOldest(trx, ownerId);
  return id;
}

/** Keeps the newest changes of an account, as many and as large as may be; the newest of all in any case. */
async function forgetOldest(trx: Kysely<Database>, ownerId: string): Promise<void> {
  const { id: oldest } = await trx
    .selectFrom((ranked) =>
      ranked
        .selectFrom('dnsChanges')
        .where('ownerId', '=', ownerId)
        .select(({ fn }) => [
          'id',
          fn
            .agg<number>('row_number')
            .over((by) => by.orderBy('id', 'desc'))
            .as('place'),
          fn
            .sum<number>('bytes')
            .over((by) => by.orderBy('id', 'desc'))
            .as('total'),
        ])
        .as('change'),
    )
    .where('place', '<=', MAX_DNS_CHANGES)
    .where(({ eb, or }) => or([eb('place', '=', 1), eb('total', '<=', MAX_DNS_HISTORY)]))
    .select('id')
    .orderBy('id')
    .limit(1)
    .executeTakeFirstOrThrow();
  await trx.deleteFrom('dnsChanges').where('ownerId', '=', ownerId).where('id', '<', oldest).execute();
}
