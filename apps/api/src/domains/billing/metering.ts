import { GB, RATE_CARD, USAGE_TYPES, type UsageType } from '@nephos/contracts/constants';
import type { Database } from '@nephos/db';
import { type Kysely, sql } from 'kysely';

/** Hours that were missed are metered afterwards, but not those of more than so many days ago. */
const CATCH_UP_DAYS = 31;
/** Minutes after its end that an hour counts as complete: what changed in it has been committed by then. */
const SETTLED_MINUTES = 2;
/** Days that what was metered is kept for whoever asks how a record came about. */
const KEPT_DAYS = 7;

/** What a meter counts that makes one unit of the rate card (in one hour, where that is a unit of time). */
const UNIT_SIZE: Readonly<Record<UsageType, number>> = {
  deployment: 1,
  database: 1,
  storage: GB,
  container: GB,
  egress: GB,
};

/**
 * Writes the usage records of every complete hour that has none yet, by the database's clock. However often it runs,
 * and on however many replicas, each resource gets one record for each hour in which it used something:
 *
 * - a database by its size while it is available, files and images by their bytes while they are stored, also while no
 *   server runs; a resource of a part of an hour by that part;
 * - a running app by the time that it is deployed while a server runs: a server that stops, or is killed (known to half
 *   a minute), takes its apps with it;
 * - what left through the proxy by the hour in which it was written down.
 */
export async function meterUsage(db: Kysely<Database>): Promise<void> {
  while (await meterNextHour(db));
  await sweepMetered(db);
}

/** False when every complete hour is metered, or another replica is just at it. */
function meterNextHour(db: Kysely<Database>): Promise<boolean> {
  return db.transaction().execute(async (trx) => {
    await sql`set local statement_timeout = '60s'`.execute(trx);
    const { rows } = await sql<{ hour: string }>`
      select greatest(
        metered_until,
        date_trunc('hour', usage_clock() - make_interval(days => ${CATCH_UP_DAYS}), 'UTC')
      ) as hour
      from usage_metering
      where metered_until <= usage_clock() - make_interval(hours => 1, mins => ${SETTLED_MINUTES})
      for update skip locked`.execute(trx);
    const [next] = rows;
    if (!next) return false;
    await meterHour(trx, next.hour);
    await trx
      .updateTable('usageMetering')
      .set({ meteredUntil: sql<string>`${next.hour}::timestamptz + interval '1 hour'` })
      .execute();
    return true;
  });
}

/** Writes the records of the hour that begins at `hour`; those that are there already stay as they are. */
async function meterHour(trx: Kysely<Database>, hour: string): Promise<void> {
  const unitSizes = USAGE_TYPES.map((type) => UNIT_SIZE[type]);
  const cents = USAGE_TYPES.map((type) => RATE_CARD[type].cents);
  await sql`
    with of_hour as (
      select ${hour}::timestamptz as began, ${hour}::timestamptz + interval '1 hour' as ended
    ), up as (
      select coalesce(range_agg(tstzrange(server.began, beat_at)), '{}') as times
      from of_hour join server_uptimes server on beat_at > of_hour.began and server.began < of_hour.ended
    ), levels as (
      select user_id, resource_type, resource_id, level,
        tstzrange(greatest(span.began, of_hour.began), least(span.ended, of_hour.ended)) as time
      from of_hour join usage_spans span on span.ended > of_hour.began and span.began < of_hour.ended
      union all
      select user_id, resource_type, resource_id, level, tstzrange(greatest(since, of_hour.began), of_hour.ended)
      from of_hour join usage_meters on level > 0 and since < of_hour.ended
    ), amounts as (
      select user_id, resource_type, resource_id,
        sum(level * extract(epoch from upper(piece) - lower(piece))) / 3600 as amount
      from levels cross join up cross join lateral unnest(
        case resource_type when 'deployment' then tstzmultirange(time) * times else tstzmultirange(time) end
      ) piece
      group by user_id, resource_type, resource_id
      union all
      select user_id, 'egress', project_id, bytes from usage_egress where hour = ${hour}
    ), rates as (
      select * from unnest(${USAGE_TYPES}::text[], ${unitSizes}::float8[], ${cents}::float8[])
        as rate (resource_type, unit_size, cents)
    )
    insert into usage_records (user_id, resource_type, resource_id, hour, amount, cost)
    select user_id, resource_type, resource_id, ${hour}, amount / unit_size, amount / unit_size * cents
    from amounts join rates using (resource_type)
    where amount > 0 and user_id in (select id from users)
    on conflict (user_id, resource_type, resource_id, hour) do nothing`.execute(trx);
}

/** Deletes what the records were made of, once nobody will ask, and the meters of what is gone for good. */
async function sweepMetered(db: Kysely<Database>): Promise<void> {
  const done = sql<string>`(select metered_until from usage_metering) - make_interval(days => ${KEPT_DAYS})`;
  await db.deleteFrom('usageSpans').where('ended', '<', done).execute();
  await db.deleteFrom('usageEgress').where('hour', '<', done).execute();
  await db.deleteFrom('serverUptimes').where('beatAt', '<', done).execute();
  await db.deleteFrom('usageMeters').where('level', '=', 0).where('since', '<', done).execute();
}
