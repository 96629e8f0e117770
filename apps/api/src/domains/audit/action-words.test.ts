import { contract } from '@nephos/contracts';
import { type Row, type Table, writes } from '@nephos/contracts/kit';
import { expect, test } from 'vitest';
import { actionOf } from './action-words.ts';

/** Letters that a line of the list has room for. */
const LONGEST = 100;

const recorded = Object.entries<Table>(contract).flatMap(([domain, table]) =>
  Object.entries<Row>(table)
    .filter(([, row]) => writes(row) && !row.changesNothing)
    .map(([name]) => `${domain}.${name}`),
);

test('every recorded procedure is one short line of words', () => {
  expect(recorded.length).toBeGreaterThan(100);
  const wrong = recorded
    .map(actionOf)
    .filter((words) => !/^[A-Z][^.;:]+$/.test(words) || words.length > LONGEST);
  expect(wrong).toEqual([]);
});

test('what this version does not know says its name', () => {
  expect([actionOf('storageUploads.complete'), actionOf('later.unknown')]).toEqual([
    'Upload a file',
    'later.unknown',
  ]);
});
