import type { Readable } from 'node:stream';
import type Docker from 'dockerode';

interface LoadEvent {
  stream?: string;
  error?: string;
}

/** What a daemon says of an archive that it does not load. */
export class Refused extends Error {
  override readonly name = 'Refused';
}

/**
 * Has a daemon load an archive of images; the result is the ids of those without a name. Throws `Refused`, or the signal's
 * reason.
 */
export async function loadImages(docker: Docker, archive: Readable, signal: AbortSignal): Promise<string[]> {
  try {
    const loaded = await docker.loadImage(archive, { quiet: true, abortSignal: signal });
    const events = await followed(docker, loaded);
    const refusal = events.find(({ error }) => error !== undefined)?.error;
    if (refusal !== undefined) throw new Refused(refusal);
    return events.flatMap(({ stream = '' }) => /^Loaded image ID: (\S+)/.exec(stream)?.[1] ?? []);
  } catch (error) {
    signal.throwIfAborted();
    throw error;
  } finally {
    // Nothing else ends it where the request fails.
    archive.destroy();
  }
}

function followed(docker: Docker, stream: NodeJS.ReadableStream): Promise<LoadEvent[]> {
  return new Promise((resolve, reject) => {
    docker.modem.followProgress(stream, (error, events) => (error ? reject(error) : resolve(events)));
  });
}
