import { type AppRun, type appRuns, MAX_COMMANDS, MAX_PAGE, MAX_PROJECT_COMMANDS } from '@nephos/contracts';
import { atomically, type Database } from '@nephos/db';
import { type Kysely, sql } from 'kysely';
import type { z } from 'zod';
import type { UserContext } from '../../core/context.ts';
import { conflict, notFound } from '../../core/errors.ts';
import { lockAccount } from '../../platform/account-lock.ts';
import { notify } from '../../platform/notifications.ts';
import { assertProject } from '../projects/read.ts';
import { assertMayRunCode } from '../projects/runnable.ts';
import type { AppRunsParts } from './app-runs.ts';
import { APP_RUN_CANCEL } from './channels.ts';
import { findRun, runsOf, UNFINISHED } from './read.ts';
import { NO_RELEASE, releaseOf } from './release.ts';

/** A project's runs, newest first. */
export async function listRuns(
  { db, ownerId }: UserContext,
  { id, jobId, kind, limit = MAX_PAGE, cursor }: z.output<typeof appRuns.list.input>,
): Promise<AppRun[]> {
  await assertProject(db, ownerId, id);
  return runsOf(db, ownerId)
    .where('projectId', '=', id)
    .$if(jobId !== undefined, (runs) => runs.where('jobId', '=', jobId ?? ''))
    .$if(kind !== undefined, (runs) => runs.where('kind', '=', kind ?? 'cron'))
    .$if(cursor !== undefined, (runs) => runs.where('id', '<', cursor ?? ''))
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();
}

/** Queues a command in the environment of a project's app. */
export async function runCommand(
  { db, workspace, ownerId }: UserContext,
  { settings, commands }: Pick<AppRunsParts, 'settings' | 'commands'>,
  { id: projectId, command, timeLimit }: z.output<typeof appRuns.runCommand.input>,
): Promise<AppRun> {
  assertMayRunCode(settings, workspace, commands.isolation(), { builds: false });
  return atomically(db, async (trx) => {
    await assertProject(trx, ownerId, projectId);
    if (!(await releaseOf(trx, { projectId, kind: 'command' }))) throw conflict('NO_RELEASE', NO_RELEASE);
    await assertRoomForCommand(trx, ownerId, projectId);
    const { id } = await trx
      .insertInto('appRuns')
      .values({ ownerId, projectId, kind: 'command', cause: 'person', command, timeLimit, status: 'queued' })
      .returning('id')
      .executeTakeFirstOrThrow();
    return findRun(trx, ownerId, id);
  });
}

/** Queues a run of a job, whatever its schedule. */
export async function runJob(
  { db, workspace, ownerId }: UserContext,
  { settings, commands }: Pick<AppRunsParts, 'settings' | 'commands'>,
  jobId: string,
): Promise<AppRun> {
  assertMayRunCode(settings, workspace, commands.isolation(), { builds: false });
  return atomically(db, async (trx) => {
    const job = await trx
      .selectFrom('cronJobs')
      .select(['projectId', 'command', 'timeLimit'])
      .where('ownerId', '=', ownerId)
      .where('id', '=', jobId)
      .executeTakeFirst();
    if (!job) throw notFound();
    const id = await queueRun(trx, { ...job, ownerId, jobId, cause: 'person', scheduledFor: null });
    if (!id) throw conflict('ALREADY_RUNNING', 'A run of this job is still going on.');
    return findRun(trx, ownerId, id);
  });
}

interface DueRun {
  ownerId: string;
  projectId: string;
  jobId: string;
  command: string;
  timeLimit: number;
  cause: 'schedule' | 'catch-up' | 'person';
  scheduledFor: string | null;
}

/** Queues a run of a job; undefined where one is unfinished. */
export async function queueRun(trx: Kysely<Database>, run: DueRun): Promise<string | undefined> {
  const queued = await trx
    .insertInto('appRuns')
    .values({ ...run, kind: 'cron', status: 'queued' })
    .onConflict((one) =>
      one.column('jobId').where('status', 'in', sql<'queued'>`('queued', 'running')`).doNothing(),
    )
    .returning('id')
    .executeTakeFirst();
  return queued?.id;
}

/** Ends a run that has not finished: right away while it is queued, else as soon as its server hears of it. */
export async function cancelRun({ db, ownerId }: UserContext, id: string): Promise<AppRun> {
  return atomically(db, async (trx) => {
    const run = await runsOf(trx, ownerId).where('id', '=', id).forNoKeyUpdate().executeTakeFirst();
    if (!run) throw notFound();
    const change = trx.updateTable('appRuns').where('ownerId', '=', ownerId).where('id', '=', id);
    if (run.status === 'queued') {
      await change.set({ status: 'cancelled', finishedAt: sql`now()` }).execute();
    } else if (run.status === 'running') {
      await change.set({ cancelRequested: true }).execute();
      await notify(trx, APP_RUN_CANCEL, id);
    } else {
      throw conflict('NOT_CANCELLABLE', "This run has already finished, so it can't be cancelled.");
    }
    return findRun(trx, ownerId, id);
  });
}

/** Under the account's lock, so that calls at the same time are counted one after the other. */
async function assertRoomForCommand(
  trx: Kysely<Database>,
  ownerId: string,
  projectId: string,
): Promise<void> {
  await lockAccount(trx, ownerId);
  const { all, here } = await trx
    .selectFrom('appRuns')
    .where('ownerId', '=', ownerId)
    .where('kind', '=', 'command')
    .where('status', 'in', UNFINISHED)
    .select(({ fn }) => fn.countAll<number>().as('all'))
    .select(({ fn }) => fn.countAll<number>().filterWhere('projectId', '=', projectId).as('here'))
    .executeTakeFirstOrThrow();
  if (here >= MAX_PROJECT_COMMANDS) {
    throw conflict('TOO_MANY_RUNS', `A project can run ${MAX_PROJECT_COMMANDS} commands at once.`);
  }
  if (all >= MAX_COMMANDS) {
    throw conflict('TOO_MANY_RUNS', `An account can run ${MAX_COMMANDS} commands at once.`);
  }
}
