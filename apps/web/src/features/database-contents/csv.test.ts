import { expect, it } from 'vitest';
import { csvOf } from './csv.ts';

it('tells NULL from empty text, and quotes what would end a field', () => {
  expect(
    csvOf(
      ['a', 'b,c'],
      [
        [null, ''],
        ['say "hi"', 'two\nlines'],
      ],
    ),
  ).toBe('a,"b,c"\r\n,""\r\n"say ""hi""","two\nlines"\r\n');
});
