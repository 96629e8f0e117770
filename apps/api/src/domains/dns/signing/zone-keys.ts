import type { Database } from '@nephos/db';
import { type ExpressionBuilder, type Kysely, type Selectable, sql } from 'kysely';
import { jsonArrayFrom } from 'kysely/helpers/postgres';
import { notFound } from '../../../core/errors.ts';
import type { SecretsBox } from '../../../platform/secrets-box.ts';
import { makeZoneKey, type ZoneKey } from '../server/signing/zone-key.ts';
import { lockZone, type ZoneRow } from '../zones.ts';

export type ZoneKeyRow = Selectable<Database['dnsZoneKeys']>;

/** A zone's key as the database has it; words of one part, since those of two come back as columns are called. */
export interface SealedZoneKey {
  state: ZoneKey['state'];
  /** The public key. */
  point: string;
  /** The private key, in base64. */
  sealed: string;
}

const contextOf = (publicKey: string) => `dns_zone_keys:${publicKey}`;

/** The keys of each zone of a query, under the name `sealedKeys`. */
export function withSealedKeys(zone: ExpressionBuilder<Database, 'dnsZones'>) {
  return jsonArrayFrom(
    zone
      .selectFrom('dnsZoneKeys')
      .whereRef('dnsZoneKeys.zoneId', '=', 'dnsZones.id')
      .select(['state', 'publicKey as point', sql<string>`encode(sealed_key, 'base64')`.as('sealed')]),
  ).as('sealedKeys');
}

/** Throws where the installation's key is not the one that sealed them. */
export function openKeys(secrets: Pick<SecretsBox, 'open'>, keys: readonly SealedZoneKey[]): ZoneKey[] {
  return keys.map(({ state, point, sealed }) => ({
    state,
    publicKey: point,
    privateKey: secrets.open(Buffer.from(sealed, 'base64'), contextOf(point)),
  }));
}

/** A zone's keys, the active one first. */
function listKeys(
  db: Kysely<Database>,
  { ownerId, id }: Pick<ZoneRow, 'ownerId' | 'id'>,
): Promise<ZoneKeyRow[]> {
  return db
    .selectFrom('dnsZoneKeys')
    .selectAll()
    .where('ownerId', '=', ownerId)
    .where('zoneId', '=', id)
    .orderBy(sql`state <> 'active'`)
    .orderBy('state')
    .execute();
}

/** A zone of theirs with its keys. Throws 404. */
export async function findZoneKeys(
  db: Kysely<Database>,
  ownerId: string,
  domain: string,
): Promise<{ zone: ZoneRow; keys: ZoneKeyRow[] }> {
  const zone = await db
    .selectFrom('dnsZones')
    .selectAll()
    .where('ownerId', '=', ownerId)
    .where('domain', '=', domain)
    .executeTakeFirst();
  if (!zone) throw notFound();
  return { zone, keys: await listKeys(db, zone) };
}

/** As `findZoneKeys`, kept from other changes until the transaction ends. Throws 404. */
export async function lockZoneKeys(trx: Kysely<Database>, ownerId: string, domain: string) {
  const zone = await lockZone(trx, ownerId, domain);
  if (!zone) throw notFound();
  return { zone, keys: await listKeys(trx, zone) };
}

/** Makes a key of a zone. The zone is locked and has none of this state. */
export async function addKey(
  trx: Kysely<Database>,
  secrets: Pick<SecretsBox, 'seal'>,
  { ownerId, id: zoneId }: ZoneRow,
  state: 'incoming' | 'active',
): Promise<void> {
  const { publicKey, privateKey } = makeZoneKey();
  const sealedKey = secrets.seal(privateKey, contextOf(publicKey));
  await trx.insertInto('dnsZoneKeys').values({ ownerId, zoneId, state, publicKey, sealedKey }).execute();
}

/** Puts a key of a zone into another state, as of now. */
export async function moveKey(
  trx: Kysely<Database>,
  { ownerId, id }: ZoneKeyRow,
  state: ZoneKeyRow['state'],
): Promise<void> {
  await trx
    .updateTable('dnsZoneKeys')
    .set({ state, since: sql<string>`now()` })
    .where('ownerId', '=', ownerId)
    .where('id', '=', id)
    .execute();
}
