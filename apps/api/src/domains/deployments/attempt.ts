import { atomically, type Database } from '@nephos/db';
import { type Kysely, type Selectable, sql } from 'kysely';
import { Hopeless } from '../../platform/persistently.ts';
import type { ReportCommit } from '../commit-statuses/report-commit.ts';
import { holdProject } from '../projects/read.ts';
import { recordFailure, recordLive } from './deployment-events.ts';
import type { Progress } from './engine/engine.ts';
import { formerSettings, recordScaling } from './scaling.ts';

/** Runs of one deployment: the first, and one more when the server stopped in the middle of it. */
export const MAX_ATTEMPTS = 2;
/** Texts of deployments that ended without the user's doing. */
export const SERVER_STOPPED = 'The server stopped during the deployment.';
export const SERVER_FAULT = 'Something went wrong on the server during the deployment.';

/** States that a deployment still leaves by itself. */
export const UNFINISHED = ['queued', 'building', 'deploying'] as const;
const UNDER_WAY = ['building', 'deploying'] as const;

/** The deployment is no longer this run's: it was cancelled, taken over by another run, or deleted. */
export class LostAttempt extends Hopeless {
  constructor() {
    super('This deployment is not ours any more.');
  }
}

/** Where a run writes down how far it came. */
export interface AttemptParts {
  db: Kysely<Database>;
  /** Has the commit's Git host told what became of a deployment, once the transaction is committed. */
  reportCommit: ReportCommit;
}

/** A deployment as one run claimed it; `attempts` fences its writes off from every later run's. */
export type Attempt = Selectable<Database['deployments']>;

/** Begins a run; nothing when the deployment has finished, was deleted, or has used up its runs. */
export async function claim(db: Kysely<Database>, id: string): Promise<Attempt | undefined> {
  return db
    .updateTable('deployments')
    .set(({ ref }) => ({
      status: 'building',
      attempts: sql<number>`${ref('attempts')} + 1`,
      // A run before this one may have found a release to start again, which is looked for anew.
      rollbackOf: sql<
        string | null
      >`case when ${ref('kind')} = 'deploy' then null else ${ref('rollbackOf')} end`,
      imageDigest: sql<
        string | null
      >`case when ${ref('kind')} = 'deploy' then null else ${ref('imageDigest')} end`,
      startedAt: sql<string>`coalesce(${ref('startedAt')}, now())`,
    }))
    .where('id', '=', id)
    .where('status', 'in', UNFINISHED)
    .where('attempts', '<', MAX_ATTEMPTS)
    .returningAll()
    .executeTakeFirst();
}

/** Gives a run back that was interrupted by an orderly stop, so that it does not count. */
export async function giveBack(db: Kysely<Database>, attempt: Attempt): Promise<void> {
  await ours(db, attempt)
    .set(({ ref }) => ({ status: 'queued', attempts: sql<number>`${ref('attempts')} - 1` }))
    .execute();
}

export async function recordProgress(
  { db, reportCommit }: AttemptParts,
  attempt: Attempt,
  { detected, dockerfile, port, ...progress }: Progress,
): Promise<void> {
  await atomically(db, async (trx) => {
    await holdProject(trx, attempt.projectId);
    const { numUpdatedRows } = await ours(trx, attempt)
      .set(({ ref }) => ({
        status: ref('status'),
        ...progress,
        ...(progress.rollbackOf && { imageDigest: digestOf(attempt, progress.rollbackOf) }),
      }))
      .executeTakeFirst();
    if (numUpdatedRows === 0n) throw new LostAttempt();
    if (progress.commit !== undefined) await reportCommit(trx, attempt);
    if (port !== undefined) await recordPort(trx, attempt.projectId, port);
    if (!detected) return;
    await trx
      .updateTable('projects')
      .set({ detected: JSON.stringify(detected), dockerfile: dockerfile ?? null })
      .where('id', '=', attempt.projectId)
      .execute();
  });
}

/** Of the image of a release of the same project, which is started again. */
function digestOf({ projectId }: Attempt, release: string) {
  return sql<string | null>`(
    select image_digest from deployments release
    where release.id = ${release} and release.project_id = ${projectId}
  )`;
}

