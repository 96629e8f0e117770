import { appStateOf } from '@nephos/contracts';
import { atomically, type Database } from '@nephos/db';
import { type Kysely, sql } from 'kysely';
import type { Logger } from 'pino';
import { persistently } from '../../platform/persistently.ts';
import type { SecretsBox } from '../../platform/secrets-box.ts';
import { newestOutcome, runSettingsOf } from '../projects/read.ts';
import { disksByProject } from './app-disks.ts';
import type { AppLogs } from './app-log.ts';
import { recordCrashOnce, recordProcessBack, recordProcessEnd } from './deployment-events.ts';
import type { AbsentApp, DeployedApp, LiveDeployments, ProcessChange } from './engine/engine.ts';
import { openVariables } from './kept-variables.ts';

export interface LiveParts {
  appLogs: AppLogs;
  db: Kysely<Database>;
  secrets: SecretsBox;
  log: Logger;
}

/** What the engine reads and reports outside of a job, from and to the database. */
export function createLiveDeployments({ appLogs, db, secrets, log }: LiveParts): LiveDeployments {
  return {
    all: () => allLive(db, secrets),
    logFor: ({ projectId, deploymentId }) =>
      appLogs.open({
        projectId,
        deploymentId,
        secrets: () => secretsOf({ db, secrets }, deploymentId),
        live: true,
      }),
    crashed: (deploymentId, error) => persistently(() => recordCrash(db, deploymentId, error)),
    recovered: (deploymentId) => persistently(() => recordRecovery(db, deploymentId)),
    processChanged: (change) => void tellProcess({ appLogs, db, log }, change),
    releasesRemoved: (deploymentIds) => persistently(() => recordRemoved(db, deploymentIds)),
    absence: (slug) => absenceOf(db, slug),
  };
}

/** Bytes that left for a project's visitors lately: what has most is missed most. */
const recentEgress = sql<number>`(
  select coalesce(sum(bytes), 0) from usage_egress
  where project_id = projects.id and hour > now() - interval '1 day'
)`;

async function allLive(db: Kysely<Database>, secrets: SecretsBox): Promise<DeployedApp[]> {
  const rows = await deployed(db)
    .innerJoin('projects as live', 'live.liveDeploymentId', 'deployments.id')
    .orderBy(recentEgress, 'desc')
    .orderBy('deployments.id')
    .execute();
  return deployedApps(rows, { db, secrets });
}

/** A deployment as what runs beside its app needs it; undefined where there is no such. */
export async function readDeployed(
  parts: Pick<LiveParts, 'db' | 'secrets'>,
  deploymentId: string,
): Promise<DeployedApp | undefined> {
  const rows = await deployed(parts.db).where('deployments.id', '=', deploymentId).execute();
  return (await deployedApps(rows, parts))[0];
}

function deployed(db: Kysely<Database>) {
  return db
    .selectFrom('deployments')
    .innerJoin('projects', 'projects.id', 'deployments.projectId')
    .select(['deployments.id as deploymentId', 'deployments.projectId', 'projects.slug', 'projects.account'])
    .select(['deployments.healthPath', 'deployments.runSettings', 'rollbackOf'])
    .select(['deployments.variables', 'variableScopes', 'resolvedVariables']);
}

async function deployedApps(
  rows: Awaited<ReturnType<ReturnType<typeof deployed>['execute']>>,
  { db, secrets }: Pick<LiveParts, 'db' | 'secrets'>,
): Promise<DeployedApp[]> {
  const disks = await disksByProject(
    db,
    rows.map(({ projectId }) => projectId),
  );
  return rows.map(({ runSettings, variableScopes, resolvedVariables, ...row }) => ({
    ...row,
    disks: disks.get(row.projectId) ?? [],
    settings: runSettingsOf(runSettings),
    variables: openVariables(secrets, { ...row, variableScopes, resolvedVariables }).variables,
  }));
}

/**
 * What must not be readable in the output of a deployment's app, and of what runs beside it: its secrets, and those that
 * its release was built with.
 */
