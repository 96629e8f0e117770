import { MAX_DNS_CHANGES } from '@nephos/contracts';
import type { Database } from '@nephos/db';
import type { Kysely } from 'kysely';
import type { ZoneRecord } from '../zone-rules.ts';
import type { ZoneRow } from '../zones.ts';
import { type Difference, sizeOf } from './difference.ts';

/** Where a change comes from. */
export interface ChangeOrigin {
  kind: 'edit' | 'import' | 'revert';
  /** Who makes it. */
  userId: string;
}

function noted(records: readonly ZoneRecord[]): string {
  return JSON.stringify(
    records.map(({ name, recordType, value, ttl }) => ({ name, recordType, value, ttl })),
  );
}

/** Keeps what changed of a zone, whose serial is the new one, and forgets the oldest of too many. */
export async function noteChange(
  trx: Kysely<Database>,
  { ownerId, domain, serial }: Pick<ZoneRow, 'ownerId' | 'domain' | 'serial'>,
  difference: Difference,
  { kind, userId }: ChangeOrigin,
): Promise<void> {
  if (sizeOf(difference) === 0) return;
  const { added, removed, changed } = difference;
  const former = changed.map(({ formerTtl, ...record }) => ({ ...record, ttl: formerTtl }));
  await trx
    .insertInto('dnsChanges')
    .values({
      ...{ ownerId, domain, userId, kind, serial },
      added: noted([...added, ...changed]),
      removed: noted([...removed, ...former]),
    })
    .execute();
  await trx
    .deleteFrom('dnsChanges')
    .where('ownerId', '=', ownerId)
    .where('id', '<=', ({ selectFrom }) =>
      selectFrom('dnsChanges')
        .select('id')
        .where('ownerId', '=', ownerId)
        .orderBy('id', 'desc')
        .offset(MAX_DNS_CHANGES)
        .limit(1),
    )
    .execute();
}
