import type Docker from 'dockerode';
import { isAway } from '../container/daemon.ts';
import type { JobImage } from '../engine.ts';
import { aborted } from '../instances/exit.ts';

/** Milliseconds that a registry has to say so. */
const PATIENCE_MS = 10_000;

/** Whether an image's registry has it, by what Docker hears from that. Throws where Docker itself is away. */
export async function isInRegistry(
  docker: Docker,
  { reference, credentials }: JobImage,
  patience = PATIENCE_MS,
): Promise<boolean> {
  const timeout = AbortSignal.timeout(patience);
  try {
    const asked = docker.getImage(reference).distribution(credentials ? { authconfig: credentials } : {});
    await Promise.race([asked, aborted(timeout)]);
    return true;
  } catch (error) {
    if (!timeout.aborted && isAway(error)) throw error;
    return false;
  }
}