export async function secretsOf(
  { db, secrets }: Pick<LiveParts, 'db' | 'secrets'>,
  deploymentId: string,
): Promise<string[]> {
  const rows = await db
    .selectFrom('deployments')
    .select(['projectId', 'variables', 'variableScopes', 'resolvedVariables'])
    .where(({ eb, or, selectFrom }) =>
      or([
        eb('id', '=', deploymentId),
        eb(
          'id',
          '=',
          selectFrom('deployments as own').select('rollbackOf').where('own.id', '=', deploymentId),
        ),
      ]),
    )
    .execute();
  const plain = await plainAnswers(db, rows[0]?.projectId ?? null);
  return rows.flatMap((row) => openVariables(secrets, row).secrets).filter((value) => !plain.has(value));
}

/** What was answered to the marketplace that made a project, but for secrets: an app's title is in many a line of its log. */
async function plainAnswers(db: Kysely<Database>, projectId: string | null): Promise<ReadonlySet<string>> {
  const found = await db
    .selectFrom('installations')
    .innerJoin('projects', 'projects.ownerId', 'installations.ownerId')
    .select('inputs')
    .where('projects.id', '=', projectId)
    .where(
      sql<boolean>`receipt @> jsonb_build_array(jsonb_build_object('kind', 'project', 'id', projects.id))`,
    )
    .execute();
  return new Set(found.flatMap(({ inputs }) => Object.values(inputs)));
}

async function recordCrash(db: Kysely<Database>, deploymentId: string, error: string): Promise<void> {
  await atomically(db, async (trx) => {
    const left = await trx
      .updateTable('projects')
      .set({ liveDeploymentId: null })
      .where('liveDeploymentId', '=', deploymentId)
      .returning('id')
      .executeTakeFirst();
    if (!left) return;
    await trx
      .updateTable('deployments')
      .set({ status: 'failed', error })
      .where('id', '=', deploymentId)
      .execute();
    await recordCrashOnce(trx, { projectId: left.id, deploymentId, error });
  });
}

async function tellProcess(
  { appLogs, db, log }: Omit<LiveParts, 'secrets'>,
  change: ProcessChange,
): Promise<void> {
  const { state, restarts } = change;
  try {
    if (state === 'running' && restarts > 0) return await recordProcessBack(db, change);
    if (state !== 'crashed' && state !== 'failed') return;
    const lastLines = await appLogs.lastLines(change.deploymentId, change);
    await persistently(() => recordProcessEnd(db, change, lastLines));
  } catch (error) {
    log.error({ err: error, deploymentId: change.deploymentId }, 'the events lack what a process did');
  }
}

async function recordRecovery(db: Kysely<Database>, deploymentId: string): Promise<void> {
  await db
    .updateTable('deployments')
    .set({ status: 'running', error: null })
    .where('id', '=', deploymentId)
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('projects')
          .select('projects.id')
          .whereRef('projects.liveDeploymentId', '=', 'deployments.id'),
      ),
    )
    .execute();
}

async function recordRemoved(db: Kysely<Database>, deploymentIds: string[]): Promise<void> {
  if (deploymentIds.length === 0) return;
  await db
    .updateTable('deployments')
    .set({ releaseKept: false })
    // Those that started the release again show whether it is kept, too, so they change as well.
    .where(({ eb, or }) => or([eb('id', 'in', deploymentIds), eb('rollbackOf', 'in', deploymentIds)]))
    .execute();
}

async function absenceOf(db: Kysely<Database>, slug: string): Promise<AbsentApp> {
  const project = await db
    .selectFrom('projects')
    .select(newestOutcome.as('outcome'))
    .where('slug', '=', slug)
    .executeTakeFirst();
  if (!project) return 'unknown';
  const state = appStateOf(false, project.outcome);
  switch (state) {
    case 'none':
      return 'empty';
    case 'failed':
    case 'stopped':
      return state;
    // `running`: live when it was asked for, and not on its route any more or yet.
    default:
      return 'deploying';
  }
}
