import { type AppName, type DnsRecord, relativeName } from '@nephos/contracts';
import type { Once } from '@nephos/contracts/implement';
import { atomically } from '@nephos/db';
import type { z } from 'zod';
import type { UserContext } from '../../../core/context.ts';
import { conflict } from '../../../core/errors.ts';
import { recordsAbout, recordsOfZone } from '../../dns/records.ts';
import { assertNotReserved } from '../../dns/reserved.ts';
import { domainsAbove, lockZone } from '../../dns/zones.ts';
import type { CustomDomainsParts } from '../custom-domains.ts';
import { columnOf, labelOf, lockPlace, type Place } from '../place.ts';
import { leadNames } from './lead-name.ts';
import { LEADING_TYPES, recordsTo } from './records-to.ts';

type Input = z.output<typeof AppName> & Place;

/**
 * Points a name of a zone of theirs to a project's app or a bucket's site, once per key: by a CNAME where one can stand, else by the
 * addresses, which are looked up before there is a transaction. Throws 403 DOMAIN_RESERVED, 404, 409 NO_ZONE,
 * NO_ADDRESS and as `assertZone` does, and 503 while too much is being looked for.
 */
export async function pointName(
  ctx: UserContext,
  parts: CustomDomainsParts,
  input: Input,
  once: Once<UserContext>,
) {
  const { ownerId } = ctx;
  const slug = await labelOf(ctx, input);
  const { serverAddresses } = await parts.look(ownerId, { ownerId, domain: input.name, slug });
  return once((inner) => point(inner, parts, input, { slug, addresses: serverAddresses }));
}

async function point(
  { db, user, ownerId }: UserContext,
  { settings }: Pick<CustomDomainsParts, 'settings'>,
  { kind, id, name: host, ttl }: Input,
  address: { slug: string; addresses: readonly string[] },
): Promise<DnsRecord[]> {
  return atomically(db, async (trx) => {
    const found = await trx
      .selectFrom('dnsZones')
      .select('domain')
      .where('ownerId', '=', ownerId)
      .where('domain', 'in', domainsAbove(host))
      .executeTakeFirst();
    const zone = found && (await lockZone(trx, ownerId, found.domain));
    const name = zone && relativeName(host, zone.domain);
    if (!zone || name === undefined) {
      throw conflict(
        'NO_ZONE',
        `None of your domains here includes ${host}. Set its records at its DNS provider.`,
      );
    }
    assertNotReserved(user, settings, zone.domain);
    await lockPlace(trx, ownerId, { kind, id });
    const before = await recordsOfZone(trx, zone);
    const there = before.filter((record) => record.name === name);
    const leading = there.filter(({ recordType }) => LEADING_TYPES.includes(recordType));
    const takesAlias = name !== '@' && leading.length === there.length;
    const records = recordsTo(settings, address, { name, ttl, takesAlias });
    if (records.length === 0) {
      const why = "Apps and sites have no public address of their own here, or it can't be looked up";
      throw conflict('NO_ADDRESS', `${why}. An administrator can set APPS_DOMAIN.`);
    }
    const column = columnOf({ kind });
    const follows = { projectId: null, bucketId: null, [column]: id };
    const lead = { name, follows, records, replaced: leading.map((record) => record.id) };
    await leadNames(trx, zone, [lead], { kind: 'edit', userId: user.id });
    const about = await recordsAbout(trx, ownerId, { types: [], names: [host], [column]: [id] });
    return about.filter(
      (record) => record.domain === zone.domain && record.name === name && record[column] === id,
    );
  });
}
