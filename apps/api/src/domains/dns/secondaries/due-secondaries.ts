import type { Database } from '@nephos/db';
import { type Kysely, sql } from 'kysely';

/** A secondary that is to be told of the serial of its zone, or asked how far it is. */
export interface DueSecondary {
  id: string;
  zoneId: string;
  domain: string;
  address: string;
  port: number;
  /** What it answered with last; null: nothing yet. */
  serial: number | null;
  /** The zone's. */
  toldSerial: number;
  /** How often it was looked after for that serial, this time included. */
  tries: number;
  keyName: string;
  sealedSecret: Buffer;
}

/** Seconds after which another replica goes on where one died. */
const LEASE = 30;
/** Times that one is told of a serial, with pauses that double from so many seconds. */
export const MAX_TRIES = 5;
const FIRST_PAUSE = 2;
/** Seconds until one that is up to date is looked at again, and one that is left to itself. */
const NEXT_LOOK = 3600;
const NEXT_LOOK_AT_LATE = 300;

/** Takes up to `limit` that are due, so that no other replica does. */
export async function takeDue(db: Kysely<Database>, limit: number): Promise<DueSecondary[]> {
  const { rows } = await sql<DueSecondary>`
    update dns_secondaries secondary set
      tries = case when told_serial is distinct from zone.serial then 1 else tries + 1 end,
      told_serial = zone.serial,
      due_at = now() + make_interval(secs => ${LEASE})
    from dns_zones zone, dns_transfer_keys key
    where zone.id = secondary.zone_id and key.zone_id = zone.id and secondary.id in (
      select due.id from dns_secondaries due
      join dns_zones on dns_zones.id = due.zone_id
      join dns_transfer_keys on dns_transfer_keys.zone_id = due.zone_id
      where dns_zones.verified_at is not null
        and (due.told_serial is distinct from dns_zones.serial or due.due_at <= now())
      order by due.due_at
      limit ${limit}
      for update of due skip locked
    )
    returning secondary.id, secondary.zone_id, zone.domain, secondary.address, secondary.port, secondary.serial,
      secondary.told_serial, secondary.tries, key.name as key_name, key.sealed_secret`.execute(db);
  return rows;
}

/** Has those that are behind told anew: whatever kept them from copying may be over. */
export async function retryUnfinished(db: Kysely<Database>): Promise<void> {
  await sql`
    update dns_secondaries set told_serial = null from dns_zones
    where dns_zones.id = zone_id and dns_secondaries.serial is distinct from dns_zones.serial`.execute(db);
}

/**
 * Raises the serial of zones with secondaries that was the same for a day. What is served of a zone changes without it:
 * the addresses behind an alias may be another zone's, and signatures end. Where nothing did, what is copied is small.
 */
export async function raiseOldSerials(db: Kysely<Database>): Promise<void> {
  await sql`
    update dns_zones set serial = greatest(serial + 1, extract(epoch from now())::bigint)
    where serial < extract(epoch from now() - interval '1 day')
      and exists (select from dns_secondaries where zone_id = dns_zones.id)`.execute(db);
}

/** What became of one try. */
export interface Outcome {
  /** What it answered with; absent where it did not answer for the zone. */
  serial?: number;
  /** A sentence; '' where nothing is wrong. */
  problem: string;
}

/** Notes it, unless the zone has changed meanwhile. Seconds until the next try; undefined: it is up to date or given up. */
export async function noteOutcome(
  db: Kysely<Database>,
  { id, toldSerial, tries }: DueSecondary,
  { serial, problem }: Outcome,
): Promise<number | undefined> {
  const isDone = serial === toldSerial;
  const isGivenUp = tries >= MAX_TRIES;
  const pause = FIRST_PAUSE ** Math.min(tries, MAX_TRIES);
  const wait = isDone ? NEXT_LOOK : isGivenUp ? NEXT_LOOK_AT_LATE : pause;
  await db
    .updateTable('dnsSecondaries')
    .set({
      problem,
      dueAt: sql<string>`now() + make_interval(secs => ${wait})`,
      ...(isDone && { tries: 0 }),
      ...(serial === undefined
        ? { failingSince: sql<string>`coalesce(failing_since, now())` }
        : { serial, answeredAt: sql<string>`now()`, failingSince: null }),
    })
    .where('id', '=', id)
    .where('toldSerial', '=', toldSerial)
    .execute();
  return isDone || isGivenUp ? undefined : pause;
}
