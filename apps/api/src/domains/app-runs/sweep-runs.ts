import { KEPT_RUN_DAYS, KEPT_RUNS } from '@nephos/contracts';
import type { Database } from '@nephos/db';
import { type Kysely, sql } from 'kysely';

/** Deletes old runs: of a job, and of a project's commands, the newest 100 of 30 days stay, and always the last. */
export async function sweepRuns(db: Kysely<Database>): Promise<void> {
  await sql`
    delete from app_runs using (
      select id, row_number() over (partition by coalesce(job_id, project_id) order by id desc) as place
      from app_runs
    ) as placed
    where placed.id = app_runs.id and status not in ('queued', 'running') and (
      place > ${KEPT_RUNS} or (place > 1 and created_at < now() - make_interval(days => ${KEPT_RUN_DAYS}))
    )`.execute(db);
}
