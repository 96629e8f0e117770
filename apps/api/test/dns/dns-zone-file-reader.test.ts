import { wholeName } from '@nephos/contracts';
import { describe, expect, test } from 'vitest';
import type { ZoneData, ZoneRecord } from '../../src/domains/dns/server/zone.ts';
import { zoneFile } from '../../src/domains/dns/server/zone-file.ts';
import { readZoneFile } from '../../src/domains/dns/zone-files/read-zone-file.ts';
import { makeZone, randomFrom } from './dns-zones.ts';

const DOMAIN = 'example.test';

/** What is read, as name, TTL, type and value. */
function read(...lines: string[]): string[] {
  const { records, refused } = readZoneFile(lines.join('\n'), DOMAIN);
  expect(refused).toEqual([]);
  return records.map(({ name, ttl, recordType, value }) => `${name} ${ttl} ${recordType} ${value}`);
}

/** Lines and reasons of what is refused; that is all there is, unless `others` are read. */
function refusals(lines: readonly string[], others = 0) {
  const { records, refused } = readZoneFile(lines.join('\n'), DOMAIN);
  expect(records).toHaveLength(others);
  return refused.map(({ line, reason }) => [line, reason]);
}

describe('a zone file', () => {
  test.each<[string, readonly string[], readonly string[]]>([
    ['a record in full', ['www.example.test. 300 IN A 192.0.2.1'], ['www 300 A 192.0.2.1']],
    [
      'names that are relative',
      ['www 300 IN A 192.0.2.1', '@ 300 IN MX 10 mail'],
      ['www 300 A 192.0.2.1', '@ 300 MX 10 mail.example.test'],
    ],
    [
      'class before TTL, neither, and any case',
      ['a in 300 a 192.0.2.1', 'b A 192.0.2.2'],
      ['a 300 A 192.0.2.1', 'b 300 A 192.0.2.2'],
    ],
    [
      '$TTL with units',
      ['$TTL 1h30m', 'a A 192.0.2.1', 'b 1d A 192.0.2.1', 'c A 192.0.2.1'],
      ['a 5400 A 192.0.2.1', 'b 86400 A 192.0.2.1', 'c 5400 A 192.0.2.1'],
    ],
    ['no TTL at all', ['a A 192.0.2.1'], ['a 3600 A 192.0.2.1']],
    [
      'no owner',
      ['a 60 A 192.0.2.1', '\tAAAA 2001:db8::1', '  60 IN TXT x'],
      ['a 60 A 192.0.2.1', 'a 60 AAAA 2001:db8::1', 'a 60 TXT x'],
    ],
    [
      '$ORIGIN, whole, relative and the root',
      [
        '$ORIGIN dev.example.test.',
        'a 60 CNAME b',
        '$ORIGIN x',
        '@ 60 A 192.0.2.1',
        '$ORIGIN .',
        'c.example.test 60 A 192.0.2.1',
      ],
      ['a.dev 60 CNAME b.dev.example.test', 'x.dev 60 A 192.0.2.1', 'c 60 A 192.0.2.1'],
    ],
    [
      'comments and empty lines',
      ['; a', '', 'a 60 A 192.0.2.1 ; b "c" (', '   ', '  ; d'],
      ['a 60 A 192.0.2.1'],
    ],
    [
      'parentheses over lines',
      ['a 60 TXT ( "b; c" ; d )', '   "(e" )', 'b 60 ( A', '192.0.2.1 )'],
      ['a 60 TXT b; c(e', 'b 60 A 192.0.2.1'],
    ],
    [
      'a SOA record over lines, whose TTL the next has',
      ['@ 7200 SOA ns1 host (', ' 1 ; serial', ' 2 3 4 5 )', ' A 192.0.2.1'],
      ['@ 7200 A 192.0.2.1'],
    ],
    [
      'texts in strings, in words, escaped',
      ['a 60 TXT "b c" d\\;e "f\\"g\\195\\188" "h"\'i\''],
      ["a 60 TXT b cd;ef\"güh'i'"],
    ],
    ['the same twice', ['a 60 A 192.0.2.1', 'A.example.test. 60 A 192.0.2.1'], ['a 60 A 192.0.2.1']],
    [
      'Windows line ends and a byte order mark',
      ['\ufeffa 60 A 192.0.2.1\r', 'b 60 TXT x\r'],
      ['a 60 A 192.0.2.1', 'b 60 TXT x'],
    ],
    [
      'the types that have hosts',
      [
        'a 60 SRV 1 2 3 b',
        'b 60 HTTPS 1 . alpn="h2,h3"',
        'c 60 SVCB 0 d',
        'd 60 PTR @',
        'e 60 ALIAS a',
        'f 60 CAA 0 issue "ca.test; a=b"',
      ],
      [
        'a 60 SRV 1 2 3 b.example.test',
        'b 60 HTTPS 1 . alpn=h2,h3',
        'c 60 SVCB 0 d.example.test',
        'd 60 PTR example.test',
        'e 60 ALIAS a.example.test',
        'f 60 CAA 0 issue "ca.test; a=b"',
      ],
    ],
    [
      'digests in words',
      [`a 60 DS 1 13 2 ( ${'ab'.repeat(16)}`, `${'CD'.repeat(16)} )`],
      [`a 60 DS 1 13 2 ${'ab'.repeat(16)}${'cd'.repeat(16)}`],
    ],
  ])('has %s', (_, lines, records) => {
    expect(read(...lines)).toEqual(records);
  });

  test.each<[string, readonly string[], readonly (readonly [number, string])[]]>([
    [
      '$INCLUDE and $GENERATE',
      ['', '$INCLUDE other.zone', '$generate 1-9 a$ A 192.0.2.$'],
      [
        [2, "$INCLUDE isn't supported. Put the records themselves into the file."],
        [3, "$GENERATE isn't supported. Put the records themselves into the file."],
      ],
    ],
    [
      'other directives',
      ['$FOO', '$ORIGIN', '$TTL x'],
      [
        [1, '$FOO is no directive of zone files.'],
        [2, '$ORIGIN takes one name.'],
        [3, '$TTL takes one number of seconds.'],
      ],
    ],
    [
      'an open quote, on its line alone',
      ['a 60 TXT "b', 'c 60 A 192.0.2.256'],
      [
        [1, 'The quoted text has no end on its line.'],
        [2, 'Enter an IPv4 address without leading zeros, like 203.0.113.10.'],
      ],
    ],
    [
      'a parenthesis too many',
      ['a 60 A 192.0.2.1 )'],
      [[1, 'The parenthesis that closes here was never opened.']],
    ],
    [
      'an open parenthesis, with all that follows',
      ['', 'a 60 A (', '192.0.2.1', 'b 60 A 192.0.2.1'],
      [[2, 'The parenthesis that opens here is never closed.']],
    ],
    ['a first line without a name', [' 60 A 192.0.2.1'], [[1, 'The first record needs a name.']]],
    ['a line without a type', ['a 60 IN'], [[1, 'The record has no type.']]],
    ['another class', ['a 60 CH TXT x'], [[1, 'Only records of class IN are served, not CH.']]],
    [
      'a TTL out of bounds',
      ['a 1 A 192.0.2.1'],
      [[1, 'TTL must be a whole number of seconds from 60 to 604800.']],
    ],
    [
      'a name outside',
      ['www.other.test. 60 A 192.0.2.1'],
      [[1, "www.other.test. isn't part of example.test. Enter @, www or www.example.test."]],
    ],
    [
      'an escaped name',
      ['a\\.b 60 A 192.0.2.1'],
      [[1, 'Use only letters, digits, hyphens and underscores, like www.example.com.']],
    ],
    [
      'a text that is none',
      ['a 60 TXT "\\255"'],
      [[1, 'Enter UTF-8 text without control characters, like v=spf1 -all.']],
    ],
  ])('has %s refused, by its line', (_, lines, refused) => {
    expect(refusals(lines)).toEqual(refused);
  });

  test('has a type that is not served refused, and the owner and TTL of the line kept', () => {
    const [[line, reason] = []] = refusals(['a 60 LOC 1 2 3', ' A 192.0.2.1'], 1);
    expect([line, reason]).toEqual([
      1,
      expect.stringMatching(/^The type LOC isn't supported\. Types are A, /),
    ]);
  });

  test('is read to an end, however long', () => {
    const began = performance.now();
    const { records, refused } = readZoneFile('a A 192.0.2.1\n'.repeat(70_000), DOMAIN);
    expect(records).toHaveLength(1);
    expect(refused).toMatchObject([{ line: 4001, reason: expect.stringMatching(/The rest is left out/) }]);
    for (const nasty of ['"\\', '(', '"a" ', '\\', 'a"', '="', ';(']) {
      readZoneFile(nasty.repeat(500_000), DOMAIN);
    }
    expect(performance.now() - began).toBeLessThan(10_000);
  });
});

const seed = Number(process.env.TEST_SEED ?? Date.now() % 2 ** 31);

/** A zone that the reader takes: no text is empty there. */
function zoneOf(index: number, random: () => number): ZoneData {
  const zone = makeZone(index, random);
  const alias = {
    owner: `flat.${zone.domain}`,
    type: 'ALIAS',
    value: 'www.elsewhere.invalid',
    ttl: 60,
  } as const;
  return { ...zone, records: [...zone.records.filter(({ value }) => value !== ''), alias] };
}

const textOf = ({ owner, ttl, type, value }: ZoneRecord) => `${owner} ${ttl} ${type} ${value}`;

function readAgain(file: string, domain: string): string[] {
  const { records, refused } = readZoneFile(file, domain);
  expect(refused).toEqual([]);
  return records.map(({ name, recordType: type, value, ttl }) =>
    textOf({ owner: wholeName(name, domain), type, value, ttl }),
  );
}

/** The same file as somebody else would lay it out. */
function inDisorder(file: string, domain: string, random: () => number): string {
  const chance = (probability: number) => random() < probability;
  let origin = `${domain}.`;
  let last = '';
  return file
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      const [owner = '', ttl = '', recordClass = '', type = '', ...data] = line.split(' ');
      let before = '';
      if (chance(0.1)) {
        origin = chance(0.5) ? `${domain}.` : `er.${domain}.`;
        before = `$ORIGIN ${origin}\n${chance(0.5) ? ' ; nothing ( "\n\n' : ''}`;
      }
      const relative =
        owner === origin ? '@' : owner.replace(new RegExp(`\\.${origin.replaceAll('.', '\\.')}$`), '');
      let name = chance(0.5) ? relative : owner;
      if (owner === last && chance(0.5)) name = '';
      last = owner;
      const head = chance(0.3)
        ? [recordClass.toLowerCase(), ttl]
        : [ttl, ...(chance(0.5) ? [recordClass] : [])];
      const text = data.join(' ');
      const laidOut = chance(0.3) ? `( ; "comment\n  ${text}\r\n)` : text;
      return `${before}${name}${chance(0.5) ? '\t' : '  '}${head.join(' ')} ${chance(0.5) ? type : type.toLowerCase()} ${laidOut}${chance(0.3) ? ' ; end' : ''}`;
    })
    .join('\n');
}

