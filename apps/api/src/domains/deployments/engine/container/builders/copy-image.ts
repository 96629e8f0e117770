import type { IncomingMessage } from 'node:http';
import type Docker from 'dockerode';

interface LoadEvent {
  stream?: string;
  error?: string;
}

/**
 * Copies an image, with the name that it is asked for by, from one daemon to another, and answers its id there. Throws the
 * signal's reason, or what a daemon says.
 */
export async function copyImage(
  { from, to }: { from: Docker; to: Docker },
  name: string,
  signal: AbortSignal,
): Promise<string> {
  signal.throwIfAborted();
  // The typings know less of an answer to an HTTP request.
  const archive = (await from.getImage(name).get()) as IncomingMessage;
  const cut = () => archive.destroy(signal.reason);
  signal.addEventListener('abort', cut, { once: true });
  try {
    const loaded = await to.loadImage(archive);
    const events = await followed(to, loaded);
    const refusal = events.find(({ error }) => error !== undefined)?.error;
    if (refusal !== undefined) throw new Error(refusal);
    const ids = events.flatMap(({ stream = '' }) => /^Loaded image ID: (\S+)/.exec(stream)?.[1] ?? []);
    return ids[0] ?? name;
  } catch (error) {
    signal.throwIfAborted();
    throw error;
  } finally {
    signal.removeEventListener('abort', cut);
    archive.destroy();
  }
}

function followed(docker: Docker, stream: NodeJS.ReadableStream): Promise<LoadEvent[]> {
  return new Promise((resolve, reject) => {
    docker.modem.followProgress(stream, (error, events) => (error ? reject(error) : resolve(events)));
  });
}
