import { parseEnv as parseLikeNode } from 'node:util';
import { describe, expect, it } from 'vitest';
import { looksLikeEnv, parseEnv } from './parse-env.ts';

const valuesOf = (text: string) =>
  Object.fromEntries(parseEnv(text).variables.map(({ name, value }) => [name, value]));

describe('the text of an .env file', () => {
  it.each([
    'A=1',
    '  A = 1  ',
    'A=',
    'A= ',
    'export A=1\nexport  B = two words',
    '# all of it\n\nA=1 # and the rest\n#B=2\n',
    `A='it # is'\nB="so # is"\nC=\`this # too\``,
    'A="line one\nline two\n"\nB=after',
    "A='single\nlines'   # a comment\nB=2",
    'A="tab\\tand\\nnewline"\nB=\'not\\nhere\'',
    'A=a=b==\nB="c=d"',
    'A=1\r\nB="2\r\n3"\r\n',
    'KEY="-----BEGIN KEY-----\nMIIB=\n-----END KEY-----"\nLAST=1',
    'A=https://example.com/?q=1&r=%20',
    'A=1\nA=2',
    'A=`back "and" \'quotes\'`',
    'A=""\nB=\'\'',
  ])('is read as Node reads it: %j', (text) => {
    expect(parseEnv(text).errors).toEqual([]);
    expect(valuesOf(text)).toEqual(parseLikeNode(text.replaceAll('\r\n', '\n')));
  });

  it('may have comments that are indented', () => {
    expect(parseEnv('  # A=1\n\tB=2')).toEqual({
      variables: [{ name: 'B', value: '2' }],
      errors: [],
      warnings: [],
    });
  });

  it('keeps a quote that is escaped, as dotenv does', () => {
    expect(valuesOf(String.raw`A="{\"b\": 1}"`)).toEqual({ A: String.raw`{\"b\": 1}` });
  });

  it('names each line that cannot be read, and reads the others', () => {
    const text = ['A=1', 'nonsense', '1B=2', '=3', 'D="x" y', 'PORT=80', '-E=1', "C='open", 'F=6'].join('\n');
    const { variables, errors } = parseEnv(text);
    expect(errors.map(({ line }) => line)).toEqual([2, 3, 4, 5, 6, 7, 8]);
    expect(errors.map((error) => error.text)).toEqual([
      'Expected NAME=value.',
      expect.stringContaining('“1B” is not a valid name.'),
      'The name is missing.',
      'Unexpected text after the closing ".',
      expect.stringContaining('PORT is set by the platform.'),
      expect.stringContaining('“-E” is not a valid name.'),
      "The closing ' is missing.",
    ]);
    expect(variables.map(({ name }) => name)).toEqual(['A', 'F']);
  });

  it('refuses a value that is too long', () => {
    expect(parseEnv(`A=${'x'.repeat(16_384)}`).errors).toEqual([]);
    expect(parseEnv(`A=${'x'.repeat(16_385)}`).errors).toEqual([
      { line: 1, text: 'Values can be up to 16384 characters long.' },
    ]);
  });

  it('says what it read otherwise than it may be meant', () => {
    expect(parseEnv('A=1\nB=pa#ss\nC=2 # fine\nA=3').warnings).toEqual([
      { line: 2, text: 'Text after # in B is treated as a comment. Quote the value to keep it.' },
      { line: 4, text: 'A is set more than once. This value is used.' },
    ]);
  });

  it.each([
    ['A=1', true],
    ['# first\nexport A=1', true],
    ['DATABASE_URL', false],
    ['two words', false],
  ])('is told from a name: %j', (text, is) => {
    expect(looksLikeEnv(text)).toBe(is);
  });
});
