import type Docker from 'dockerode';
import { type BaseImages, settingOf } from '../../dockerfile/base-image.ts';
import type { LogWriter } from '../../engine.ts';
import { copyImage } from '../builders/copy-image.ts';
import { findImage } from '../images.ts';

const BEGINNINGS = [/^[ \t]*FROM[ \t]+(?:--\S+[ \t]+)*(\S+)/gim, /\bfrom=([^\s,]+)/gi];

/** Images that a Dockerfile names, as it writes them; a name may be another stage's, or hold variables. */
export function imagesIn(dockerfile: string): string[] {
  const named = BEGINNINGS.flatMap((shape) => [...dockerfile.matchAll(shape)]);
  return [...new Set(named.flatMap(([, name]) => name?.replace(/^["']|["']$/g, '') ?? []))];
}

interface HandOver {
  dockerfile: string;
  images: BaseImages;
  log: Pick<LogWriter, 'system'>;
  signal: AbortSignal;
}

/**
 * Copies base images to a builder that this machine has: of those that a Dockerfile names none but such as the settings
 * name, since others may be anybody's.
 */
export async function handOverImages(
  { from, to }: { from: Docker; to: Docker },
  { dockerfile, images, log, signal }: HandOver,
): Promise<void> {
  const named = imagesIn(dockerfile);
  const known = named.some((name) => name.includes('$')) ? await namesOf(from) : [];
  for (const name of new Set([...named, ...known])) {
    if (!settingOf(name, images)) continue;
    const image = await findImage(from, name);
    if (!image || (await findImage(to, name))?.id === image.id) continue;
    log.system(`Handing ${name} to the builder.`);
    await copyImage({ from, to }, name, signal);
  }
}

async function namesOf(docker: Docker): Promise<string[]> {
  return (await docker.listImages()).flatMap(({ RepoTags }) => RepoTags ?? []);
}
