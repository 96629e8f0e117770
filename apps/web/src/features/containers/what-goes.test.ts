import type { ContainerImageDetail } from '@nephos/contracts';
import { expect, it } from 'vitest';
import { idOf, mockImage } from '../../test/mock-world.ts';
import { whatGoes } from './what-goes.ts';

const NOTHING = { manifests: 0, blobs: 0, size: 0 };

function imageWith(
  deletion: ContainerImageDetail['deletion'],
  { same = [], ...changes }: Partial<ContainerImageDetail> & { same?: string[] } = {},
): ContainerImageDetail {
  const image = { ...mockImage(), ...changes };
  const tags = [
    image,
    mockImage({ id: idOf(803), tag: 'else', digest: `sha256:${'00'.repeat(32)}` }),
    ...same.map((tag, n) => ({ ...image, id: idOf(810 + n), tag })),
  ];
  return { ...image, repositoryId: idOf(850), tags, platforms: [], referrers: [], deletion };
}

it.each<[string, ContainerImageDetail]>([
  [
    'Its manifest and 4 layers and configs that no other image uses are deleted too; 84.00 MB are freed.',
    imageWith({ manifests: 1, blobs: 4, size: 84 * 1024 ** 2 }),
  ],
  [
    'Its 3 manifests, signatures and the like included, and one layer or config that no other image uses are deleted too; 2.00 KB are freed.',
    imageWith({ manifests: 3, blobs: 1, size: 2048 }),
  ],
  [
    'Its manifest is deleted too; 512 B are freed. Its layers stay, since other images use them.',
    imageWith({ manifests: 1, blobs: 0, size: 512 }),
  ],
  ['Only the name goes: the same image stays as v1.', imageWith(NOTHING, { same: ['v1'] })],
  ['Only the name goes: the same image stays as v1 and v2.', imageWith(NOTHING, { same: ['v1', 'v2'] })],
  [
    'Only the name goes: the same image stays as v1 and 2 other tags.',
    imageWith(NOTHING, { same: ['v1', 'v2', 'v3'] }),
  ],
  [
    'Only the name goes: something else in the repository refers to the image, so it stays.',
    imageWith(NOTHING),
  ],
  [
    'Nothing was pushed under it yet: only the reserved name goes.',
    imageWith(NOTHING, { digest: null, same: ['v1'] }),
  ],
])('%s', (sentence, image) => {
  expect(whatGoes(image)).toBe(sentence);
});
