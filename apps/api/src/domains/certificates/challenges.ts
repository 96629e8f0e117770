import { relativeName } from '@nephos/contracts';
import { atomically, type Database } from '@nephos/db';
import { type Kysely, sql } from 'kysely';
import { raiseSerial } from '../dns/zone-serials.ts';
import { domainsAbove, type ZoneRow } from '../dns/zones.ts';
import type { Wanted } from './attempts.ts';

/** What an authority asks for at a name while it looks whether that is ours. */
export interface Challenge {
  /** The host that is asked by HTTP, or the owner of the TXT record. */
  name: string;
  token: string;
  answer: string;
}

/** Has all replicas answer a challenge by HTTP; with a zone, the name servers have it as a TXT record of that. */
export async function showChallenge(
  db: Kysely<Database>,
  challenge: Challenge,
  zone?: ZoneRow,
): Promise<string> {
  return atomically(db, async (trx) => {
    const { id } = await trx
      .insertInto('acmeChallenges')
      .values({ ...challenge, zoneId: zone?.id ?? null })
      .returning('id')
      .executeTakeFirstOrThrow();
    if (zone) await raiseSerial(trx, zone);
    return id;
  });
}

/** Takes a challenge back that is decided. */
export function withdrawChallenge(db: Kysely<Database>, id: string): Promise<void> {
  return withdraw(db, (challenges) => challenges.where('id', '=', id));
}

/** Takes back what a killed server left: nobody waits that long. */
export function sweepChallenges(db: Kysely<Database>): Promise<void> {
  return withdraw(db, (challenges) =>
    challenges.where('createdAt', '<', sql<string>`now() - interval '1 hour'`),
  );
}

type Deletion = ReturnType<typeof deletionOf>;

function deletionOf(db: Kysely<Database>) {
  return db.deleteFrom('acmeChallenges').returning('zoneId');
}

async function withdraw(db: Kysely<Database>, of: (challenges: Deletion) => Deletion): Promise<void> {
  await atomically(db, async (trx) => {
    const gone = await of(deletionOf(trx)).execute();
    const zoneIds = [...new Set(gone.flatMap(({ zoneId }) => zoneId ?? []))];
    if (zoneIds.length === 0) return;
    const zones = trx.selectFrom('dnsZones').selectAll().where('id', 'in', zoneIds).orderBy('id');
    for (const zone of await zones.execute()) await raiseSerial(trx, zone);
  });
}

/** What a host is to answer for a token by HTTP; undefined where nobody waits for that. */
export async function findAnswer(
  db: Kysely<Database>,
  host: string,
  token: string,
): Promise<string | undefined> {
  const found = await db
    .selectFrom('acmeChallenges')
    .select('answer')
    .where('token', '=', token)
    .where('name', '=', host)
    .where('zoneId', 'is', null)
    .executeTakeFirst();
  return found?.answer;
}

/** Owner of the TXT record that an authority looks for (RFC 8555 §8.4). */
export function recordNameOf(name: string): string {
  return `_acme-challenge.${name}`;
}

/**
 * The zone of an owner, or of an administrator for the server itself, that is served here and can have the record for a
 * name. It cannot where an alias is in its place
 * (RFC 1034 §3.6.2), or where the name is there by a wildcard alone: a record below would take it away (RFC 4592 §2.2.1).
 */
export async function zoneOf(db: Kysely<Database>, { ownerId, name }: Wanted): Promise<ZoneRow | undefined> {
  const administrators = db.selectFrom('users').select('id').where('role', '=', 'admin');
  const zone = await db
    .selectFrom('dnsZones')
    .selectAll()
    .where('ownerId', 'in', ownerId === null ? administrators : [ownerId])
    .where('verifiedAt', 'is not', null)
    .where('domain', 'in', domainsAbove(name))
    .executeTakeFirst();
  return zone && (await hasRoom(db, zone, name)) ? zone : undefined;
}

async function hasRoom(db: Kysely<Database>, { id, domain }: ZoneRow, name: string): Promise<boolean> {
  const own = relativeName(name, domain) ?? '@';
  const alias = relativeName(recordNameOf(name), domain) ?? '@';
  const wildcards = [...domainsAbove(own).slice(1), ''].map((above) => (above === '' ? '*' : `*.${above}`));
  const isBelow = `.${own}`;
  const records = await db
    .selectFrom('dnsRecords')
    .select(['name', 'recordType'])
    .distinct()
    .where('zoneId', '=', id)
    .where(({ eb, or }) =>
      or([
        eb('name', 'in', [own, alias, ...wildcards]),
        eb(sql`right(name, ${isBelow.length})`, '=', isBelow),
      ]),
    )
    .execute();
  if (records.some((record) => record.name === alias && record.recordType === 'CNAME')) return false;
  const isThere = own === '@' || records.some((record) => `.${record.name}`.endsWith(isBelow));
  return isThere || !records.some((record) => wildcards.includes(record.name));
}
