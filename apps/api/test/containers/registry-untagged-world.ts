import { randomBytes, randomUUID } from 'node:crypto';
import type { ImageRepository, UntaggedImage } from '@nephos/contracts';
import { expect } from 'vitest';
import { faultsOf, type Made, makeImage, pushMade, usedBytes } from './registry-space-world.ts';
import { createRegistryWorld, type RegistryWorld } from './registry-world.ts';

export const random = () => randomBytes(1000);
export const newImage = (subject?: Made) => makeImage(random(), [random()], subject);
export const newName = () => `ada/${randomUUID()}`;
export const sizeOf = (...parts: (Made | Buffer)[]) =>
  parts.reduce((sum, part) => sum + (Buffer.isBuffer(part) ? part.length : part.content.length), 0);
/** Bytes of images with their blobs, if they share none. */
export const whole = (...images: Made[]) => sizeOf(...images, ...images.flatMap(({ blobs }) => blobs));

/** Ada's registry, as one looks at what is untagged there. */
export interface UntaggedWorld extends RegistryWorld {
  push(name: string, made: Made, tag?: string): Promise<void>;
  faults(name: string, reference: string): Promise<string[]>;
  used(): Promise<number>;
  containers: RegistryWorld['ada']['rpc']['containers'];
  repositoryOf(name: string): Promise<ImageRepository>;
  untaggedOf(name: string): Promise<UntaggedImage[]>;
  /** Deletes all that is untagged, and expects that what was announced is what it answers, and what it frees. */
  removeAll(name: string): Promise<ImageRepository['untagged']['deletion']>;
}

export async function createUntaggedWorld(): Promise<UntaggedWorld> {
  const registry = await createRegistryWorld();
  const { containers } = registry.ada.rpc;
  const used = () => usedBytes(registry.world, registry.ada);

  async function repositoryOf(name: string): Promise<ImageRepository> {
    const found = (await containers.repositories.query()).find((repository) => repository.name === name);
    if (!found) throw new Error(`${name} is not listed`);
    return found;
  }

  return {
    ...registry,
    containers,
    used,
    repositoryOf,
    push: (name, made, tag) => pushMade(registry.asAda, name, made, tag),
    faults: (name, reference) => faultsOf(registry.asAda, name, reference),
    untaggedOf: async (name) => containers.untagged.query({ id: (await repositoryOf(name)).id }),
    async removeAll(name) {
      const { id, untagged } = await repositoryOf(name);
      const before = await used();
      expect(await containers.removeUntagged.mutate({ id })).toEqual(untagged.deletion);
      expect(before - (await used())).toBe(untagged.deletion.size);
      const nothing = { manifests: 0, blobs: 0, size: 0 };
      expect(await containers.removeUntagged.mutate({ id })).toEqual(nothing);
      return untagged.deletion;
    },
  };
}
