import type { IncomingMessage } from 'node:http';
import type Docker from 'dockerode';
import { loadImages } from '../load-images.ts';

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
  const [id = name] = await loadImages(to, archive, signal);
  return id;
}
