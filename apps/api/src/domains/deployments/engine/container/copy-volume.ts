import type { IncomingMessage } from 'node:http';
import type Docker from 'dockerode';
import { isAway } from './daemon.ts';
import { removeContainer } from './open-container.ts';
import { PLACE, showVolume } from './show-volume.ts';

export interface VolumeCopy {
  /** Names of volumes; the second is empty. */
  from: string;
  to: string;
  /** Of the containers by which they are reached. */
  labels: Record<string, string>;
  signal: AbortSignal;
}

/** Copies what is in a volume with its owners, modes and links. */
export async function copyVolume(docker: Docker, { from, to, labels, signal }: VolumeCopy): Promise<void> {
  const source = await showVolume(docker, { Source: from }, labels);
  let archive: IncomingMessage | undefined;
  try {
    const target = await showVolume(docker, { Source: to }, labels);
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
