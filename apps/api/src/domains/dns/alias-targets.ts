import { relativeName } from '@nephos/contracts';
import type { Database } from '@nephos/db';
import type { Kysely } from 'kysely';
import { conflict } from '../../core/errors.ts';
import type { ZoneRecord } from './zone-rules.ts';
import { domainsAbove, type ZoneRow } from './zones.ts';

/**
 * Refuses an ALIAS whose target is in none of the zones that are served here, whoever's: the name server answers with
 * the addresses that it has itself, and asks nobody. Throws 409 ALIAS_NOT_SERVED.
 */
export async function assertAliasServed(
  trx: Kysely<Database>,
  { domain }: ZoneRow,
  { recordType, value }: Pick<ZoneRecord, 'recordType' | 'value'>,
): Promise<void> {
  if (recordType !== 'ALIAS' || relativeName(value, domain) !== undefined) return;
  const served = await trx
    .selectFrom('dnsZones')
    .select('id')
    .where('domain', 'in', domainsAbove(value))
    .where('verifiedAt', 'is not', null)
    .limit(1)
    .executeTakeFirst();
  if (served) return;
  throw conflict(
    'ALIAS_NOT_SERVED',
    `${value} isn't served by this name server. Point the ALIAS record to a name in an active domain here, or add A and AAAA records instead.`,
  );
}
