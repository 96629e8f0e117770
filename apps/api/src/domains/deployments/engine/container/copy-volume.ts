import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import type Docker from 'dockerode';
import { syncFileSystem } from '../backup-files.ts';
import { loggable } from '../mount-failure.ts';
import { isAway } from './daemon.ts';
import { findVolume, hostFolder } from './disk-volumes.ts';
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
export async function copyVolume(docker: Docker, { from, ...copy }: VolumeCopy): Promise<void> {
  const source = await showVolume(docker, { Source: from }, copy.labels);
  try {
    // The typings know less of an answer to an HTTP request.
    const archive = (await source.getArchive({ path: PLACE })) as IncomingMessage;
    await fillVolume(docker, { ...copy, archive });
  } finally {
    await removeContainer(source);
  }
}

/** Puts an archive of a volume, as Docker makes them, into one that is empty. */
export async function fillVolume(
  docker: Docker,
  { archive, to, labels, signal }: Omit<VolumeCopy, 'from'> & { archive: Readable },
): Promise<void> {
  try {
    const target = await showVolume(docker, { Source: to }, labels);
    try {
      signal.throwIfAborted();
      // The typings know no signal.
      const options = { path: '/', abortSignal: signal };
      await target.putArchive(archive, options);
    } finally {
      // Docker does not remove a container before its archive has ended.
      archive.destroy();
      await removeContainer(target);
    }
  } catch (error) {
    signal.throwIfAborted();
    await explainCut(docker, error);
  } finally {
    archive.destroy();
  }
}

/** Docker does not wait for the disk, and what vouches for a copy does. A share is written when it is unmounted. */
export async function syncVolume(docker: Docker, name: string): Promise<void> {
  const found = await findVolume(docker, name);
  const folder = found && (await hostFolder(found));
  if (folder !== undefined) await syncFileSystem(folder);
}

/** A daemon that cannot write any more hangs up before it has read all: it is not away. */
async function explainCut(docker: Docker, error: unknown): Promise<never> {
  if (!isAway(error)) throw loggable(error);
  await docker.ping();
  throw new Error('Docker stopped writing. Is there room left on its disk?');
}
