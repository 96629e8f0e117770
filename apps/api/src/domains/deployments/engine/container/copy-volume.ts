import type { IncomingMessage } from 'node:http';
import type Docker from 'dockerode';
import { isAway, isMissing } from './daemon.ts';
import { EMPTY_IMAGE } from './names.ts';
import { removeContainer } from './open-container.ts';

/** Where a volume is in a container of ours. */
const PLACE = '/disk';
/** Bytes: the two blocks of zeros that end a tar archive (POSIX.1-2001). */
const EMPTY_ARCHIVE = 1024;

export interface VolumeCopy {
  /** Names of volumes; the second is empty. */
  from: string;
  to: string;
  /** Of the containers by which they are reached. */
  labels: Record<string, string>;
  signal: AbortSignal;
}

/**
 * Copies what is in a volume with its owners, modes and links, through containers that are never started: whatever image
 * an app has, and wherever its daemon keeps volumes.
 */
export async function copyVolume(docker: Docker, { from, to, labels, signal }: VolumeCopy): Promise<void> {
  const source = await showVolume(docker, from, labels);
  let archive: IncomingMessage | undefined;
  try {
    const target = await showVolume(docker, to, labels);
    try {
      signal.throwIfAborted();
      // The typings know less of an answer to an HTTP request, and no signal.
      archive = (await source.getArchive({ path: PLACE })) as IncomingMessage;
      const options = { path: '/', abortSignal: signal };
      await target.putArchive(archive, options);
    } finally {
      // Docker does not remove a container before its archive has ended.
      archive?.destroy();
      await removeContainer(target);
    }
  } catch (error) {
    signal.throwIfAborted();
    await explainCut(docker, error);
  } finally {
    await removeContainer(source);
  }
}

/** A daemon that cannot write any more hangs up before it has read all: it is not away. */
async function explainCut(docker: Docker, error: unknown): Promise<never> {
  if (!isAway(error)) throw error;
  await docker.ping();
  throw new Error('Docker stopped writing. Is there room left on its disk?');
}

async function showVolume(
  docker: Docker,
  volume: string,
  labels: Record<string, string>,
): Promise<Docker.Container> {
  const options = {
    Image: `${EMPTY_IMAGE.repo}:${EMPTY_IMAGE.tag}`,
    Cmd: ['none'],
    NetworkDisabled: true,
    Labels: labels,
    HostConfig: { Mounts: [{ Type: 'volume' as const, Source: volume, Target: PLACE }] },
  };
  try {
    return await docker.createContainer(options);
  } catch (error) {
    if (!isMissing(error)) throw error;
    const imported = await docker.importImage(Buffer.alloc(EMPTY_ARCHIVE) as never, EMPTY_IMAGE);
    for await (const _ of imported as AsyncIterable<unknown>);
    return docker.createContainer(options);
  }
}
