import { relativeName, wholeName } from '@nephos/contracts';
import type { Database } from '@nephos/db';
import { type Kysely, type Selectable, sql } from 'kysely';
import { conflict } from '../../core/errors.ts';
import { recoverAlerts } from '../alerts/raise-alert.ts';
import { assertLimit } from '../plans/limits.ts';
import type { Claim } from './ownership.ts';
import { tellLoss } from './zone-loss.ts';
import { firstSerial, keepSerial, raiseSerial } from './zone-serials.ts';

export type ZoneRow = Selectable<Database['dnsZones']>;

/** Someone's zone, kept from other changes until the transaction ends. */
export function lockZone(
  trx: Kysely<Database>,
  ownerId: string,
  domain: string,
): Promise<ZoneRow | undefined> {
  return trx
    .selectFrom('dnsZones')
    .selectAll()
    .where('ownerId', '=', ownerId)
    .where('domain', '=', domain)
    .forUpdate()
    .executeTakeFirst();
}

/** Refuses with 409 ZONE_SIGNED to free a domain that is signed: with a DS record left above, nobody could use it again. */
async function assertUnsigned(trx: Kysely<Database>, { id, ownerId, domain }: ZoneRow): Promise<void> {
  const key = await trx
    .selectFrom('dnsZoneKeys')
    .select('id')
    .where('ownerId', '=', ownerId)
    .where('zoneId', '=', id)
    .executeTakeFirst();
  if (!key) return;
  throw conflict('ZONE_SIGNED', `${domain} is signed. Turn DNSSEC off before you delete its last record.`);
}

/** Refuses with 409 ZONE_HAS_SECONDARIES to free a domain that others copy: their list and the key would go with it. */
async function assertWithoutSecondaries(
  trx: Kysely<Database>,
  { id, ownerId, domain }: ZoneRow,
): Promise<void> {
  const secondary = await trx
    .selectFrom('dnsSecondaries')
    .select('id')
    .where('ownerId', '=', ownerId)
    .where('zoneId', '=', id)
    .executeTakeFirst();
  if (!secondary) return;
  throw conflict(
    'ZONE_HAS_SECONDARIES',
    `${domain} has secondaries. Remove them before you delete its last record.`,
  );
}

/**
 * Frees a locked domain whose owner deletes its last record; the serial of that. Throws 409 ZONE_SIGNED or
 * ZONE_HAS_SECONDARIES.
 */
export async function freeZone(trx: Kysely<Database>, zone: ZoneRow): Promise<number> {
  await assertWithoutSecondaries(trx, zone);
  await assertUnsigned(trx, zone);
  return dropZone(trx, zone);
}

/**
 * Drops a domain with all it has; the serial of that. It is remembered: resolvers and secondaries know the one before it
 * still.
 */
export async function dropZone(trx: Kysely<Database>, zone: ZoneRow): Promise<number> {
  const { id, ownerId, domain } = zone;
  const serial = await raiseSerial(trx, zone);
  await trx.deleteFrom('dnsZones').where('ownerId', '=', ownerId).where('id', '=', id).execute();
  await keepSerial(trx, domain, serial);
  return serial;
}

/** The domain itself and all above it. */
export function domainsAbove(domain: string): string[] {
  const labels = domain.split('.');
  return labels.map((_, from) => labels.slice(from).join('.'));
}

/** Zones of anyone that are the domain, above it or below it, since a tree has one owner. */
export function zonesOfTree(db: Kysely<Database>, domain: string): Promise<ZoneRow[]> {
  const above = domainsAbove(domain);
  const below = [...`.${domain}`].reverse().join('');
  return db
    .selectFrom('dnsZones')
    .selectAll()
    .where(({ eb, or, and }) =>
      or([
        eb('domain', 'in', above),
        // `/` is the character after the dot: a range that the index on the reversed domain can walk.
        and([eb(sql`reverse(domain)`, '>', below), eb(sql`reverse(domain)`, '<', `${below.slice(0, -1)}/`)]),
      ]),
    )
    .execute();
}

/** Lets one zone at a time be made among those that could lie in one tree. They have the last two labels in common. */
async function lockTree(trx: Kysely<Database>, domain: string): Promise<void> {
  const tree = `dns-tree|${domain.split('.').slice(-2).join('.')}`;
  await sql`select pg_advisory_xact_lock(hashtextextended(${tree}, 0))`.execute(trx);
}

function assertZonesLeft(trx: Kysely<Database>, ownerId: string): Promise<void> {
  const refusal = (most: number) => `You can have at most ${most} domains.`;
  return assertLimit(trx, ownerId, { of: 'dnsZones', refusal, code: 'QUOTA_EXCEEDED' });
}

