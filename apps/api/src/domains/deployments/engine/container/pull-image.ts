import { imageReferenceOf, readImageName } from '@nephos/contracts';
import type { Settings } from '../../../../core/settings.ts';
import { byteSize } from '../../../../platform/byte-size.ts';
import { duration } from '../../../../platform/duration.ts';
import type { Resolve } from '../../../../platform/public-address.ts';
import type { JobImage, LogWriter } from '../engine.ts';
import { aborted } from '../instances/exit.ts';
import type { Limits } from '../limits.ts';
import type { BuildOptions } from '../runtime.ts';
import { checkRegistry } from '../source/image-address.ts';
import { StepFailure } from '../step-failure.ts';
import { type Daemon, isAway } from './daemon.ts';
import { findImage, type Image, keepImage, removeImage } from './images.ts';

export interface PullParts {
  daemon: Daemon;
  settings: Settings;
  limits: Limits;
  resolve: Resolve;
}

/** A line of the daemon's account of a pull (ImageCreate of the Engine API). */
interface PullEvent {
  id?: string;
  status?: string;
  error?: string;
  progressDetail?: { total?: number };
}

export interface Pulled {
  image: Image;
  /** `name@sha256:…`, by the digest that the registry has it by. */
  pinned: string;
}

/**
 * Pulls a deployment's image and keeps it for its release. Throws `StepFailure` of the step pull, or the signal's
 * reason.
 */
export async function pullImage(
  parts: PullParts,
  { job, log, signal }: Pick<BuildOptions, 'job' | 'log' | 'signal'>,
  { reference, credentials }: JobImage,
): Promise<Pulled> {
  await job.onProgress({ status: 'building', step: 'pull' });
  const kept = { projectId: job.projectId, release: job.deploymentId };
  return pullInto(parts, kept, { reference, credentials }, { log, signal });
}

/**
 * Pulls an image and keeps it for a release of a project. Throws `StepFailure` of the step pull, or the signal's reason.
 */
export async function pullInto(
  parts: PullParts,
  kept: { projectId: string; release: string },
  { reference, credentials }: JobImage,
  { log, signal }: { log: Pick<LogWriter, 'write' | 'system'>; signal: AbortSignal },
): Promise<Pulled> {
  const name = readImageName(reference);
  if (!name) throw refused(`${reference} is not the name of an image`);
  log.system(`Pulling ${reference}.`);
  const { settings, resolve, limits } = parts;
  if (name.host !== settings.publicUrl.host)
    await checkRegistry(name, { allowPrivate: settings.allowPrivateRepositories, resolve });
  const full = imageReferenceOf(name);
  const timeout = AbortSignal.timeout(limits.buildTime);
  const cut = AbortSignal.any([signal, timeout]);
  try {
    return await inTurn(full, cut, () =>
      borrowName(parts.daemon, full, async () => {
        const digest = await pull(parts, { full, credentials, log, signal: cut });
        const image = await findImage(parts.daemon.docker, full);
        if (!image) throw refused(`${reference} was pulled, but is not there`);
        assertRuns(parts, reference, image);
        await keepImage(parts.daemon, { ...kept, id: image.id });
        return { image, pinned: imageReferenceOf({ ...name, tag: '', digest }) };
      }),
    );
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    if (timeout.aborted) throw refused(`${reference} took more than ${duration(limits.buildTime)}`);
    return explain(parts, reference)(error);
  }
}

/** The last pull of each name. Two of one would take the name from each other. */
const pulls = new Map<string, Promise<unknown>>();

async function inTurn<T>(name: string, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  const before = pulls.get(name) ?? Promise.resolve();
  const result = Promise.race([before, aborted(signal)]).then(work);
  const settled = Promise.allSettled([before, result]).then(() => {
    if (pulls.get(name) === settled) pulls.delete(name);
  });
  pulls.set(name, settled);
  return result;
}

