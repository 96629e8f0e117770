import { join } from 'node:path';
import { persistently } from '../../platform/persistently.ts';
import { openKey } from '../deploy-keys/project-key.ts';
import { type FindRecipe, recipeName } from '../projects/find-recipe.ts';
import { runSettingsOf } from '../projects/read.ts';
import { credentialsFor } from '../projects/repository-credentials.ts';
import { isTrusted } from '../projects/runnable.ts';
import { readOwner } from '../workspaces/workspace-columns.ts';
import { disksOf } from './app-disks.ts';
import type { AppLog, AppLogs } from './app-log.ts';
import {
  type Attempt,
  claim,
  failExhausted,
  giveBack,
  isUnwanted,
  recordEnd,
  recordProgress,
  recordSwitch,
  SERVER_FAULT,
  SERVER_STOPPED,
} from './attempt.ts';
import { DEPLOYMENT_CANCEL } from './channels.ts';
import type { DeploymentEngine, DeploymentJob, DeploymentOutcome, LogWriter } from './engine/engine.ts';
import { StepFailure } from './engine/step-failure.ts';
import { openVariables } from './kept-variables.ts';
import { secretsOf } from './live.ts';
import { maskText } from './mask.ts';
import { type ImageParts, imageTarget, prepareImage } from './prepare-image.ts';
import { type PrepareParts, prepareVariables } from './prepare-variables.ts';
import { recipeOf, whyNotBuilt } from './recipe-builds.ts';
import { CANCELLED } from './service.ts';

export interface RunParts extends PrepareParts, ImageParts {
  appLogs: Pick<AppLogs, 'open'>;
  engine: Pick<DeploymentEngine, 'run'>;
  /** Holds the sources of the marketplace's apps, a folder each. */
  recipes: string;
  findRecipe: FindRecipe;
}

/**
 * Runs one deployment to its end and records it. Rejects when it was interrupted (`signal`: this process stops, or
 * another took the job over) and is to run again.
 */
export async function runDeployment(
  parts: RunParts,
  { id, projectId }: { id: string; projectId: string },
  signal: AbortSignal,
): Promise<void> {
  const { db } = parts;
  const attempt = await claim(db, id);
  if (!attempt) return failExhausted(parts, { id, projectId });
  const cancelling = watchCancel(parts, attempt);
  try {
    const both = AbortSignal.any([signal, cancelling.signal]);
    const prepared = await prepareVariables(parts, attempt, both);
    if ('outcome' in prepared) {
      return await record(parts, attempt, { ...prepared, wasCancelled: cancelling.signal.aborted });
    }
    const job = await jobOf(parts, attempt, openVariables(parts.secrets, prepared.attempt));
    if (!job) return;
    const writer = parts.appLogs.open({
      projectId: job.projectId,
      deploymentId: id,
      secrets: () => secretsOf(parts, id),
      live: false,
    });
    if (attempt.attempts > 1) writer.system(`${SERVER_STOPPED} Retrying.`);
    else if (attempt.cause) writer.system(`${attempt.cause}.`);
    const outcome = await runJob(parts, attempt, { job: switching(job, writer), writer, signal: both });
    await record(parts, attempt, { outcome, writer, wasCancelled: cancelling.signal.aborted });
  } finally {
    cancelling.end();
  }
}

/** A job whose image is yet to be looked up. */
type Job = Omit<DeploymentJob, 'image'>;

async function runJob(
  parts: RunParts,
  attempt: Attempt,
  { job, writer, signal }: { job: Job; writer: AppLog; signal: AbortSignal },
): Promise<DeploymentOutcome> {
  try {
    assertBuildable(parts, attempt);
    const image = await persistently(() => prepareImage(parts, attempt));
    return await parts.engine.run({ ...job, image }, writer, signal);
  } catch (error) {
    if (error instanceof StepFailure) {
      writer.system(error.message);
      return { status: 'failed', step: error.step, error: error.message };
    }
    parts.log.error({ err: error, deployment: attempt.id }, 'the engine failed');
    const firstStep = attempt.image ? 'pull' : 'clone';
    return { status: 'failed', step: attempt.step ?? firstStep, error: SERVER_FAULT };
  }
}

