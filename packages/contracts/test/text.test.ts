import { expect, test } from 'vitest';
import { line } from '../src/text.ts';

const Name = line(100, 'Name');

function problemsOf(value: string): string[] {
  return Name.safeParse(value).error?.issues.map(({ message }) => message) ?? [];
}

test.each([
  ['nothing', ''],
  ['spaces', ' \u00a0\u3000 '],
  ['a zero-width space', '\u200b'],
  ['joiners between spaces', '\u200d \u2060'],
  ['a Hangul filler', '\u3164'],
  ['a soft hyphen', '\u00ad'],
])('a line of which nothing is seen, such as %s, is none', (_, value) => {
  expect(problemsOf(value)).toEqual(['Name is required.']);
});

test.each(['a', '0', 'é', '😀', '👩\u200d💻', 'می\u200cخواهم'])('%s is a line', (value) => {
  expect(problemsOf(value)).toEqual([]);
});
