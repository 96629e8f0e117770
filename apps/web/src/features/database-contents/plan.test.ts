import { expect, it } from 'vitest';
import { planOf, planText } from './plan.ts';

const PLAN = JSON.stringify([
  {
    Plan: {
      ...{ 'Node Type': 'Sort', 'Plan Rows': 10, 'Total Cost': 50, 'Sort Key': ['name', 'id'] },
      ...{ 'Actual Rows': 12, 'Actual Loops': 1, 'Actual Total Time': 10 },
      Plans: [
        {
          ...{ 'Node Type': 'Index Scan', 'Relation Name': 'people', 'Index Name': 'people_pkey' },
          ...{ 'Plan Rows': 5, 'Total Cost': 20, Filter: '(id > 1)' },
          ...{ 'Actual Rows': 6, 'Actual Loops': 2, 'Actual Total Time': 4 },
        },
      ],
    },
  },
]);

it('tells how much of the time each step took by itself, and how far off the estimate was', () => {
  expect(planOf(PLAN)).toMatchObject({
    ...{ title: 'Sort', expected: 10, actual: 12, milliseconds: 2, share: 0.2 },
    steps: [
      {
        ...{ title: 'Index Scan on people using people_pkey', actual: 12, milliseconds: 8, share: 0.8 },
        conditions: ['Filter: (id > 1)'],
      },
    ],
  });
});

it('is text, too', () => {
  expect(planText(planOf(PLAN))).toBe(
    [
      'Sort (rows=10 actual=12 time=2.000 ms)',
      '     Sort Key: name, id',
      '  -> Index Scan on people using people_pkey (rows=5 actual=12 time=8.000 ms)',
      '       Filter: (id > 1)',
    ].join('\n'),
  );
});
