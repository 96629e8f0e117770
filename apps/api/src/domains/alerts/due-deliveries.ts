import type { Database } from '@nephos/db';
import { type Kysely, type Selectable, sql } from 'kysely';
import type { PostResult } from './post-message.ts';

export type DeliveryRow = Selectable<Database['alertDeliveries']>;
export type ChannelRow = Selectable<Database['alertChannels']>;

/** Seconds after which another replica goes on where one died. */
const LEASE = 60;
/** Seconds from the first try to the next, doubled from each to the next, and the longest: for about a day. */
const FIRST_PAUSE = 60;
const LONGEST_PAUSE = 6 * 3600;
export const MAX_TRIES = 12;
/** Seconds: a service that asks for longer is not waited for. */
const LONGEST_WAIT = 24 * 3600;

/** Deliveries of one workspace that are taken at the same time, so that services of its own hold up nobody else. */
const MAX_OF_OWNER = 4;

/**
 * Takes up to `limit` that are due, so that no other replica does: of each channel one at a time. A row is under lease
 * where it is due exactly as long after its last try.
 */
export function takeDue(db: Kysely<Database>, limit: number): Promise<DeliveryRow[]> {
  const due = sql`(
    with leased as materialized (
      select channel_id, owner_id from alert_deliveries
      where state in ('waiting', 'held') and due_at > clock_timestamp()
        and due_at = tried_at + make_interval(secs => ${LEASE})
    ), first as materialized (
      select distinct on (channel_id) id, owner_id, due_at from alert_deliveries
      where state in ('waiting', 'held') and due_at <= clock_timestamp()
        and not exists (select from leased where leased.channel_id = alert_deliveries.channel_id)
      order by channel_id, due_at, id
    ), ranked as materialized (
      select id, row_number() over (partition by owner_id order by due_at, id)
        + (select count(*) from leased where leased.owner_id = first.owner_id) as place
      from first
    )
    select id from alert_deliveries
    where id in (select id from ranked where place <= ${MAX_OF_OWNER})
      and state in ('waiting', 'held') and due_at <= clock_timestamp()
    order by due_at limit ${limit} for update skip locked)`;
  return db
    .updateTable('alertDeliveries')
    .set({
      tries: sql<number>`tries + 1`,
      dueAt: sql<string>`statement_timestamp() + make_interval(secs => ${LEASE})`,
      triedAt: sql<string>`statement_timestamp()`,
    })
    .where(sql<boolean>`id in ${due}`)
    .returningAll()
    .execute();
}

/** Keeps a message back until then, or for a second where that has passed by the database's clock. */
export async function hold(db: Kysely<Database>, { id, dueAt }: DeliveryRow, until: Date): Promise<void> {
  await db
    .updateTable('alertDeliveries')
    .set({
      ...{ state: 'held', tries: 0, triedAt: null },
      dueAt: sql<string>`greatest(${until.toISOString()}::timestamptz, clock_timestamp() + interval '1 second')`,
    })
    .where('id', '=', id)
    .where('dueAt', '=', dueAt)
    .execute();
}

/**
 * Makes one message of all that were kept back for a channel, which is `delivery` from then on; undefined where another
 * has become that. The channel's row is locked meanwhile.
 */
export async function releaseHeld(
  trx: Kysely<Database>,
  { id, channelId }: DeliveryRow,
): Promise<DeliveryRow | undefined> {
  await trx.selectFrom('alertChannels').select('id').where('id', '=', channelId).forUpdate().execute();
  const held = await trx
    .selectFrom('alertDeliveries')
    .select(['id', 'event', 'alertIds'])
    .where('channelId', '=', channelId)
    .where('state', '=', 'held')
    .orderBy('id')
    .execute();
  if (!held.some((one) => one.id === id)) return undefined;
  const others = held.filter((one) => one.id !== id).map((one) => one.id);
  if (others.length > 0) await trx.deleteFrom('alertDeliveries').where('id', 'in', others).execute();
  const alertIds = [...new Set(held.flatMap((one) => one.alertIds))];
  return trx
    .updateTable('alertDeliveries')
    .set({
      state: 'waiting',
      alertIds,
      ...(others.length > 0 && {
        event: 'summary',
        title: alertIds.length === 1 ? '1 alert in quiet hours' : `${alertIds.length} alerts in quiet hours`,
      }),
    })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst();
}

/**
 * Writes down what came of a try, unless another replica took it over. Seconds until the next one; undefined: there is
 * none. A channel that takes nothing for good says so from then on, until it takes something.
 */
export async function noteResult(
  trx: Kysely<Database>,
  { id, channelId, tries, dueAt }: DeliveryRow,
  { status, answer, problem, again, retryAfter }: PostResult,
  { once = false } = {},
): Promise<number | undefined> {
  const pause = Math.max(Math.min(FIRST_PAUSE * 2 ** (tries - 1), LONGEST_PAUSE), retryAfter);
  const isTriedAgain = again && !once && tries < MAX_TRIES && pause <= LONGEST_WAIT;
  const state = problem === '' ? 'delivered' : isTriedAgain ? 'waiting' : 'failed';
  const { numUpdatedRows } = await trx
    .updateTable('alertDeliveries')
    .set({
      ...{ state, status, answer, problem },
      dueAt: sql<string>`clock_timestamp() + make_interval(secs => ${isTriedAgain ? pause : 0})`,
    })
    .where('id', '=', id)
    .where('dueAt', '=', dueAt)
    .executeTakeFirst();
  if (numUpdatedRows === 0n) return undefined;
  if (state !== 'waiting') await noteChannel(trx, channelId, problem);
  return isTriedAgain ? pause : undefined;
}

async function noteChannel(trx: Kysely<Database>, id: string, problem: string): Promise<void> {
  await trx
    .updateTable('alertChannels')
    .set({
      problem,
      failingSince: problem === '' ? null : sql<string>`coalesce(failing_since, clock_timestamp())`,
    })
    .where('id', '=', id)
    .execute();
}
