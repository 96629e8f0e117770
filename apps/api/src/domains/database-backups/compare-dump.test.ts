import { expect, it } from 'vitest';
import { compareDump } from './compare-dump.ts';

const restored = new Map([
  ['notes', 3],
  ['people', 1],
]);
const found = '2 tables with 4 rows restored, and checked by the server';

it('tells whether the tables that were still have as many rows as then', () => {
  const detailOf = (original: Map<string, number> | null) => compareDump(restored, original).detail;
  expect(detailOf(restored)).toBe(`${found}: as many rows as when the backup was made.`);
  expect(detailOf(new Map([['notes', 3]]))).toContain(`${found}. The rows of 1 table are not compared:`);
  expect(detailOf(null)).toBe(`${found}. What was written since is not compared.`);
  expect(compareDump(restored, new Map([['pets', 0]]))).toEqual({
    succeeded: false,
    detail: 'The table pets is missing.',
  });
  expect(compareDump(restored, new Map([['people', 2]]))).toEqual({
    succeeded: false,
    detail: 'The table people has 1 row in place of 2 rows.',
  });
});
