import { randomUUID } from 'node:crypto';
import type { Database } from '@nephos/db';
import { type Kysely, sql } from 'kysely';
import type { Logger } from 'pino';
import type { Jobs } from '../../platform/jobs.ts';
import type { DeploymentEngine } from '../deployments/engine/engine.ts';
import { meterUsage } from './metering.ts';

/** Metering of this process. */
export interface Metering {
  /** Says from now on, twice a minute, that this server runs, and what left through its proxy. */
  start(): Promise<void>;
  /** Writes the usage records that are due, those of hours in which no server ran among them. */
  meter(): Promise<void>;
  /** Says it a last time, once the apps have stopped. */
  stop(): Promise<void>;
  /** Ends what `start` began, and says nothing. */
  close(): void;
}

export interface MeteringDeps {
  db: Kysely<Database>;
  jobs: Pick<Jobs, 'schedule'>;
  engine: Pick<DeploymentEngine, 'takeEgress'>;
  log: Logger;
}

/** When the hour before counts as complete. */
const AFTER_EACH_HOUR = '3 * * * *';
/** Milliseconds: what a killed server loses of its egress and its apps' time. */
const BEAT_MS = 30_000;

/** Defines the hourly job. */
export function createMetering({ db, jobs, engine, log }: MeteringDeps): Metering {
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
    async start() {
      await beat();
      timer = setInterval(() => void beat(), BEAT_MS).unref();
    },
    meter,
    async stop() {
      clearInterval(timer);
      await beat();
    },
    close: () => clearInterval(timer),
  };
}

/** Says that this process runs, and what left through its proxy since it last said so. Never rejects. */
function createPulse({ db, engine, log }: Omit<MeteringDeps, 'jobs'>): () => Promise<void> {
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
    add(engine.takeEgress());
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
 * Adds bytes to their projects' running hour. Of a project that was deleted since the last beat, nobody is known to
 * owe them.
 */
async function recordEgress(
  db: Kysely<Database>,
  egress: readonly (readonly [projectId: string, bytes: number])[],
): Promise<void> {
  if (egress.length === 0) return;
  const projects = egress.map(([projectId]) => projectId);
  const bytes = egress.map(([, count]) => count);
  // In one order, so that two replicas do not wait for each other.
  await sql`
    insert into usage_egress as known (project_id, hour, user_id, bytes)
    select id, date_trunc('hour', usage_clock(), 'UTC'), owner_id, sent.bytes
    from unnest(${projects}::uuid[], ${bytes}::bigint[]) as sent (project_id, bytes)
    join projects on projects.id = sent.project_id
    order by id
    on conflict (hour, project_id) do update set bytes = known.bytes + excluded.bytes`.execute(db);
}
