import { relativeName } from '@nephos/contracts';
import type { Database } from '@nephos/db';
import type { Kysely } from 'kysely';
import { conflict } from '../../core/errors.ts';
import { anyOf } from './any-of.ts';
import type { ZoneRecord } from './zone-rules.ts';
import { domainsAbove } from './zones.ts';

/**
 * Targets of ALIAS records that are in none of the zones that are served here, whoever's, each with the sentence that
 * refuses it: the name server answers with the addresses that it has itself, and asks nobody.
 */
export async function unservedTargets(
  db: Kysely<Database>,
  domain: string,
  records: readonly Pick<ZoneRecord, 'recordType' | 'value'>[],
): Promise<Map<string, string>> {
  const aliases = records.filter(({ recordType }) => recordType === 'ALIAS').map(({ value }) => value);
  const outside = [...new Set(aliases)].filter((target) => relativeName(target, domain) === undefined);
  if (outside.length === 0) return new Map();
  const rows = await db
    .selectFrom('dnsZones')
    .select('domain')
    .where('domain', '=', anyOf([...new Set(outside.flatMap(domainsAbove))]))
    .where('verifiedAt', 'is not', null)
    .execute();
  const served = new Set(rows.map((row) => row.domain));
  const unserved = outside.filter((target) => !domainsAbove(target).some((above) => served.has(above)));
  return new Map(
    unserved.map((target) => [
      target,
      `${target} isn't served by this name server. Point the ALIAS record to a name in an active domain here, or add A and AAAA records instead.`,
    ]),
  );
}

/** Refuses ALIAS records whose targets are not served here with 409 ALIAS_NOT_SERVED. */
export async function assertAliasesServed(
  db: Kysely<Database>,
  domain: string,
  records: readonly Pick<ZoneRecord, 'recordType' | 'value'>[],
): Promise<void> {
  for (const [, sentence] of await unservedTargets(db, domain, records)) {
    throw conflict('ALIAS_NOT_SERVED', sentence);
  }
}
