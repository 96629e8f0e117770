import { atomically, type Database } from '@nephos/db';
import { type Kysely, sql } from 'kysely';
import { domainsAbove, raiseSerial, type ZoneRow } from '../dns/zones.ts';

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

/** An owner's zone that is served here and has the name. */
export async function zoneOf(
  db: Kysely<Database>,
  ownerId: string,
  name: string,
): Promise<ZoneRow | undefined> {
  return db
    .selectFrom('dnsZones')
    .selectAll()
    .where('ownerId', '=', ownerId)
    .where('verifiedAt', 'is not', null)
    .where('domain', 'in', domainsAbove(name))
    .executeTakeFirst();
}
