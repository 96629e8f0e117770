import { expect, test } from 'vitest';
import { z } from 'zod';
import { listOf, parseXml } from './parse-xml.ts';

const Any = z.unknown();
const read = (text: string) => parseXml(text, 'Delete', Any);

test('a document is read with its entities, white space, namespaces, comments and character data', () => {
  const head = '<?xml version="1.0"?>\r\n<!-- by hand -->';
  const keys = '<s:Key a:b = "c"> a&#xA;&#13;&amp;lt;&lt;&quot; </s:Key><Key>x<![CDATA[<&amp;]]>\r\ny</Key>';
  expect(
    read(`${head}<Delete xmlns="http://s3.amazonaws.com/doc/2006-03-01/">\n${keys}<Quiet/></Delete>\n`),
  ).toEqual({ Key: [' a\n\r&lt;<" ', 'x<&amp;\ny'], Quiet: '' });
});

test('a list of one is that one', () => {
  const shape = z.object({ Key: listOf(z.string()) });
  expect(parseXml('<Delete><Key>a</Key></Delete>', 'Delete', shape)).toEqual({ Key: ['a'] });
  expect(() => parseXml('<Delete></Delete>', 'Delete', shape)).toThrow();
});

test.each([
  ['with a document type', '<!DOCTYPE x [<!ENTITY a "b">]><Delete>&a;</Delete>'],
  ['with an entity of its own', '<Delete>&a;</Delete>'],
  ['with a name of a prototype as one', '<Delete>&toString;</Delete>'],
  ['with a bare ampersand', '<Delete>a & b</Delete>'],
  ['with a NUL', '<Delete>\0</Delete>'],
  ['with a NUL by its number', '<Delete>&#0;</Delete>'],
  ['with half a character', '<Delete>&#xd800;</Delete>'],
  ['that is not closed', '<Delete><Key>'],
  ['that is closed otherwise', '<Delete><Key></Delete></Key>'],
  ['with text beside its root', 'x<Delete/>'],
  ['that is too deep', `${'<Delete>'.repeat(20)}${'</Delete>'.repeat(20)}`],
])('a document %s is malformed', (_what, text) => {
  expect(() => read(text)).toThrow(expect.objectContaining({ code: 'MalformedXML' }));
});

test('names of prototypes are names', () => {
  expect(JSON.stringify(read('<Delete><__proto__><a>1</a></__proto__></Delete>'))).toBe(
    '{"__proto__":{"a":"1"}}',
  );
  expect(({} as Record<string, unknown>).a).toBeUndefined();
});

test('no document takes long, however it is made', { timeout: 60_000 }, () => {
  const MIB = 1024 * 1024;
  const documents = [
    ...[
      '<Delete>&amp;',
      '<Delete> ',
      '<a b="c" ',
      '<a ',
      '<!--',
      '&',
      '<Delete>x<!-- -->',
      '<',
      '</a ',
      '<![CDATA[',
    ],
  ].map((start) => start + start.slice(-5).repeat(MIB / 5));
  const begun = performance.now();
  for (const text of documents) {
    try {
      read(text);
    } catch {
      // Most are none.
    }
  }
  // Each of 1 MiB; what takes the square of its length takes hours.
  expect(performance.now() - begun).toBeLessThan(20_000);
});