test(`what was written is read again, however it is laid out (TEST_SEED=${seed})`, () => {
  const random = randomFrom(seed);
  for (let index = 0; index < 150; index += 1) {
    const zone = zoneOf(index, random);
    const file = zoneFile(zone, []);
    const written = zone.records.map(textOf);
    expect(readAgain(file, zone.domain)).toEqual(written);
    expect(readAgain(inDisorder(file, zone.domain, random), zone.domain)).toEqual(written);
  }
});

test('texts are read again whatever is in them', () => {
  const random = randomFrom(seed);
  const letters = ['"', '\\', ';', '(', ')', ' ', '$', '@', 'ü', '☕', '0', 'a', '\u0080', '\u00a0'];
  for (let round = 0; round < 500; round += 1) {
    const length = 1 + Math.floor(random() * 12);
    const value = Array.from({ length }, () => letters[Math.floor(random() * letters.length)])
      .join('')
      .trim();
    // A text of nothing but quoted strings is what these mean, when people type it.
    if (value === '') continue;
    const zone = {
      domain: DOMAIN,
      serial: 1,
      records: [{ owner: DOMAIN, type: 'TXT', value, ttl: 60 } as const],
    };
    const { records } = readZoneFile(zoneFile(zone, []), DOMAIN);
    expect(records.map((record) => record.value)).toEqual([value.normalize('NFC')]);
  }
});
