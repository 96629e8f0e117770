import { type EventKind, shortDigest, shortImage } from '@nephos/contracts';
import type { Database } from '@nephos/db';
import type { Kysely, Selectable } from 'kysely';
import { recordEvent } from '../observability/events.ts';
import type { ProcessChange } from './engine/engine.ts';

type Row = Selectable<Database['deployments']>;

const KINDS = {
  deploy: 'deployed',
  rollback: 'rolled-back',
  start: 'started',
  restart: 'restarted',
} as const satisfies Record<Row['kind'], EventKind>;
const VERBS = {
  deploy: 'Deployed',
  rollback: 'Rolled back to',
  start: 'Started',
  restart: 'Restarted',
} as const satisfies Record<Row['kind'], string>;
const SHOWN_COMMIT = 7;

/** Requests go to a deployment from now on. */
export async function recordLive(trx: Kysely<Database>, deployment: Row): Promise<void> {
  const { id, projectId, kind } = deployment;
  const what = versionOf(deployment) || (kind === 'rollback' ? 'an earlier release' : 'the app');
  await recordEvent(trx, {
    projectId,
    deploymentId: id,
    kind: KINDS[kind],
    message: `${VERBS[kind]} ${endSentence(what)}`,
  });
}

/** The image or the commit, as people name it; '' where there is neither. */
function versionOf({ image, imageDigest, commit, commitMessage }: Row): string {
  if (image) return `${shortImage(image)}${imageDigest ? ` (${shortDigest(imageDigest)})` : ''}`;
  if (!commit) return '';
  return `${commit.slice(0, SHOWN_COMMIT)}${commitMessage ? `: ${commitMessage}` : ''}`;
}

/** A deployment did not come to run. */
export async function recordFailure(
  trx: Kysely<Database>,
  { id, projectId }: Pick<Row, 'id' | 'projectId'>,
  error: string,
): Promise<void> {
  await recordEvent(trx, { projectId, deploymentId: id, kind: 'deploy-failed', message: error });
}

/** Somebody stopped an app. */
export async function recordStop(
  trx: Kysely<Database>,
  { projectId, deploymentId }: { projectId: string; deploymentId: string },
): Promise<void> {
  await recordEvent(trx, { projectId, deploymentId, kind: 'stopped', message: 'Stopped the app.' });
}

/** A process of an app ended by itself. Where that ended a deployment, the deployment's failure tells it. */
export async function recordProcessEnd(
  db: Kysely<Database>,
  { projectId, deploymentId, process, instance, state, reason, exit }: ProcessChange,
  lastLines: string,
): Promise<void> {
  const { status } = (await db
    .selectFrom('deployments')
    .select('status')
    .where('id', '=', deploymentId)
    .executeTakeFirst()) ?? { status: 'queued' };
  if (status === 'queued' || status === 'building' || status === 'deploying') return;
  const restart = state === 'failed' ? ' It crashed too often and will not be restarted.' : '';
  await recordEvent(db, {
    projectId,
    deploymentId,
    kind: /of memory\b/.test(reason) ? 'out-of-memory' : 'crashed',
    message: `${process} ${endSentence(reason || 'ended')}${restart}`,
    process,
    instance,
    exitCode: exit?.code ?? null,
    signal: exit?.signal ?? null,
    lastLines,
  });
}

/** A process of a live app runs again after it had ended by itself. */
export async function recordProcessBack(
  db: Kysely<Database>,
  { projectId, deploymentId, process, instance }: ProcessChange,
): Promise<void> {
  await recordEvent(db, {
    projectId,
    deploymentId,
    kind: 'restarted',
    message: `${process} is running again.`,
    process,
    instance,
  });
}

/** An app is gone for good. Where one of its processes crashed, that was told already. */
export async function recordCrashOnce(
  trx: Kysely<Database>,
  { projectId, deploymentId, error }: { projectId: string; deploymentId: string; error: string },
): Promise<void> {
  const told = await trx
    .selectFrom('projectEvents')
    .select('id')
    .where('deploymentId', '=', deploymentId)
    .where('kind', 'in', ['crashed', 'out-of-memory'])
    .limit(1)
    .executeTakeFirst();
  if (!told) await recordEvent(trx, { projectId, deploymentId, kind: 'crashed', message: error });
}

function endSentence(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`;
}
