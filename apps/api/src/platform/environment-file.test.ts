import { execFileSync } from 'node:child_process';
import { parseEnv } from 'node:util';
import { expect, it } from 'vitest';
import { environmentFile } from './environment-file.ts';

const VALUES = {
  PLAIN: 'https://console.example.com:8443/path',
  SPACES: '  Nephos <nephos@example.com>  ',
  HASH: 'a # no comment',
  DOLLAR: 'p$HOME`id`',
  BACKSLASH: String.raw`a\nb\ c`,
  DOUBLE: '[{"id": "work", "name": "Work"}]',
  SINGLE: "it's",
  LINES: 'one\ntwo\n',
  UMLAUT: 'Gäste',
  EMPTY: '',
};

it('writes what Node and a shell read as it was', () => {
  const text = environmentFile(VALUES);
  expect(parseEnv(text)).toEqual(VALUES);
  const script = `set -a; PATH=/nowhere; ${text}\n/usr/bin/env -0`;
  const said = execFileSync('sh', ['-c', script], { encoding: 'utf8', env: {} });
  expect(said.split('\0')).toEqual(
    expect.arrayContaining(Object.entries(VALUES).map(([name, value]) => `${name}=${value}`)),
  );
});

it('takes quotes that Node alone knows where others do not fit, and else a comment of one line', () => {
  const both = `it's "${'$'}5"`;
  const others = "it's `5`";
  const all = `it's "a"\n\`b\``;
  const text = environmentFile({ BOTH: both, OTHERS: others, ALL: all });
  expect(parseEnv(text)).toEqual({ BOTH: both, OTHERS: others });
  expect(text.split('\n')).toEqual([
    `BOTH=\`${both}\``,
    `OTHERS="${others}"`,
    String.raw`# ALL is, as JSON: "it's \"a\"\n${'`'}b${'`'}"`,
    '',
  ]);
});
