import { expect, test } from 'vitest';
import { createPlaces } from './places.ts';

test('so many are done at once, the others in their order, also after one that failed', async () => {
  const inPlace = createPlaces(2);
  const begun: number[] = [];
  const ends = Array.from({ length: 4 }, () => Promise.withResolvers<void>());
  const works = ends.map(({ promise }, n) =>
    inPlace(() => {
      begun.push(n);
      return promise;
    }).catch(() => 'failed'),
  );
  await new Promise(setImmediate);
  expect(begun).toEqual([0, 1]);
  ends[1]?.reject(new Error('no'));
  expect(await works[1]).toBe('failed');
  await new Promise(setImmediate);
  expect(begun).toEqual([0, 1, 2]);
  for (const { resolve } of ends) resolve();
  await Promise.all(works);
  expect(begun).toEqual([0, 1, 2, 3]);
  expect(await inPlace(async () => 'free')).toBe('free');
});
