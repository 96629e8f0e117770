import type { Database } from '@nephos/db';
import { type Kysely, sql } from 'kysely';
import type { Figures } from './app-figures.ts';

/** How long figures are kept, at least. */
const MINUTE_DAYS = 7;
const HOUR_DAYS = 90;

/** "<project id>": there are new figures of it. */
export const PROJECT_METRICS = 'project_metrics';

/**
 * Adds what was counted in the minute of `at`, in one statement; what an app has on disk with its persistent disks.
 * Figures of projects that are gone are dropped.
 */
export async function storeFigures(
  db: Kysely<Database>,
  figures: readonly Figures[],
  at: Date,
): Promise<void> {
  if (figures.length === 0) return;
  // Every server writes in the order of ids, so that no two wait for each other.
  await sql`
    with stored as (
      insert into project_metrics as known (project_id, process, width, at, requests, errors, latencies, cpu_ms,
        memory_sum, memory_samples, memory_max, disk)
      select project.id, process, 'minute', date_trunc('minute', ${at.toISOString()}::timestamptz), requests, errors,
        latencies, "cpuMs", "memorySum", "memorySamples", "memoryMax",
        disk + (select coalesce(sum(bytes), 0) from project_disks where project_id = project.id)
      from jsonb_to_recordset(${JSON.stringify(figures)}::jsonb) as counted ("projectId" uuid, process text,
        requests bigint, errors bigint, latencies bigint[], "cpuMs" bigint, "memorySum" bigint, "memorySamples" bigint,
        "memoryMax" bigint, disk bigint)
      join projects project on project.id = counted."projectId"
      order by project.id, process
      on conflict (project_id, width, at, process) do update set
        requests = known.requests + excluded.requests,
        errors = known.errors + excluded.errors,
        latencies = add_counts(known.latencies, excluded.latencies),
        cpu_ms = known.cpu_ms + excluded.cpu_ms,
        memory_sum = known.memory_sum + excluded.memory_sum,
        memory_samples = known.memory_samples + excluded.memory_samples,
        memory_max = greatest(known.memory_max, excluded.memory_max),
        disk = coalesce(excluded.disk, known.disk)
      returning project_id
    )
    select pg_notify(${PROJECT_METRICS}, project_id::text) from (select distinct project_id from stored) as changed`.execute(
    db,
  );
}

/** Sums the minutes of hours that are over; what was summed last is summed again, in case that minutes came late. */
export async function sumHours(db: Kysely<Database>): Promise<void> {
  await sql`
    insert into project_metrics as known (project_id, process, width, at, requests, errors, latencies, cpu_ms,
      memory_sum, memory_samples, memory_max, disk)
    select project_id, process, 'hour', date_trunc('hour', at, 'UTC') as hour, sum(requests), sum(errors),
      sum_counts(latencies), sum(cpu_ms), sum(memory_sum), sum(memory_samples), max(memory_max),
      (array_agg(disk order by at desc) filter (where disk is not null))[1]
    from project_metrics
    where width = 'minute' and at < date_trunc('hour', now() - interval '90 seconds', 'UTC')
      and at >= coalesce((select max(at) from project_metrics where width = 'hour'), '-infinity')
    group by project_id, process, hour
    on conflict (project_id, width, at, process) do update set
      requests = excluded.requests, errors = excluded.errors, latencies = excluded.latencies,
      cpu_ms = excluded.cpu_ms, memory_sum = excluded.memory_sum, memory_samples = excluded.memory_samples,
      memory_max = excluded.memory_max, disk = excluded.disk`.execute(db);
}

/** Minutes go by whole hours: `sumHours` may sum the last of them again, and must find all of it or nothing. */
export async function sweepMetrics(db: Kysely<Database>): Promise<void> {
  await sql`
    delete from project_metrics
    where (width = 'minute' and at < date_trunc('hour', now() - make_interval(days => ${MINUTE_DAYS}), 'UTC'))
      or (width = 'hour' and at < now() - make_interval(days => ${HOUR_DAYS}))`.execute(db);
}
