import { GB, RATE_CARD, USAGE_TYPES, type UsageType } from '@nephos/contracts/constants';
import { allowSeconds, type Database } from '@nephos/db';
import { type Kysely, sql } from 'kysely';

/** Hours that were missed are metered afterwards, but not those of more than so many days ago. */
const CATCH_UP_DAYS = 31;
/** Minutes after its end that an hour counts as complete: what changed in it has been committed by then. */
const SETTLED_MINUTES = 2;
/** Hours that one statement meters. */
const HOURS_AT_ONCE = 24;
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

/** The time from one full hour to another. */
interface Hours {
  began: string;
  ended: string;
}

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
  while (await meterNextHours(db));
  await sweepMetered(db);
}

/** False when every complete hour is metered, or another replica is just at it. */
function meterNextHours(db: Kysely<Database>): Promise<boolean> {
  return db.transaction().execute(async (trx) => {
    await allowSeconds(trx, 60);
    const { rows } = await sql<Hours>`
      select began, least(
        began + make_interval(hours => ${HOURS_AT_ONCE}),
        date_trunc('hour', usage_clock() - make_interval(mins => ${SETTLED_MINUTES}), 'UTC')
      ) as ended
      from (
        select greatest(
          metered_until,
          date_trunc('hour', usage_clock() - make_interval(days => ${CATCH_UP_DAYS}), 'UTC')
        ) as began
        from usage_metering
        where metered_until <= usage_clock() - make_interval(hours => 1, mins => ${SETTLED_MINUTES})
        for update skip locked
      ) due`.execute(trx);
    const [hours] = rows;
    if (!hours) return false;
    await meterHours(trx, hours);
    await trx.updateTable('usageMetering').set({ meteredUntil: hours.ended }).execute();
    return true;
  });
}

/** Writes the records of so many hours; those that are there already stay as they are. */
async function meterHours(trx: Kysely<Database>, { began, ended }: Hours): Promise<void> {
  const unitSizes = USAGE_TYPES.map((type) => UNIT_SIZE[type]);
  const cents = USAGE_TYPES.map((type) => RATE_CARD[type].cents);
  await sql`
    with hours as (
      select hour, hour + interval '1 hour' as ended
      from generate_series(${began}::timestamptz, ${ended}::timestamptz - interval '1 hour', '1 hour') hour
    ), up as (
      select hour, range_agg(tstzrange(server.began, beat_at)) as times
      from hours join server_uptimes server on beat_at > hour and server.began < hours.ended
      group by hour
    ), levels as (
      select hour, user_id, resource_type, resource_id, level,
        tstzrange(greatest(span.began, hour), least(span.ended, hours.ended)) as time
      from hours join usage_spans span on span.ended > hour and span.began < hours.ended
      union all
      select hour, user_id, resource_type, resource_id, level, tstzrange(greatest(since, hour), hours.ended)
      from hours join usage_meters on level > 0 and since < hours.ended
    ), amounts as (
      select hour, user_id, resource_type, resource_id,
        sum(level * extract(epoch from upper(piece) - lower(piece))) / 3600 as amount
      from levels left join up using (hour) cross join lateral unnest(
        case resource_type
          when 'deployment' then tstzmultirange(time) * coalesce(times, '{}') else tstzmultirange(time)
        end
      ) piece
      group by hour, user_id, resource_type, resource_id
      union all
      select hour, user_id, 'egress', project_id, bytes from hours join usage_egress using (hour)
    ), rates as (
      select * from unnest(${USAGE_TYPES}::text[], ${unitSizes}::float8[], ${cents}::float8[])
        as rate (resource_type, unit_size, cents)
    )
    insert into usage_records (user_id, resource_type, resource_id, hour, amount, cost)
    select user_id, resource_type, resource_id, hour, amount / unit_size, amount / unit_size * cents
    from amounts join rates using (resource_type)
    where amount > 0 and user_id in (select id from workspaces where closing_since is null)
    order by hour
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
