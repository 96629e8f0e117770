import { describe, expect, test } from 'vitest';
import type { RECORD_TYPES } from '../src/constants.ts';
import { DnsRecordPage, NewDnsRecord } from '../src/dns.ts';
import { readValue } from '../src/dns-values.ts';

type Type = (typeof RECORD_TYPES)[number];

const IPV4 = 'Enter an IPv4 address without leading zeros, like 203.0.113.10.';
const IPV6 = 'Enter an IPv6 address, like 2001:db8::10.';
const MX = 'Enter a priority from 0 to 65535 and a mail server, like 10 mail.example.com.';
const TEXT = 'Enter UTF-8 text without control characters, like v=spf1 -all.';
const CNAME_ADDRESS = 'A CNAME record points to a host name, not an IP address.';
const LETTERS = 'Use only letters, digits and hyphens, like www.example.com.';

const accepted: (readonly [Type, string, string])[] = [
  ...['0.0.0.0', '255.255.255.255', '1.2.3.4', '10.0.0.1', '249.250.251.199'].map(
    (address) => ['A', address, address] as const,
  ),
  ['AAAA', '::', '::'],
  ['AAAA', '::1', '::1'],
  ['AAAA', '0:0:0:0:0:0:0:0', '::'],
  ['AAAA', '2001:DB8::A', '2001:db8::a'],
  ['AAAA', '2001:0db8:0000:0000:0000:0000:0000:0001', '2001:db8::1'],
  // RFC 5952 §4.2.2: one group of zeros is not shortened; §4.2.3: the longest run, of equals the first.
  ['AAAA', '2001:db8:0:1:1:1:1:1', '2001:db8:0:1:1:1:1:1'],
  ['AAAA', '2001:db8::1:1:1:1:1', '2001:db8:0:1:1:1:1:1'],
  ['AAAA', '2001:0:0:1:0:0:0:1', '2001:0:0:1::1'],
  ['AAAA', '2001:db8:0:0:1:0:0:1', '2001:db8::1:0:0:1'],
  ['AAAA', 'fe80::', 'fe80::'],
  ['AAAA', '::FFFF:192.0.2.1', '::ffff:192.0.2.1'],
  ['AAAA', '::ffff:c000:201', '::ffff:192.0.2.1'],
  ['AAAA', '::ffff:0:0', '::ffff:0.0.0.0'],
  ['AAAA', '::ffff:0:1:2', '::ffff:0:1:2'],
  ['AAAA', '64:ff9b::192.0.2.33', '64:ff9b::c000:221'],
  ['CNAME', 'example.com', 'example.com'],
  ['CNAME', 'App.Example.COM.', 'app.example.com'],
  ['CNAME', 's1._domainkey.example.com', 's1._domainkey.example.com'],
  ['CNAME', 'bücher.example', 'xn--bcher-kva.example'],
  ['NS', 'ns1.example.com.', 'ns1.example.com'],
  ['NS', 'ns.bücher.example', 'ns.xn--bcher-kva.example'],
  ['MX', '10 mail.example.com', '10 mail.example.com'],
  ['MX', '0 mail.example.com.', '0 mail.example.com'],
  ['MX', '00 .', '0 .'],
  ['MX', '65535 MAIL.example.com', '65535 mail.example.com'],
  ['MX', '00010   mail.example.com', '10 mail.example.com'],
  ['MX', '5 post.bücher.example', '5 post.xn--bcher-kva.example'],
  ['TXT', 'v=spf1 include:example.com -all', 'v=spf1 include:example.com -all'],
  ['TXT', 'x'.repeat(2048), 'x'.repeat(2048)],
  ['TXT', 'ü'.repeat(1024), 'ü'.repeat(1024)],
  ['TXT', 'a "quoted" word; and \\ it', 'a "quoted" word; and \\ it'],
  ['TXT', '"', '"'],
  ['TXT', '"open', '"open'],
  ['TXT', '"a" b', '"a" b'],
  ['TXT', 'a "b"', 'a "b"'],
  ['TXT', '"v=DKIM1; k=rsa; " "p=MIGf"', 'v=DKIM1; k=rsa; p=MIGf'],
  ['TXT', '"a""b"', '"a""b"'],
  ['TXT', '"a \\"b\\" \\\\ \\;"', 'a "b" \\ ;'],
  ['TXT', '"\\195\\188"', 'ü'],
  ['TXT', '"ü\\032"', 'ü '],
  ['TXT', '"\\"quoted\\""', '"quoted"'],
  ['TXT', `"${'x'.repeat(255)}" "${'y'.repeat(255)}"`, 'x'.repeat(255) + 'y'.repeat(255)],
  ['TXT', `"${'\\120'.repeat(2048)}"`, 'x'.repeat(2048)],
  ['TXT', '"\\239\\191\\189"', '\ufffd'],
  ['TXT', '☕ 例え', '☕ 例え'],
];

