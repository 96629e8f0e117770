import { isIP } from 'node:net';
import type { ImageName } from '@nephos/contracts';
import { isPublicAddress, type Resolve, unbracketed } from '../../../../platform/public-address.ts';
import { StepFailure } from '../step-failure.ts';
import { faultOfAddress, notPublic } from './repository-address.ts';

type RegistryName = Pick<ImageName, 'host' | 'path'>;

/**
 * Why an image's registry is refused wherever its name may lead, to stand in a sentence; undefined for one that only a
 * look-up can still refuse. The rules are those of repositories: https at a public address, unless `allowPrivate`.
 */
export function faultOfRegistry({ host, path }: RegistryName, allowPrivate: boolean): string | undefined {
  return faultOfAddress(`https://${host}/${path}`, allowPrivate);
}

/**
 * Looks where a registry's name leads. One that is not found is left to whoever pulls, who may have a mirror of it.
 * Throws `StepFailure` of the step pull.
 */
export async function checkRegistry(
  name: RegistryName,
  { allowPrivate, resolve }: { allowPrivate: boolean; resolve: Resolve },
): Promise<void> {
  const fault =
    faultOfRegistry(name, allowPrivate) ?? (allowPrivate ? undefined : await lookUp(name, resolve));
  if (fault !== undefined) throw new StepFailure('pull', `Failed to pull the image: ${fault}.`);
}

async function lookUp({ host }: RegistryName, resolve: Resolve): Promise<string | undefined> {
  const name = unbracketed(new URL(`https://${host}`).hostname);
  const addresses = isIP(name) ? [name] : await resolve(name).catch(() => []);
  return addresses.every(isPublicAddress) ? undefined : notPublic(name);
}
