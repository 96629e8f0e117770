import { atomically, type Database } from '@nephos/db';
import { type Kysely, sql } from 'kysely';
import type { AppAddress } from '../../platform/host-address.ts';
import type { Platform } from '../../platform/platform.ts';
import { raiseAlert, recoverAlerts } from '../alerts/raise-alert.ts';
import { UNFINISHED } from '../deployments/attempt.ts';
import { deploymentPage } from '../deployments/deployment-page.ts';
import { credentialsFor } from '../projects/repository-credentials.ts';
import { gitHostAt, type Report, statusCall } from './git-hosts.ts';
import type { StatusJob } from './report-commit.ts';
import { HostAway, sendStatus } from './send-status.ts';

export interface TellParts extends Pick<Platform, 'db' | 'settings' | 'secrets'> {
  appAddress: AppAddress;
}

/**
 * Tells the commit's Git host what has become of a deployment by now, unless it knows. Rejects where the host is to be
 * asked again.
 */
export async function tellHost(
  parts: TellParts,
  { deploymentId }: StatusJob,
  signal: AbortSignal,
): Promise<void> {
  const { db, settings, secrets } = parts;
  const deployment = await findReportable(db, deploymentId);
  if (!deployment?.commit) return;
  const { projectId: id, repositoryUrl, repositoryCredentials } = deployment;
  const credentials = credentialsFor(secrets, { id, repositoryCredentials }, repositoryUrl);
  const report = reportOf(parts, { ...deployment, commit: deployment.commit });
  if (!credentials) return giveUp(db, deployment, report);
  if (await isTold(db, deployment, report)) return;
  const told = { ...deployment, state: report.state };
  const host = gitHostAt(credentials.origin, await lastSender(db, deployment));
  if (!host) {
    const name = new URL(credentials.origin).host;
    const problem = `What ${name} runs is unknown until the first delivery of the push hook.`;
    return await store(db, { ...told, problem });
  }
  const call = statusCall(host, repositoryUrl, credentials, report);
  try {
    const allowPrivate = settings.allowPrivateRepositories;
    const problem = await sendStatus(call, { signal, allowPrivate });
    await atomically(db, async (trx) => {
      await store(trx, { ...told, problem });
      await tellRefusal(trx, deployment, problem);
    });
  } catch (error) {
    if (error instanceof HostAway) await store(db, { ...told, problem: error.message });
    throw error;
  }
}

/** Deployments whose host was told that they go on, and which have ended without a job's being queued or done. */
export function endedUntold(db: Kysely<Database>): Promise<StatusJob[]> {
  return db
    .selectFrom('commitStatuses')
    .innerJoin('deployments', 'deployments.id', 'commitStatuses.deploymentId')
    .select(['deployments.projectId', 'deploymentId'])
    .where('commitStatuses.state', '=', 'pending')
    .where('deployments.status', 'not in', UNFINISHED)
    .execute();
}

/** A start of a kept release says nothing new of its commit. */
function findReportable(db: Kysely<Database>, deploymentId: string) {
  return db
    .selectFrom('deployments')
    .innerJoin('projects', 'projects.id', 'deployments.projectId')
    .leftJoin('previews', 'previews.projectId', 'projects.id')
    .select(['deployments.id', 'deployments.ownerId', 'deployments.projectId', 'status', 'slug'])
    .select('projects.name')
    .select(['deployments.commit', 'previews.parentId'])
    .select(['deployments.repositoryUrl', 'projects.repositoryCredentials'])
    .where('deployments.id', '=', deploymentId)
    .where('kind', '=', 'deploy')
    .executeTakeFirst();
}

type Reportable = NonNullable<Awaited<ReturnType<typeof findReportable>>>;

/** In words of ours alone: what a build wrote is its owner's. */
function reportOf(
  { settings, appAddress }: Pick<TellParts, 'settings' | 'appAddress'>,
  deployment: Reportable & { commit: string },
): Report {
  const { status, commit, slug } = deployment;
  return { commit, slug, page: deploymentPage(settings, deployment), ...outcome() };

  function outcome(): Pick<Report, 'state' | 'description'> {
    switch (status) {
      case 'running':
      case 'stopped':
        return { state: 'success', description: `Live at ${appAddress(slug)}` };
      case 'failed':
        return { state: 'failure', description: 'The deployment failed' };
      case 'cancelled':
        return { state: 'failure', description: 'The deployment was cancelled' };
      default:
        return { state: 'pending', description: 'Deploying' };
    }
  }
}

async function isTold(
  db: Kysely<Database>,
  { id, ownerId, projectId }: Reportable,
  { state }: Report,
): Promise<boolean> {
  const told = await db
    .selectFrom('commitStatuses')
    .select('projectId')
    .where('ownerId', '=', ownerId)
    .where('projectId', '=', projectId)
    .where('deploymentId', '=', id)
    .where('state', '=', state)
    .where('problem', '=', '')
    .executeTakeFirst();
  return told !== undefined;
}

/** Who sent the newest delivery of the project's push hook, a preview's being its project's; '' where that does not tell. */
async function lastSender(
  db: Kysely<Database>,
  { ownerId, projectId, parentId }: Reportable,
): Promise<string> {
  const delivery = await db
    .selectFrom('pushDeliveries')
    .select('sender')
    .where('ownerId', '=', ownerId)
    .where('projectId', '=', parentId ?? projectId)
    .where('sender', '!=', '')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return delivery?.sender ?? '';
}

/** A host that refuses is told once, until it takes a status again. */
async function tellRefusal(
  trx: Kysely<Database>,
  { ownerId, projectId, name }: Reportable,
  problem: string,
): Promise<void> {
  const kind = 'commit-status-refused';
  if (problem === '') return recoverAlerts(trx, { ownerId, kinds: [kind], subjectId: projectId });
  await raiseAlert(trx, {
    ...{ ownerId, kind, text: problem, once: 'refused' },
    subject: { kind: 'project', id: projectId, name },
    path: `/projects/${projectId}/settings`,
  });
}

/** What can be told no more is not asked about again: the host last heard that the deployment goes on. */
async function giveUp(
  db: Kysely<Database>,
  { id, ownerId, projectId }: Reportable,
  { state }: Report,
): Promise<void> {
  await db
    .updateTable('commitStatuses')
    .set({ state, problem: 'There is no token for the repository any more.' })
    .where('ownerId', '=', ownerId)
    .where('projectId', '=', projectId)
    .where('deploymentId', '=', id)
    .execute();
}

async function store(
  db: Kysely<Database>,
  {
    ownerId,
    projectId,
    id,
    ...told
  }: Pick<Reportable, 'id' | 'ownerId' | 'projectId'> & Pick<Report, 'state'> & { problem: string },
): Promise<void> {
  const { state, problem } = told;
  const columns = { deploymentId: id, state, problem, toldAt: sql<string>`clock_timestamp()` };
  await db
    .insertInto('commitStatuses')
    .values({ ownerId, projectId, ...columns })
    .onConflict((existing) => existing.column('projectId').doUpdateSet(columns))
    .execute();
}