/** Throws `StepFailure` where it was asked for when the marketplace had another version of the app. */
function assertBuildable({ findRecipe }: RunParts, attempt: Attempt): void {
  const recipe = attempt.kind === 'deploy' && recipeOf(attempt);
  const reason = recipe && whyNotBuilt(findRecipe, recipe);
  if (reason) throw new StepFailure('clone', reason);
}

/** Tells the log when requests go to the deployment. */
function switching(job: Job, writer: AppLog): Job {
  return {
    ...job,
    async onSwitch() {
      await job.onSwitch();
      writer.switched();
    },
  };
}

async function record(
  parts: RunParts,
  attempt: Attempt,
  { outcome, writer, wasCancelled }: { outcome: DeploymentOutcome; writer: LogWriter; wasCancelled: boolean },
): Promise<void> {
  // The log stays with the engine, which goes on writing the app's output to it.
  if (outcome.status === 'running') return;
  // Closed before the end is recorded: whoever sees the end can read the whole log.
  await writer.close();
  if (outcome.status === 'failed') {
    const { status, step, error: raw } = outcome;
    // A cause may quote what a program wrote.
    const error = maskText(raw, await persistently(() => secretsOf(parts, attempt.id)));
    await persistently(() => recordEnd(parts, attempt, { status, step, error }));
  } else if (outcome.status === 'cancelled' && wasCancelled) {
    await persistently(() => recordEnd(parts, attempt, { status: 'cancelled', error: CANCELLED }));
  } else {
    await giveBack(parts.db, attempt);
    throw new Error('The deployment was interrupted and will run again.');
  }
}

/** What the engine needs to know; nothing when the project was deleted meanwhile. */
async function jobOf(
  parts: RunParts,
  attempt: Attempt,
  { variables, buildVariables }: Pick<DeploymentJob, 'variables' | 'buildVariables'>,
): Promise<Job | undefined> {
  const { db } = parts;
  const { id, projectId, framework, repositoryUrl, template, branch, healthPath, rollbackOf } = attempt;
  const recipe = recipeOf(attempt);
  const project = await db
    .selectFrom('projects')
    .select(['slug', 'account', 'id', 'repositoryCredentials'])
    .where('id', '=', projectId)
    .executeTakeFirst();
  const owner = await readOwner(db, attempt.ownerId);
  if (!project || !owner) return undefined;
  const { slug, account } = project;
  return {
    deploymentId: id,
    projectId,
    ...{ slug, account },
    framework,
    repositoryUrl,
    pushed: attempt.pushed ? { commit: attempt.commit } : null,
    repositoryCredentials: credentialsFor(parts.secrets, project, repositoryUrl),
    deployKey: await openKey(db, parts.secrets, projectId),
    template,
    recipe: recipe && {
      ...recipe,
      name: recipeName(parts.findRecipe, recipe.id),
      folder: join(parts.recipes, recipe.id),
    },
    branch,
    healthPath,
    settings: runSettingsOf(attempt.runSettings),
    disks: await disksOf(db, projectId),
    rollbackOf,
    buildsApart: !isTrusted(parts.settings, owner),
    ...{ clearCache: attempt.clearCache, savesDisks: attempt.savesDisks },
    variables,
    buildVariables,
    imageTarget: () => persistently(() => imageTarget(parts, attempt)),
    onProgress: (progress) => persistently(() => recordProgress(parts, attempt, progress)),
    onSwitch: () => persistently(() => recordSwitch(parts, attempt)),
  };
}

/** A signal that aborts when someone cancels the deployment or deletes its project. */
function watchCancel({ db, notifications, log }: RunParts, { id, projectId }: Attempt) {
  const controller = new AbortController();
  const check = async () => {
    try {
      if (await isUnwanted(db, id)) controller.abort();
    } catch (error) {
      log.warn({ err: error, deployment: id }, 'could not ask whether a deployment was cancelled');
    }
  };
  const end = notifications.subscribe(
    DEPLOYMENT_CANCEL,
    (subject) => {
      if (subject === id || subject === projectId) controller.abort();
    },
    () => void check(),
  );
  void check();
  return { signal: controller.signal, end };
}
