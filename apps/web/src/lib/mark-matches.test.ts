import { expect, it } from 'vitest';
import { ansiSpans } from './ansi.ts';
import { markMatches } from './mark-matches.ts';

const marks = (line: string, search: string) =>
  markMatches(ansiSpans(line), search).map(({ text, marked }) => (marked ? `[${text}]` : text));

it('marks each match, whatever its case', () => {
  expect(marks('Error: no error here', 'error')).toEqual(['[Error]', ': no ', '[error]', ' here']);
});

it('marks a match that goes through several colours', () => {
  expect(marks('\u001b[32mline\u001b[0m 14 end', 'ne 14')).toEqual(['li', '[ne]', '[ 14]', ' end']);
});

it('leaves a line alone without a match or a search', () => {
  expect(marks('nothing', 'some')).toEqual(['nothing']);
  expect(marks('nothing', '')).toEqual(['nothing']);
});