const refused: (readonly [Type, string, string])[] = [
  ...[
    '',
    '1',
    '1.2',
    '1.2.3',
    '1.2.3.4.5',
    '256.1.1.1',
    '1.1.1.256',
    '01.2.3.4',
    '1.2.3.04',
    '00.0.0.0',
    '0x7f.0.0.1',
    '2130706433',
    '1.2.3.4 ',
    ' 1.2.3.4',
    '1.2.3.4/24',
    '1.2.3.-4',
    '1..3.4',
    '1.2.3.4.',
    '+1.2.3.4',
    '1e1.2.3.4',
    '١.٢.٣.٤',
    'example.com',
    '::1',
  ].map((value) => ['A', value, IPV4] as const),
  ...[
    '',
    ':',
    ':::',
    '1',
    '1.2.3.4',
    '1::2::3',
    '1:2:3:4:5:6:7',
    '1:2:3:4:5:6:7:8:9',
    '12345::',
    'g::1',
    'fe80::1%eth0',
    '[::1]',
    '::1/64',
    '::1]:80/[',
    '::256.1.1.1',
    '::01.2.3.4',
    '1.2.3.4::',
    'example.com',
  ].map((value) => ['AAAA', value, IPV6] as const),
  ['CNAME', '192.0.2.1', CNAME_ADDRESS],
  ['CNAME', '2001:db8::1', CNAME_ADDRESS],
  ['CNAME', 'www', 'Enter the full name, like www.example.com.'],
  ['CNAME', 'www.', 'Enter the full name, like www.example.com.'],
  ['CNAME', '@', 'Use only letters, digits, hyphens and underscores, like www.example.com.'],
  ['CNAME', 'https://a.example', 'Use only letters, digits, hyphens and underscores, like www.example.com.'],
  ['CNAME', '*.example.com', 'Use only letters, digits, hyphens and underscores, like www.example.com.'],
  ['CNAME', 'a.1', 'Enter a host name, not an IP address.'],
  ['NS', '192.0.2.1', 'An NS record points to a host name, not an IP address.'],
  ['NS', '_ns.example.com', LETTERS],
  ['NS', 'ns', 'Enter the full name, like ns.example.com.'],
  ['NS', 'a.example.com b.example.com', LETTERS],
  ...[
    '',
    '10',
    'mail.example.com',
    '65536 mail.example.com',
    '99999 mail.example.com',
    '100000 mail.example.com',
    '-1 mail.example.com',
    '1.5 mail.example.com',
    'x mail.example.com',
    '10 mail.example.com x',
    '0x1 mail.example.com',
  ].map((value) => ['MX', value, MX] as const),
  ['MX', '10 192.0.2.1', 'An MX record points to a host name, not an IP address.'],
  ['MX', '10 mail', 'Enter the full name, like mail.example.com.'],
  ['MX', '10 .', 'If the domain accepts no mail, enter 0 and a dot: 0 .'],
  ['MX', '0 ..', 'Enter a name without empty parts, like www.example.com.'],
  ['MX', '10 _mail.example.com', LETTERS],
  ['TXT', '', 'Enter the text of the record, like v=spf1 -all.'],
  ['TXT', '""', 'Enter the text of the record, like v=spf1 -all.'],
  ['TXT', '"" ""', 'Enter the text of the record, like v=spf1 -all.'],
  ['TXT', 'x'.repeat(2049), 'A TXT record can have at most 2048 bytes.'],
  ['TXT', `x${'ü'.repeat(1024)}`, 'A TXT record can have at most 2048 bytes.'],
  ['TXT', 'a\u0000b', TEXT],
  ['TXT', 'a\nb', TEXT],
  ['TXT', 'a\u007f', TEXT],
  ['TXT', '"\\010"', TEXT],
  ['TXT', '"\\000"', TEXT],
  ['TXT', '"\\256"', TEXT],
  ['TXT', '"\\255"', TEXT],
  ['TXT', '"\\195"', TEXT],
  ['TXT', '"\\240\\159\\146"', TEXT],
];