/** One zone holds all of a tree: its rules reach over the whole of it. */
function assertOutsideOwn(own: string, { domain, name }: Pick<Wish, 'domain' | 'name'>): void {
  const inside = relativeName(wholeName(name, domain), own);
  throw conflict(
    'ZONE_OVERLAP',
    inside === undefined
      ? `You already have ${own}, which is part of ${domain}. Delete its records, then add them here.`
      : `You already have ${own}. Add the record there with the name ${inside}.`,
  );
}

/** For whom and for what a zone is wanted. */
export interface Wish extends Claim {
  ownerId: string;
  domain: string;
  /** The name of the record that it is wanted for. */
  name: string;
}

/** Whether nobody's proof beats a zone: it was proven, or nobody asked, and its own proof is not known to be gone. */
export function isFirm({ verifiedAt, unprovenSince }: ZoneRow): boolean {
  return verifiedAt !== null && unprovenSince === null;
}

/**
 * Whether nobody's proof of a domain beats a zone of its tree: who controls a name below another does not control that one,
 * so what was proven above stays, its proof gone or not.
 */
export function isBeyond(zone: ZoneRow, domain: string): boolean {
  return isFirm(zone) || (zone.verifiedAt !== null && domain.endsWith(`.${zone.domain}`));
}

/**
 * Refuses a domain whose tree is another account's. Where proof is asked for, claims without it yield to whoever has
 * it: nothing of them was ever served, or the domain is their owner's no longer.
 */
async function clearTree(trx: Kysely<Database>, wish: Wish): Promise<void> {
  const tree = await zonesOfTree(trx, wish.domain);
  const own = tree.find(({ ownerId }) => ownerId === wish.ownerId);
  if (own) assertOutsideOwn(own.domain, wish);
  if (tree.length === 0) return;
  const taken = `${wish.domain}, or a domain above or below it, belongs to another account.`;
  const isFinal = wish.proved === null || tree.some((zone) => isBeyond(zone, wish.domain));
  if (isFinal) throw conflict('DOMAIN_TAKEN', taken);
  if (!wish.proved) throw conflict('DOMAIN_TAKEN', `${taken} ${wish.howToProve}`);
  // What signed them, and who copied them, goes along: none of that is the next owner's.
  for (const zone of tree) {
    await dropZone(trx, zone);
    await tellLoss(
      trx,
      zone,
      'taken',
      'Somebody else has proven that it is theirs, and its records are gone.',
    );
  }
}

/** The account's zone of a domain, locked; made where there was none. `isNew` has its first serial already. */
export async function takeZone(
  trx: Kysely<Database>,
  wish: Wish,
): Promise<{ zone: ZoneRow; isNew: boolean }> {
  const { ownerId, domain, proved } = wish;
  const there = await lockZone(trx, ownerId, domain);
  if (there) return { zone: there, isNew: false };
  await lockTree(trx, domain);
  const madeMeanwhile = await lockZone(trx, ownerId, domain);
  if (madeMeanwhile) return { zone: madeMeanwhile, isNew: false };
  await clearTree(trx, wish);
  await assertZonesLeft(trx, ownerId);
  const zone = await trx
    .insertInto('dnsZones')
    .values({
      ownerId,
      domain,
      serial: firstSerial(domain),
      verifiedAt: proved === false ? null : sql<string>`now()`,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  return { zone, isNew: true };
}

/** 409 ZONE_CHANGED: what was decided about a zone was decided about another state of it. */
export function zoneChanged(domain: string) {
  return conflict('ZONE_CHANGED', `${domain} has changed since. Look at it again.`);
}

/**
 * The zone of a domain that was seen to have none. Throws as `takeZone` does, and 409 ZONE_CHANGED where one was made
 * since: nobody has held what was decided against its records.
 */
export async function takeNewZone(trx: Kysely<Database>, wish: Wish): Promise<ZoneRow> {
  const { zone, isNew } = await takeZone(trx, wish);
  if (!isNew) throw zoneChanged(wish.domain);
  return zone;
}

/** Notes that a zone's owner has proved it, under the tree's lock, so that it is not cleared away meanwhile. */
export async function proveZone(trx: Kysely<Database>, { id, ownerId, domain }: ZoneRow): Promise<void> {
  await lockTree(trx, domain);
  await trx
    .updateTable('dnsZones')
    .set({
      verifiedAt: sql<string>`coalesce(verified_at, now())`,
      ...{ proofFailures: 0, unprovenSince: null, proofDueAt: sql<string>`now() + interval '7 days'` },
    })
    .where('ownerId', '=', ownerId)
    .where('domain', '=', domain)
    .execute();
  await recoverAlerts(trx, { ownerId, kinds: ['domain-lost'], subjectId: id });
}