/** Takes a name off this machine again, whatever comes of the work. What somebody else pulled here is theirs. */
async function borrowName<T>(daemon: Daemon, name: string, work: () => Promise<T>): Promise<T> {
  const wasHere = (await findImage(daemon.docker, name)) !== undefined;
  try {
    return await work();
  } finally {
    if (!wasHere) await removeImage(daemon.docker, name).catch(() => {});
  }
}

function assertRuns({ daemon, limits }: PullParts, reference: string, image: Image): void {
  if (image.architecture !== daemon.architecture())
    throw refused(
      `${reference} is built for ${image.architecture}, and this server's processor is ${daemon.architecture()}`,
    );
  if (image.size > limits.buildBytes) throw refused(tooLarge(reference, limits));
}

function tooLarge(reference: string, { buildBytes }: Limits): string {
  return `${reference} is larger than ${byteSize(buildBytes)}`;
}

async function pull(
  { daemon: { docker }, limits }: PullParts,
  {
    full,
    credentials,
    log,
    signal,
  }: { full: string; log: Pick<LogWriter, 'write'>; signal: AbortSignal } & Pick<JobImage, 'credentials'>,
): Promise<string> {
  const options = {
    abortSignal: signal,
    ...(credentials && { authconfig: { ...credentials, serveraddress: '' } }),
  };
  const stream: NodeJS.ReadableStream = await docker.pull(full, options);
  const sizes = new Map<string, number>();
  let digest = '';
  await new Promise<void>((resolve, reject) => {
    const onEvent = ({ id = '', status = '', error, progressDetail }: PullEvent) => {
      // The stream ends well then, too.
      if (error !== undefined) reject(new Error(error));
      digest = /^Digest: (\S+)$/.exec(status)?.[1] ?? digest;
      if (progressDetail?.total) sizes.set(id, progressDetail.total);
      const bytes = [...sizes.values()].reduce((sum, size) => sum + size, 0);
      if (bytes > limits.buildBytes) reject(refused(tooLarge(full, limits)));
      if (/^(Pull complete|Already exists)$/.test(status)) log.write('stdout', `${id}: ${status}\n`);
      else if (/^(Digest|Status): /.test(status)) log.write('stdout', `${status}\n`);
    };
    const onEnd = (error: Error | null) => (error ? reject(error) : resolve());
    docker.modem.followProgress(stream, onEnd, onEvent);
  }).finally(() => {
    if ('destroy' in stream && typeof stream.destroy === 'function') stream.destroy();
  });
  signal.throwIfAborted();
  if (digest === '') throw refused(`Docker stopped pulling ${full}`);
  return digest;
}

function refused(why: string): StepFailure {
  return new StepFailure('pull', `Failed to pull the image: ${why}.`);
}

/** What registries and the daemon say, in words for a person; the first that fits. */
const CAUSES: readonly [RegExp, (reference: string) => string][] = [
  [/no matching manifest for (\S+)/, (image) => `${image} is not built for this server's processor`],
  [
    /no basic auth|unauthorized|authentication required|denied|incorrect username/i,
    (image) => `${image} does not exist, or its registry refuses the credentials`,
  ],
  [/manifest unknown|not found|does not exist|name unknown/i, (image) => `${image} does not exist`],
  [/toomanyrequests|too many requests/i, () => 'its registry takes no more requests for now'],
  [
    /no such host|connection refused|no route|i\/o timeout|deadline exceeded|network is unreachable|EOF/i,
    (image) => `the registry of ${image} did not respond`,
  ],
  [
    /x509|certificate|server gave HTTP response to HTTPS client/i,
    (image) => `the registry of ${image} has no certificate that Docker trusts`,
  ],
  [/no space left/i, () => "this server's disk is full"],
];

function explain({ daemon }: PullParts, reference: string): (error: unknown) => never {
  return (error) => {
    if (error instanceof StepFailure || !(error instanceof Error)) throw error;
    if (isAway(error)) throw refused(daemon.away.replace(/\.$/, ''));
    const [, cause] = CAUSES.find(([pattern]) => pattern.test(error.message)) ?? [];
    if (cause) throw refused(cause(reference));
    throw refused(`${reference}: ${error.message.replace(/\.$/, '')}`);
  };
}
