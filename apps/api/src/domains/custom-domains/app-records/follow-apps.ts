import { atomically, type Database } from '@nephos/db';
import type { Kysely } from 'kysely';
import type { Logger } from 'pino';
import type { AddressFamily } from '../../../platform/public-dns.ts';
import { differenceOf, sizeOf } from '../../dns/changes/difference.ts';
import { lockZone } from '../../dns/zones.ts';
import { type LookParts, SITES_LABEL, serverAddressesOf } from '../look.ts';
import { type Lead, leadNames } from './lead-name.ts';
import { recordsTo } from './records-to.ts';

export interface FollowParts extends Pick<LookParts, 'settings' | 'publicDns'> {
  db: Kysely<Database>;
  log: Logger;
}

/** Apps whose addresses are looked up at once. */
const AT_ONCE = 16;

/** The records that follow an app or a site, of all zones or of one. */
function followers(db: Kysely<Database>, zoneId?: string) {
  return db
    .selectFrom('dnsRecords as record')
    .innerJoin('dnsZones as zone', 'zone.id', 'record.zoneId')
    .leftJoin('projects as project', 'project.id', 'record.projectId')
    .where(({ eb, or }) =>
      or([eb('record.projectId', 'is not', null), eb('record.bucketId', 'is not', null)]),
    )
    .$if(zoneId !== undefined, (all) => all.where('record.zoneId', '=', zoneId ?? ''))
    .select(['record.id', 'record.name', 'record.recordType', 'record.value', 'record.ttl'])
    .select(['zone.id as zoneId', 'zone.ownerId', 'zone.domain', 'record.projectId', 'record.bucketId'])
    .select(({ fn, val }) => fn.coalesce('project.slug', val(SITES_LABEL)).as('slug'))
    .orderBy('record.id')
    .execute();
}

type Follower = Awaited<ReturnType<typeof followers>>[number];

/** Addresses of apps, by slug. */
type Addresses = ReadonlyMap<string, readonly string[]>;

const familyOf = (address: string): AddressFamily => (address.includes(':') ? 6 : 4);

/**
 * An app's addresses. Where one family seems to be gone, that may be a question which was left without an answer: it is
 * asked alone, and until that is answered none of the addresses count as known.
 */
async function addressesOf(
  parts: FollowParts,
  slug: string,
  known: readonly Follower[],
): Promise<readonly string[]> {
  const seen = (await serverAddressesOf(parts, slug)) ?? [];
  const families = new Set(seen.map(familyOf));
  const missing = known.map(({ value }) => familyOf(value)).find((family) => !families.has(family));
  if (missing === undefined || seen.length === 0) return seen;
  const again = await serverAddressesOf(parts, slug, missing);
  return again ? [...new Set([...seen, ...again])] : [];
}

async function lookUpAll(parts: FollowParts, all: readonly Follower[]): Promise<Addresses> {
  const byAddress = all.filter(({ recordType }) => recordType !== 'CNAME');
  const waiting = Map.groupBy(byAddress, ({ slug }) => slug).entries();
  const addresses = new Map<string, readonly string[]>();
  const work = async () => {
    for (const [slug, known] of waiting) addresses.set(slug, await addressesOf(parts, slug, known));
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return addresses;
}

/** Where names lead that are to lead elsewhere; what has no known address by now stays. */
function changedLeads(
  { settings }: Pick<FollowParts, 'settings'>,
  addresses: Addresses,
  ofZone: readonly Follower[],
): Lead[] {
  const byName = Map.groupBy(ofZone, ({ name }) => name);
  return [...byName].flatMap(([name, group]) => {
    const [first] = group;
    if (!first) return [];
    const { slug, projectId, bucketId, ttl } = first;
    const takesAlias = first.recordType === 'CNAME';
    const address = { slug, addresses: addresses.get(slug) ?? [] };
    const records = recordsTo(settings, address, { name, ttl, takesAlias }).map((record) => ({
      ...record,
      ttl: group.find(({ recordType }) => recordType === record.recordType)?.ttl ?? ttl,
    }));
    const difference = differenceOf(group, records);
    return records.length > 0 && sizeOf(difference) > 0
      ? [{ name, follows: { projectId, bucketId }, records, replaced: group.map(({ id }) => id) }]
      : [];
  });
}

/** Has records that follow an app lead to where it is by now. A zone that refuses that is logged, and stays as it is. */
export async function followApps(parts: FollowParts): Promise<void> {
  const { db, log } = parts;
  const all = await followers(db);
  const addresses = await lookUpAll(parts, all);
  for (const ofZone of Map.groupBy(all, ({ zoneId }) => zoneId).values()) {
    const [first] = ofZone;
    if (!first || changedLeads(parts, addresses, ofZone).length === 0) continue;
    const { zoneId, ownerId, domain } = first;
    try {
      await atomically(db, async (trx) => {
        const zone = await lockZone(trx, ownerId, domain);
        if (!zone) return;
        const leads = changedLeads(parts, addresses, await followers(trx, zoneId));
        await leadNames(trx, zone, leads, { kind: 'follow', userId: null });
      });
    } catch (error) {
      log.error({ err: error, domain }, 'records could not follow an app');
    }
  }
}
