import type { DnsSecondaries, DnsSecondary } from '@nephos/contracts';
import type { Database } from '@nephos/db';
import type { Kysely } from 'kysely';
import type { UserContext } from '../../../core/context.ts';
import { notFound } from '../../../core/errors.ts';

/** Someone's secondaries, as the contract shows them. */
export function secondariesOf(db: Kysely<Database>, ownerId: string) {
  return db
    .selectFrom('dnsSecondaries as secondary')
    .where('secondary.ownerId', '=', ownerId)
    .select([
      'secondary.id',
      'secondary.address',
      'secondary.port',
      'secondary.serial',
      'secondary.answeredAt',
      'secondary.failingSince',
      'secondary.problem',
    ])
    .$castTo<DnsSecondary>();
}

/** The secondaries of a domain of theirs, and its key without the secret. Throws 404. */
export async function listSecondaries({ db, ownerId }: UserContext, domain: string): Promise<DnsSecondaries> {
  const zone = await db
    .selectFrom('dnsZones as zone')
    .leftJoin('dnsTransferKeys as key', 'key.zoneId', 'zone.id')
    .where('zone.ownerId', '=', ownerId)
    .where('zone.domain', '=', domain)
    .select(['zone.id', 'zone.serial', 'key.name', 'key.createdAt'])
    .executeTakeFirst();
  if (!zone) throw notFound();
  const secondaries = await secondariesOf(db, ownerId)
    .where('secondary.zoneId', '=', zone.id)
    .orderBy('secondary.id')
    .execute();
  const { serial, name, createdAt } = zone;
  return { serial, key: name !== null && createdAt !== null ? { name, createdAt } : null, secondaries };
}