/** Keeps what its variables referred to, sealed, for as long as it runs. */
export async function recordResolved(
  db: Kysely<Database>,
  attempt: Attempt,
  resolvedVariables: Record<string, string>,
): Promise<void> {
  const { numUpdatedRows } = await ours(db, attempt)
    .set({ resolvedVariables: JSON.stringify(resolvedVariables) })
    .executeTakeFirst();
  if (numUpdatedRows === 0n) throw new LostAttempt();
}

async function recordPort(trx: Kysely<Database>, projectId: string, port: number): Promise<void> {
  await trx
    .updateTable('projects')
    .set({ detected: sql`jsonb_set(detected, '{port}', to_jsonb(${port}::int))` })
    .where('id', '=', projectId)
    .where('detected', 'is not', null)
    .execute();
}

/** Makes the deployment the project's live one and stops the one before, unless a cancel came first. */
export async function recordSwitch({ db, reportCommit }: AttemptParts, attempt: Attempt): Promise<void> {
  await atomically(db, async (trx) => {
    const project = await trx
      .selectFrom('projects')
      .select(['id', 'ownerId', 'liveDeploymentId'])
      .where('id', '=', attempt.projectId)
      .forNoKeyUpdate()
      .executeTakeFirst();
    // Committed before, but the answer was lost.
    if (project?.liveDeploymentId === attempt.id) return;
    const former = project && (await formerSettings(trx, project));
    const live = await ours(trx, attempt)
      .set({ status: 'running', finishedAt: sql`now()` })
      .where('cancelRequested', '=', false)
      .returningAll()
      .executeTakeFirst();
    if (!live) throw new LostAttempt();
    if (project?.liveDeploymentId) {
      await trx
        .updateTable('deployments')
        .set({ status: 'stopped' })
        .where('id', '=', project.liveDeploymentId)
        .execute();
    }
    await trx
      .updateTable('projects')
      .set({ liveDeploymentId: attempt.id, ...(live.recipeVersion && { recipeVersion: live.recipeVersion }) })
      .where('id', '=', attempt.projectId)
      .execute();
    await recordLive(trx, live);
    await recordScaling(trx, live, former);
    await reportCommit(trx, live);
  });
}

export async function recordEnd(
  { db, reportCommit }: AttemptParts,
  attempt: Attempt,
  end: { status: 'failed' | 'cancelled'; error: string; step?: Attempt['step'] },
): Promise<void> {
  await atomically(db, async (trx) => {
    await holdProject(trx, attempt.projectId);
    const { numUpdatedRows } = await ours(trx, attempt)
      // What did not come to run leaves no release of its own.
      .set({ ...end, releaseKept: false, finishedAt: sql`now()` })
      .executeTakeFirst();
    if (numUpdatedRows === 0n) return;
    if (end.status === 'failed') await recordFailure(trx, attempt, end.error);
    await reportCommit(trx, attempt);
  });
}

/** Ends what was begun as often as allowed and never finished. */
export async function failExhausted(
  { db, reportCommit }: AttemptParts,
  { id, projectId }: { id: string; projectId: string },
): Promise<void> {
  await atomically(db, async (trx) => {
    await holdProject(trx, projectId);
    const failed = await trx
      .updateTable('deployments')
      .set({ status: 'failed', error: SERVER_STOPPED, finishedAt: sql`now()` })
      .where('id', '=', id)
      .where('status', 'in', UNFINISHED)
      .where('attempts', '>=', MAX_ATTEMPTS)
      .returning('id')
      .executeTakeFirst();
    if (!failed) return;
    await recordFailure(trx, { id, projectId }, SERVER_STOPPED);
    await reportCommit(trx, { id, projectId });
  });
}

/** Whether someone asked to cancel it, or deleted its project. */
export async function isUnwanted(db: Kysely<Database>, id: string): Promise<boolean> {
  const row = await db
    .selectFrom('deployments')
    .select('cancelRequested')
    .where('id', '=', id)
    .executeTakeFirst();
  return row?.cancelRequested ?? true;
}

export async function unfinished(db: Kysely<Database>) {
  return db.selectFrom('deployments').select(['id', 'projectId']).where('status', 'in', UNFINISHED).execute();
}

function ours(db: Kysely<Database>, { id, attempts }: Attempt) {
  return db
    .updateTable('deployments')
    .where('id', '=', id)
    .where('attempts', '=', attempts)
    .where('status', 'in', UNDER_WAY);
}
