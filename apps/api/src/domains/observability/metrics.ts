import {
  ACTIVITY_MINUTES,
  METRIC_RANGES,
  type MetricRange,
  type Metrics,
  type ProjectActivity,
} from '@nephos/contracts';
import type { Tracked } from '@nephos/contracts/kit';
import type { Database } from '@nephos/db';
import { type Kysely, sql } from 'kysely';
import type { UserContext } from '../../core/context.ts';
import { databaseNow } from '../../platform/database-clock.ts';
import { follow } from '../../platform/follow.ts';
import type { Notifications } from '../../platform/notifications.ts';
import { assertProject } from '../projects/read.ts';
import { percentile } from './latencies.ts';
import { PROJECT_METRICS } from './metrics-store.ts';

const MINUTE = 60_000;

/** What was counted between two points. */
interface Row {
  process: string;
  /** Which point, from 0. */
  place: number;
  requests: number;
  errors: number;
  latencies: number[];
  cpuMs: number;
  memory: number | null;
  disk: number | null;
}

/** A project's figures over a range that ends at `until`, or now, without gaps. Throws 404. */
export async function readMetrics(
  { db, ownerId }: UserContext,
  { id, range, until }: { id: string; range: MetricRange; until?: string | undefined },
): Promise<Metrics> {
  await assertProject(db, ownerId, id);
  const { seconds, step } = METRIC_RANGES[range];
  const now = (await databaseNow(db)).getTime();
  // The running minute is not written down yet.
  const end = Math.floor(Math.min(now, until ? Date.parse(until) : now) / MINUTE) * MINUTE;
  const from = Math.ceil((end - seconds * 1000) / (step * 1000)) * step * 1000;
  const rows = await readRows(db, id, { from: new Date(from), end: new Date(end), step });
  const starts: number[] = [];
  for (let at = from; at < end; at += step * 1000) starts.push(at);
  const cpuOf = (row: Row | undefined, at: number) =>
    row && row.memory !== null ? (row.cpuMs / (Math.min(at + step * 1000, end) - at)) * 100 : null;
  const rowsOf = (process: string) =>
    new Map(rows.filter((row) => row.process === process).map((row) => [row.place, row]));
  const whole = rowsOf('');
  const names = [...new Set(rows.map(({ process }) => process))].filter((name) => name !== '');
  return {
    range,
    step,
    points: starts.map((at, place) => ({
      at: new Date(at).toISOString(),
      ...figuresOf(whole.get(place)),
      cpu: cpuOf(whole.get(place), at),
    })),
    processes: names.map((process) => {
      const own = rowsOf(process);
      return {
        process,
        cpu: starts.map((at, place) => cpuOf(own.get(place), at)),
        memory: starts.map((_, place) => own.get(place)?.memory ?? null),
      };
    }),
  };
}

function figuresOf(row: Row | undefined): Omit<Metrics['points'][number], 'at' | 'cpu'> {
  return {
    requests: row?.requests ?? 0,
    errors: row?.errors ?? 0,
    p50: percentile(row?.latencies ?? [], 0.5),
    p99: percentile(row?.latencies ?? [], 0.99),
    memory: row?.memory ?? null,
    disk: row?.disk ?? null,
  };
}

/** Hours as far as they are summed, for what goes back further than a day, and minutes. */
async function readRows(
  db: Kysely<Database>,
  projectId: string,
  { from, end, step }: { from: Date; end: Date; step: number },
): Promise<Row[]> {
  const byHour = step >= 3600;
  const within = sql`at >= ${from.toISOString()} and at < ${end.toISOString()}`;
  const { rows } = await sql<Row>`
    with hours as (
      select * from project_metrics
      where ${byHour} and project_id = ${projectId} and width = 'hour' and ${within}
    ), figures as (
      select * from hours
      union all
      select * from project_metrics
      where project_id = ${projectId} and width = 'minute' and ${within}
        and at >= coalesce((select max(at) + interval '1 hour' from hours), '-infinity')
    )
    select process, floor(extract(epoch from at - ${from.toISOString()}::timestamptz) / ${step}::float8)::integer as place,
      sum(requests)::float8 as requests, sum(errors)::float8 as errors,
      to_jsonb(sum_counts(latencies)) as latencies, sum(cpu_ms)::float8 as "cpuMs",
      (sum(memory_sum) / nullif(sum(memory_samples), 0))::float8 as memory,
      ((array_agg(disk order by at desc) filter (where disk is not null))[1])::float8 as disk
    from figures group by process, place order by process <> 'web', process`.execute(db);
  return rows;
}

/** What each of someone's projects did in the last hour; those that did nothing are left out. */
export async function readActivity({ db, ownerId }: UserContext): Promise<ProjectActivity[]> {
  const end = Math.floor((await databaseNow(db)).getTime() / MINUTE) * MINUTE;
  const from = new Date(end - ACTIVITY_MINUTES * MINUTE);
  const { rows } = await sql<{ projectId: string; places: number[]; requests: number[]; memory: number[] }>`
    select project.id as "projectId",
      to_jsonb(array_agg((extract(epoch from at - ${from.toISOString()}::timestamptz) / 60)::integer)) as places,
      to_jsonb(array_agg(requests)) as requests,
      to_jsonb(array_agg(memory_sum / nullif(memory_samples, 0))) as memory
    from projects project join project_metrics figures on figures.project_id = project.id
    where project.owner_id = ${ownerId} and width = 'minute' and process = ''
      and at >= ${from.toISOString()} and at < ${new Date(end).toISOString()}
    group by project.id`.execute(db);
  return rows.map(({ projectId, places, requests, memory }) => {
    const minutes = Array.from({ length: ACTIVITY_MINUTES }, (_, minute) => places.indexOf(minute));
    return {
      projectId,
      requests: minutes.map((place) => requests[place] ?? 0),
      memory: minutes.map((place) => memory[place] ?? null),
    };
  });
}

/** Tells when new figures of a project are there, which is every minute while it runs or is asked. */
export async function* followMetrics(
  { db, ownerId, signal }: UserContext,
  notifications: Notifications,
  id: string,
): AsyncGenerator<Tracked<{ at: string }>> {
  await assertProject(db, ownerId, id);
  const concerns = (about: string) => about === id;
  const follower = follow(notifications, { channels: [PROJECT_METRICS], concerns, signal });
  try {
    while ((await follower.turn()) === 'news') {
      const at = new Date().toISOString();
      yield { id: at, data: { at } };
    }
  } finally {
    follower.end();
  }
}