describe('a value', () => {
  test.each(accepted)('%s %j is %j', (type, given, text) => {
    expect(readValue(type, given)).toEqual({ ok: true, text });
  });

  test.each(accepted.filter(([type]) => type !== 'TXT'))(
    '%s %j is canonical the second time',
    (type, given, text) => {
      expect(readValue(type, given)).toEqual(readValue(type, text));
    },
  );

  test.each(refused)('%s %j is refused: %s', (type, given, problem) => {
    expect(readValue(type, given)).toEqual({ ok: false, problem });
  });
});

describe('a new record', () => {
  const input = { domain: 'Example.TEST.', value: '192.0.2.1' };

  test('has its defaults and comes out canonical', () => {
    const record = { domain: 'example.test', recordType: 'A', name: '@', value: '192.0.2.1', ttl: 3600 };
    expect(NewDnsRecord.parse(input)).toEqual(record);
    expect(NewDnsRecord.parse({ ...input, name: '' })).toEqual(record);
    expect(NewDnsRecord.parse({ ...input, name: ' WWW.example.test ', value: ' 192.0.2.1 ' })).toEqual({
      ...record,
      name: 'www',
    });
    expect(input.domain).toBe('Example.TEST.');
  });

  const issues: (readonly [object, readonly { path: readonly string[]; message: string | undefined }[]])[] = [
    [{ domain: undefined }, [{ path: ['domain'], message: 'Domain is required.' }]],
    [{ value: undefined }, [{ path: ['value'], message: 'Value is required.' }]],
    [{ value: ' ' }, [{ path: ['value'], message: 'Value is required.' }]],
    [
      { domain: 'com' },
      [{ path: ['domain'], message: 'Enter a domain with at least two parts, like example.com.' }],
    ],
    [{ domain: 'x'.repeat(255) }, [{ path: ['domain'], message: 'Domain can have at most 254 characters.' }]],
    [{ name: 'x'.repeat(255) }, [{ path: ['name'], message: 'Name can have at most 254 characters.' }]],
    [{ name: 5 }, [{ path: ['name'], message: 'Name must be text.' }]],
    [
      { recordType: 'SRV' },
      [{ path: ['recordType'], message: 'Type must be one of A, AAAA, CNAME, MX, TXT, NS.' }],
    ],
    ...[59, 604_801, 60.5, '3600', -1, 0, null].map(
      (ttl) =>
        [
          { ttl },
          [{ path: ['ttl'], message: 'TTL must be a whole number of seconds from 60 to 604800.' }],
        ] as const,
    ),
    [
      { name: 'a b', value: 'x' },
      [
        {
          path: ['name'],
          message: 'Use only letters, digits, hyphens and underscores, like www.example.com.',
        },
        { path: ['value'], message: IPV4 },
      ],
    ],
  ];

  test.each(issues)('with %j is refused by naming the field', (change, expected) => {
    const { error } = NewDnsRecord.safeParse({ ...input, ...change });
    expect(error?.issues.map(({ path, message }) => ({ path, message }))).toEqual(expected);
  });

  test.each([60, 3600, 604_800])('may have a TTL of %i', (ttl) => {
    expect(NewDnsRecord.parse({ ...input, ttl }).ttl).toBe(ttl);
  });
});

test('a list is filtered by a domain in any spelling', () => {
  expect(DnsRecordPage.parse({ domain: 'BÜCHER.example.' })).toEqual({ domain: 'xn--bcher-kva.example' });
  expect(DnsRecordPage.parse(undefined)).toBeUndefined();
});
