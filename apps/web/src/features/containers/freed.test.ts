import type { ContainerImageDetail } from '@nephos/contracts';
import { describe, expect, it } from 'vitest';
import { idOf, mockImage, mockUntagged } from '../../test/mock-world.ts';
import { kindOf, whatAllFree, whatGoes, whatOneFrees, whatWasFreed } from './freed.ts';

describe('what is freed', () => {
  it.each([
    [
      'Deletes 1 manifest and 4 layers that nothing else in the repository uses. Frees 84.00 MB.',
      { manifests: 1, blobs: 4, size: 84 * 1024 ** 2 },
    ],
    [
      'Deletes 3 manifests and 1 layer that nothing else in the repository uses. Frees 2.00 KB.',
      { manifests: 3, blobs: 1, size: 2048 },
    ],
    [
      'Deletes 1 manifest. Frees 512 B; the layers stay because other images use them.',
      { manifests: 1, blobs: 0, size: 512 },
    ],
    [
      'Deletes 2 manifests. Frees 512 B; the layers stay because other images use them.',
      { manifests: 2, blobs: 0, size: 512 },
    ],
  ])('by one: %s', (sentence, deletion) => {
    expect(whatOneFrees(deletion)).toBe(sentence);
  });

  const deletion = { manifests: 2, blobs: 0, size: 512 };
  const parts = '2 manifests. Frees 512 B; the layers stay because other images use them.';

  it.each([
    [`Deletes 1 untagged image: ${parts}`, 1, 0, 0],
    [`Deletes 2 untagged images: ${parts}`, 2, 0, 0],
    [`Deletes 1 untagged image: ${parts} 1 image that a project needs is kept.`, 2, 0, 1],
    [
      `Deletes 2 untagged images: ${parts} 1 image pushed in the last day is kept, since its push may still be in progress.`,
      3,
      1,
      0,
    ],
    [
      `Deletes 1 untagged image: ${parts} 2 images pushed in the last day are kept, since their push may still be in progress. 2 images that projects need are kept.`,
      5,
      2,
      2,
    ],
  ])('by all: %s', (sentence, images, recent, needed) => {
    expect(whatAllFree({ images, recent, needed, deletion })).toBe(sentence);
  });

  it('is told afterwards', () => {
    expect(whatWasFreed(deletion)).toBe('Freed 512 B of storage.');
    expect(whatWasFreed({ manifests: 0, blobs: 0, size: 0 })).toBe('There was nothing to delete.');
  });
});

it.each([
  ['Image', {}],
  ['Image', { artifactType: 'application/vnd.docker.container.image.v1+json' }],
  ['Multi-platform image', { mediaType: 'application/vnd.oci.image.index.v1+json', artifactType: '' }],
  [
    'Multi-platform image',
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
  const kept = { keptBecause: '' };
  const tags = [
    image,
    mockImage({ id: idOf(803), tag: 'else', digest: `sha256:${'00'.repeat(32)}` }),
    ...same.map((tag, n) => ({ ...image, id: idOf(810 + n), tag })),
  ].map((tag) => ({ ...tag, ...kept }));
  return { ...image, repositoryId: idOf(850), tags, platforms: [], referrers: [], deletion, ...kept };
}

it.each<[string, ContainerImageDetail]>([
  [
    'This also deletes its manifest and 4 layers that no other image uses. Frees 84.00 MB.',
    imageWith({ manifests: 1, blobs: 4, size: 84 * 1024 ** 2 }),
  ],
  [
    'This also deletes its 3 manifests, including signatures, and 1 layer that no other image uses. Frees 2.00 KB.',
    imageWith({ manifests: 3, blobs: 1, size: 2048 }),
  ],
  [
    'This also deletes its manifest and frees 512 B. Its layers stay because other images use them.',
    imageWith({ manifests: 1, blobs: 0, size: 512 }),
  ],
  ['Only this tag is removed: the image is still tagged v1.', imageWith(NOTHING, { same: ['v1'] })],
  [
    'Only this tag is removed: the image is still tagged v1 and v2.',
    imageWith(NOTHING, { same: ['v1', 'v2'] }),
  ],
  [
    'Only this tag is removed: the image is still tagged v1 and 2 other tags.',
    imageWith(NOTHING, { same: ['v1', 'v2', 'v3'] }),
  ],
  [
    'Only this tag is removed: the image stays because something else in the repository refers to it.',
    imageWith(NOTHING),
  ],
  [
    'Nothing has been pushed to it yet, so only the reserved name is removed.',
    imageWith(NOTHING, { digest: null, same: ['v1'] }),
  ],
])('%s', (sentence, image) => {
  expect(whatGoes(image)).toBe(sentence);
});
