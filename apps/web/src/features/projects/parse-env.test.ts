import { parseEnv as parseLikeNode } from 'node:util';
import { describe, expect, it } from 'vitest';
import { looksLikeEnv, parseEnv } from './parse-env.ts';

const valuesOf = (text: string) => Object.fromEntries(parseEnv(text).map(({ name, value }) => [name, value]));
const faultsOf = (text: string) => parseEnv(text).flatMap(({ fault }) => fault ?? []);

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
    expect(faultsOf(text)).toEqual([]);
    expect(valuesOf(text)).toEqual(parseLikeNode(text.replaceAll('\r\n', '\n')));
  });

  it('may have comments that are indented', () => {
    expect(parseEnv('  # A=1\n\tB=2')).toEqual([{ name: 'B', value: '2' }]);
  });

  it('keeps a quote that is escaped, as dotenv does', () => {
    expect(valuesOf(String.raw`A="{\"b\": 1}"`)).toEqual({ A: String.raw`{\"b\": 1}` });
  });

  it('says of each line that cannot be read why, and reads the others', () => {
    const text = ['A=1', 'no sense', '=3', 'D="x" y', "C='open", 'F=6'].join('\n');
    expect(parseEnv(text)).toEqual([
      { name: 'A', value: '1' },
      { name: 'no sense', value: '', fault: 'Expected NAME=value.' },
      { name: '', value: '3' },
      { name: 'D', value: 'x', fault: 'Unexpected text after the closing ".' },
      { name: 'C', value: "'open", fault: "The closing ' is missing." },
      { name: 'F', value: '6' },
    ]);
  });

  it('says what it read otherwise than it may be meant', () => {
    expect(parseEnv('A=1\nB=pa#ss\nC=2 # fine\nA=3').map(({ warning }) => warning)).toEqual([
      'A is set more than once. This value is used.',
      'Text after # is treated as a comment. Quote the value to keep it.',
      undefined,
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
