import { randomUUID } from 'node:crypto';
import type { Database } from '@nephos/db';
import { type Kysely, sql } from 'kysely';
import type { Logger } from 'pino';
import type { Jobs } from '../../platform/jobs.ts';
import type { DeploymentEngine } from '../deployments/engine/engine.ts';
import type { Part } from '../domain.ts';
import { meterUsage } from './meter-usage.ts';

/** Metering of this process. */
export interface Metering extends Part {
  /** Says from now on, twice a minute, that this server runs, and what left through its proxy. */
  resume(): Promise<void>;
  /** Writes the usage records that are due, those of hours in which no server ran among them. */
  catchUp(): Promise<void>;
  /** Says it a last time, once the apps have ended. */
  stop(): Promise<void>;
}

export interface MeteringParts {
  db: Kysely<Database>;
  jobs: Pick<Jobs, 'schedule'>;
  engine: Pick<DeploymentEngine, 'collectEgress'>;
  /** Resolves when no app of this process answers any more. */
  appsEnded: Promise<void>;
  log: Logger;
}

/** When the hour before counts as complete. */
const AFTER_EACH_HOUR = '3 * * * *';
/** Milliseconds: what a killed server loses of its egress and its apps' time. */
const BEAT_MS = 30_000;

/** Defines the hourly job. */
export function createMetering({ db, jobs, engine, appsEnded, log }: MeteringParts): Metering {
  const beat = createPulse({ db, engine, log });
  let timer: NodeJS.Timeout | undefined;

  async function meter(): Promise<void> {
    await beat();
    try {
      await meterUsage(db);
    } catch (error) {
      log.error({ err: error }, 'usage is metered an hour later');
    }
  }

  jobs.schedule('metering', AFTER_EACH_HOUR, meter);

  return {
    async resume() {
      await beat();
      timer = setInterval(() => void beat(), BEAT_MS).unref();
    },
    catchUp: meter,
    async stop() {
      clearInterval(timer);
      await appsEnded;
      await beat();
    },
  };
}

/** Says that this process runs, and what left through its proxy since it last said so. Never rejects. */
function createPulse({ db, engine, log }: Pick<MeteringParts, 'db' | 'engine' | 'log'>): () => Promise<void> {
  const server = randomUUID();
  /** Bytes by project that are not written down. */
  const unwritten = new Map<string, number>();
  let beating: Promise<void> = Promise.resolve();

  function add(egress: Iterable<readonly [projectId: string, bytes: number]>): void {
    for (const [projectId, bytes] of egress) {
      unwritten.set(projectId, (unwritten.get(projectId) ?? 0) + bytes);
    }
  }

  async function beat(): Promise<void> {
    add(engine.collectEgress());
    const egress = [...unwritten];
    unwritten.clear();
    try {
      await recordUptime(db, server);
      await recordEgress(db, egress);
    } catch (error) {
      log.warn({ err: error }, 'usage is not written down yet');
      add(egress);
    }
  }

  // One after the other, so that a slow one does not send the same bytes twice.
  return () => {
    beating = beating.then(beat);
    return beating;
  };
}

async function recordUptime(db: Kysely<Database>, id: string): Promise<void> {
  const now = sql<string>`usage_clock()`;
  await db
    .insertInto('serverUptimes')
    .values({ id, began: now, beatAt: now })
    .onConflict((conflicting) => conflicting.column('id').doUpdateSet({ beatAt: now }))
    .execute();
}

/**
 * Adds bytes to their projects' running hour. Those of a project that was deleted since the last beat are dropped: its
 * owner is not known any more.
 */
async function recordEgress(
  db: Kysely<Database>,
  egress: readonly (readonly [projectId: string, bytes: number])[],
): Promise<void> {
  if (egress.length === 0) return;
  const projects = egress.map(([projectId]) => projectId);
  const bytes = egress.map(([, count]) => count);
  // Every replica writes in the order of ids, so that no two wait for each other.
  await sql`
    insert into usage_egress as known (project_id, hour, user_id, bytes)
    select id, date_trunc('hour', usage_clock(), 'UTC'), owner_id, sent.bytes
    from unnest(${projects}::uuid[], ${bytes}::bigint[]) as sent (project_id, bytes)
    join projects on projects.id = sent.project_id
    order by id
    on conflict (hour, project_id) do update set bytes = known.bytes + excluded.bytes`.execute(db);
}
