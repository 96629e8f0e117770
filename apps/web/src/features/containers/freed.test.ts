import { describe, expect, it } from 'vitest';
import { mockUntagged } from '../../test/mock-world.ts';
import { kindOf, whatAllFree, whatOneFrees, whatWasFreed } from './freed.ts';

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
