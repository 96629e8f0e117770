import { expect, test } from 'vitest';
import { csvLine } from './statement-csv.ts';

const LINE = {
  id: '0197a000-0000-7000-8000-000000000001',
  transactionId: '0197a000-0000-7000-8000-000000000002',
  kind: 'received',
  reference: 'NP-1',
  party: 'Grandmother',
  amount: 5,
  balance: 9_999_999_999_999,
  createdAt: '2026-11-21T12:00:00.000Z',
} as const;

/** The field that holds the description, as it stands in the file. */
function written(description: string): string {
  const [, field] = /NP-1,(.*),Grandmother/s.exec(csvLine({ ...LINE, description })) ?? [];
  return field ?? 'not there';
}

test('a line ends its cents with two places, and itself with a carriage return and a line feed', () => {
  expect(csvLine({ ...LINE, description: '' })).toBe(
    '2026-11-21T12:00:00.000Z,received,NP-1,,Grandmother,0.05,99999999999.99,USD\r\n',
  );
});

test.each(['Rent, May', 'Rent; May', '2 + 2 = 4', 'a-b@example.com', "Ada's"])(
  '%j stays as it is',
  (text) => {
    expect(written(text).replace(/^"(.*)"$/s, '$1')).toBe(text);
  },
);

test.each(['=1+1', '+1', '-1', '@SUM(A1)', '＝1', '＋1', '－1', '＠1'])('%s computes nothing', (text) => {
  expect(written(text)).toBe(`'${text}`);
});

test.each([
  // Where decimals have a comma, a spreadsheet takes semicolons for the ends of cells, and quotes amid one for nothing.
  ['a;=1+1', "a;'=1+1"],
  ['a; =1+1', "a; '=1+1"],
  ['a;"=1+1', `"a;""'=1+1"`],
  ['a\n=1+1', `"a\n'=1+1"`],
  ['a\t@SUM(A1)', "a\t'@SUM(A1)"],
  ['=1;=2', "'=1;'=2"],
])('%j computes nothing in its midst', (text, field) => {
  expect(written(text)).toBe(field);
});
