import { expect, it } from 'vitest';
import { watchOutput } from './failure-cause.ts';

it.each([
  ['Error: getaddrinfo ENOTFOUND fonts.googleapis.com\n', 'the host fonts.googleapis.com was not found'],
  [
    "fatal: unable to access 'https://a.example/': Could not resolve host: a.example\n",
    'the host a.example was not found',
  ],
  [
    '\u001b[31mFailed to fetch `Inter` from Google Fonts.\u001b[0m\n',
    'Google Fonts did not give the font Inter',
  ],
  [
    'ERROR: No matching distribution found for asgiref==3.8.1\n',
    "pip found no version of asgiref==3.8.1 that fits this server's Python",
  ],
  ['npm error notarget No matching version found for left-pad@9.\n', 'the npm registry has no left-pad@9'],
  [
    'gyp ERR! stack Error: not found: make\n',
    'a package has to be compiled, and this server has no compiler (on Debian, apt-get install build-essential)',
  ],
  ['SyntaxError: Unexpected token\n', undefined],
])('tells by %j what was missing', (text, cause) => {
  const output = watchOutput();
  // Output comes in pieces, as it likes.
  for (const piece of text.match(/[\s\S]{1,7}/g) ?? []) output.add(piece);
  expect(output.cause()).toBe(cause);
});

it('looks at the end of much output, and not for long', () => {
  const output = watchOutput();
  output.add('getaddrinfo ENOTFOUND early.example\n');
  for (let n = 0; n < 100; n += 1) output.add(`gyp ERR! ${'make: '.repeat(200)}\n`);
  expect(output.cause()).toBeUndefined();
});
