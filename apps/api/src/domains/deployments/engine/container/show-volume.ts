import type Docker from 'dockerode';
import { isMissing } from './daemon.ts';
import { EMPTY_IMAGE } from './names.ts';

/** Where a volume is in a container of ours. */
export const PLACE = '/disk';
/** Bytes: the two blocks of zeros that end a tar archive (POSIX.1-2001). */
const EMPTY_ARCHIVE = 1024;

/** The volume to show: one by its name, or one that is made for the container and goes with it. */
type Shown = Pick<Docker.MountSettings, 'VolumeOptions'> & { Source?: string };

/**
 * Makes a container that is never started, by which files of a volume are read and written: whatever image an app has, and
 * wherever its daemon keeps volumes.
 */
export async function showVolume(
  docker: Docker,
  volume: Shown,
  labels: Record<string, string>,
): Promise<Docker.Container> {
  const options = {
    Image: `${EMPTY_IMAGE.repo}:${EMPTY_IMAGE.tag}`,
    Cmd: ['none'],
    NetworkDisabled: true,
    Labels: labels,
    // The typings want a source of each.
    HostConfig: { Mounts: [{ ...volume, Type: 'volume', Target: PLACE } as Docker.MountSettings] },
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
