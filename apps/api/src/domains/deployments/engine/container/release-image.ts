import { setTimeout as wait } from 'node:timers/promises';
import type { DeployedApp, JobImage, LogWriter } from '../engine.ts';
import { releaseFolders } from '../folders.ts';
import type { StartOptions } from '../runtime.ts';
import { StepFailure } from '../step-failure.ts';
import type { ContainerParts } from './container-parts.ts';
import { type ContainerServe, findReleaseImage, type Image } from './images.ts';
import { loadKeptImage } from './kept-image.ts';
import { pullInto } from './pull-image.ts';

export interface ReleaseImageOptions {
  app: Pick<DeployedApp, 'projectId' | 'deploymentId' | 'rollbackOf'>;
  serve: ContainerServe;
  /** Is told of a pull. */
  log?: Pick<LogWriter, 'write' | 'system'>;
  patient?: boolean;
  signal?: AbortSignal;
}

const UNHEARD: Pick<LogWriter, 'write' | 'system'> = { write() {}, system() {} };

/**
 * The image of an app's release, which comes from its registry again where this machine has lost it. Throws
 * `StepFailure`, or the signal's reason.
 */
export async function releaseImage(
  parts: ContainerParts,
  { app, serve, log = UNHEARD, patient = false, signal = new AbortController().signal }: ReleaseImageOptions,
): Promise<Image> {
  const release = app.rollbackOf ?? app.deploymentId;
  const { image: file } = releaseFolders(parts.root, app.projectId, release);
  const find = () => findReleaseImage(parts.daemon, app, serve);
  const refusal = await loadKeptImage({ docker: parts.daemon.docker, file, find }, signal);
  const found = await find();
  if (found) return found;
  const refused = refusal && ` Docker refuses the one that a restore has left: ${refusal}.`;
  const source = await sourceOf(parts, { app, patient, signal });
  if (!source) {
    throw new StepFailure(
      'start',
      `Start failed: the image ${serve.image} is not on this server any more.${refused} Deploy again.`,
    );
  }
  log.system(`The image is not on this server any more.${refused}`);
  const { image } = await pullInto(parts, { projectId: app.projectId, release }, source, { log, signal });
  return image;
}

const AWAY_MS = 500;

/**
 * Where the image of an app's release is pulled from; null where no registry has it. A database that is away for a moment
 * is no fault of the app's, and of a start that nobody waits for no failure.
 */
export async function sourceOf(
  { imageOf }: Pick<ContainerParts, 'imageOf'>,
  {
    app,
    patient,
    signal,
  }: Pick<StartOptions, 'patient' | 'signal'> & { app: Pick<DeployedApp, 'deploymentId' | 'rollbackOf'> },
): Promise<JobImage | null> {
  for (;;) {
    try {
      return await imageOf(app);
    } catch (error) {
      if (!patient || error instanceof StepFailure) throw error;
      await wait(AWAY_MS, undefined, { signal });
    }
  }
}
