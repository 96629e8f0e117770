import type { ContainerImageDetail } from '@nephos/contracts';
import { describe, expect, it } from 'vitest';
import { idOf, mockImage, mockUntagged } from '../../test/mock-world.ts';
import { kindOf, whatAllFree, whatGoes, whatOneFrees, whatWasFreed } from './freed.ts';

describe('what is freed', () => {
  it.each([
    [
      'One manifest and 4 layers and configs that nothing else in the repository uses go. 84.00 MB are freed.',
      { manifests: 1, blobs: 4, size: 84 * 1024 ** 2 },
    ],
    [
      '3 manifests and one layer or config that nothing else in the repository uses go. 2.00 KB are freed.',
      { manifests: 3, blobs: 1, size: 2048 },
    ],
    [
      'One manifest goes; the layers stay, since other images use them. 512 B are freed.',
      { manifests: 1, blobs: 0, size: 512 },
    ],
    [
      '2 manifests go; the layers stay, since other images use them. 512 B are freed.',
      { manifests: 2, blobs: 0, size: 512 },
    ],
  ])('by one: %s', (sentence, deletion) => {
    expect(whatOneFrees(deletion)).toBe(sentence);
  });

  const deletion = { manifests: 2, blobs: 0, size: 512 };
  const parts = whatOneFrees(deletion);

  it.each([
    [`One untagged image is deleted. ${parts}`, 1, 0],
    [`2 untagged images are deleted. ${parts}`, 2, 0],
    [
      `2 untagged images are deleted. ${parts} One was pushed without a tag within the last day and stays: its push may still go on.`,
      3,
      1,
    ],
    [
      `One untagged image is deleted. ${parts} 2 were pushed without a tag within the last day and stay: their push may still go on.`,
      3,
      2,
    ],
  ])('by all: %s', (sentence, images, recent) => {
    expect(whatAllFree({ images, recent, deletion })).toBe(sentence);
  });

  it('is told afterwards', () => {
    expect(whatWasFreed(deletion)).toBe('512 B of your storage are free again.');
    expect(whatWasFreed({ manifests: 0, blobs: 0, size: 0 })).toBe('There was nothing left to delete.');
  });
});

it.each([
  ['Image', {}],
  ['Image', { artifactType: 'application/vnd.docker.container.image.v1+json' }],
  ['Image of several platforms', { mediaType: 'application/vnd.oci.image.index.v1+json', artifactType: '' }],
  [
    'Image of several platforms',
    { mediaType: 'application/vnd.docker.distribution.manifest.list.v2+json', artifactType: '' },
  ],
  ['application/vnd.example.signature', { artifactType: 'application/vnd.example.signature' }],
])('%s is the kind of %j', (kind, changes) => {
  expect(kindOf(mockUntagged(changes))).toBe(kind);
});

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
