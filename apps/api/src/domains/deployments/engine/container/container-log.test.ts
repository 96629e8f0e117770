import { expect, it } from 'vitest';
import { createPlace } from './container-log.ts';

const PIECES = ['01Z', '02Z', '02Z', '02Z', '01Z', '03Z'];

it('reads each piece once over several readings, whichever have the same time', () => {
  const first = createPlace('', 0);
  const isNew = first.begin();
  expect(PIECES.filter(isNew)).toEqual(PIECES);
  const marks = PIECES.map((at) => first.note(at));
  expect(marks).toEqual(['01Z 1', '02Z 1', '02Z 2', '02Z 3', '02Z 3', '03Z 1']);
  // Cut off after two of the three parts of a line.
  const second = createPlace('02Z', 2);
  expect(PIECES.filter(second.begin())).toEqual(['02Z', '03Z']);
});

it('goes on in a reading of its own behind what it noted', () => {
  const place = createPlace('', 0);
  for (const at of PIECES.slice(0, 3)) place.note(at);
  expect(PIECES.filter(place.begin())).toEqual(['02Z', '03Z']);
});
