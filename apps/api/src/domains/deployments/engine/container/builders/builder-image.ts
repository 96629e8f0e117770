import { createHash } from 'node:crypto';
import type Docker from 'dockerode';
import { pack } from 'tar-stream';
import type { Settings } from '../../../../../core/settings.ts';
import { onDebianImage } from '../../dockerfile/base-image.ts';
import { proxyVariables } from '../environment.ts';
import { findImage } from '../images.ts';

/** Its daemon builds, and `docker` leads to it. */
const DOCKERFILE = `FROM debian:trixie-slim
RUN apt-get update \\
  && apt-get install --yes --no-install-recommends ca-certificates docker.io docker-cli iptables \\
  && rm -rf /var/lib/apt/lists/*
`;

/** The name of the image that builders run; another Dockerfile gives another one. */
export function builderImage({ baseImages }: Pick<Settings, 'baseImages'>): string {
  const text = onDebianImage(DOCKERFILE, baseImages);
  return `nephos/builder:${createHash('sha256').update(text).digest('hex').slice(0, 12)}`;
}

export interface BuilderImageOptions {
  settings: Pick<Settings, 'baseImages' | 'hostEnvironment'>;
  /** Bytes that making it may use. */
  memory: number;
  signal: AbortSignal;
}

const MAX_SAID = 200;

/**
 * Makes the image that builders run where the daemon does not have it, and answers its id. Throws an error whose message
 * completes a sentence: 'could not be made (…)'.
 */
export async function makeBuilderImage(
  docker: Docker,
  { settings, memory, signal }: BuilderImageOptions,
): Promise<string> {
  const name = builderImage(settings);
  const known = await findImage(docker, name);
  if (known) return known.id;
  const archive = pack();
  archive.entry({ name: 'Dockerfile' }, onDebianImage(DOCKERFILE, settings.baseImages));
  archive.finalize();
  // It is a stream, of which the typings know less.
  const stream = await docker.buildImage(archive as unknown as NodeJS.ReadableStream, {
    // Whoever deletes it wants newer packages.
    ...{ t: name, nocache: true, forcerm: true, memory, memswap: memory, abortSignal: signal },
    buildargs: proxyVariables(settings),
  });
  await new Promise<void>((resolve, reject) => {
    let refusal: string | undefined;
    docker.modem.followProgress(
      stream,
      (error) => {
        if (error || refusal !== undefined) reject(error ?? new Error(refusal));
        else resolve();
      },
      ({ error }: { error?: string }) => {
        refusal ??= error?.slice(0, MAX_SAID);
      },
    );
  });
  const made = await findImage(docker, name);
  if (!made) throw new Error('Docker has lost it');
  return made.id;
}
