import { expect, it } from 'vitest';
import { compareRows } from './compare-rows.ts';

const counts = new Map([
  ['public.people', 2400],
  ['public.pets', 1],
]);

it('tells whether all tables have as many rows as the original', () => {
  expect(compareRows(counts, new Map(counts))).toEqual({
    succeeded: true,
    detail: '2 tables with 2,401 rows restored, without damage, and as many as in the database.',
  });
  expect(compareRows(new Map([...counts, ['public.pets', 0]]), counts)).toEqual({
    succeeded: false,
    detail: 'The table public.pets has 0 rows in place of 1 row.',
  });
  expect(compareRows(new Map([['public.pets', 1]]), counts)).toMatchObject({
    detail: 'The table public.people is missing.',
  });
  expect(compareRows(counts, new Map([['public.pets', 1]]))).toMatchObject({ succeeded: false });
});

it('says so where they cannot be compared', () => {
  expect(compareRows(counts, null)).toEqual({
    succeeded: true,
    detail:
      '2 tables with 2,401 rows restored, without damage. The database was being written to, so its rows were not compared.',
  });
});
