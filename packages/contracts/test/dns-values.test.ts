import { describe, expect, test } from 'vitest';
import type { RECORD_TYPES } from '../src/constants.ts';
import { DnsRecordPage, NewDnsRecord } from '../src/dns-records.ts';
import { readValue } from '../src/dns-values.ts';

type Type = (typeof RECORD_TYPES)[number];

const IPV4 = 'Enter an IPv4 address without leading zeros, like 203.0.113.10.';
const IPV6 = 'Enter an IPv6 address, like 2001:db8::10.';
const MX = 'Enter a priority from 0 to 65535 and a mail server, like 10 mail.example.com.';
const TEXT = 'Enter UTF-8 text without control characters, like v=spf1 -all.';
const CNAME_ADDRESS = 'A CNAME record points to a host name, not an IP address.';
const LETTERS = 'Use only letters, digits and hyphens, like www.example.com.';
const CAA = 'Enter flags, a tag and a value in quotes, like 0 issue "letsencrypt.org".';
const CAA_ISSUE =
  'Enter the domain of a certificate authority, like "letsencrypt.org", or ";" to allow none.';
const CAA_IODEF =
  'Enter where reports go, like "mailto:security@example.com" or "https://example.com/report".';
const SRV = 'Enter priority, weight and port from 0 to 65535, then a host, like 10 5 5060 sip.example.com.';
const TLSA = 'Enter usage, selector, matching type and hexadecimal digits, like 3 1 1 and 64 digits.';
const DS = 'Enter key tag, algorithm, digest type and hexadecimal digits, like 12345 13 2 and 64 digits.';
const HTTPS = 'Enter a priority, a host (or . for this name) and parameters, like 1 . alpn=h2,h3.';
const PARAMETERS =
  'Parameters can be mandatory, alpn, no-default-alpn, port, ipv4hint, ech, ipv6hint, dohpath, ohttp.';

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
  ['CAA', '0 issue "letsencrypt.org"', '0 issue "letsencrypt.org"'],
  ['CAA', '128  ISSUE letsencrypt.org', '128 issue "letsencrypt.org"'],
  ['CAA', '0 issuewild ";"', '0 issuewild ";"'],
  ['CAA', '0 issue "ca.example; account=230123; x = y"', '0 issue "ca.example; account=230123; x = y"'],
  ['CAA', '0 iodef "mailto:security@example.com"', '0 iodef "mailto:security@example.com"'],
  ['CAA', '0 iodef "https://example.com/report"', '0 iodef "https://example.com/report"'],
  ['SRV', '010 5   5060 SIP.example.com.', '10 5 5060 sip.example.com'],
  ['SRV', '0 0 0 .', '0 0 0 .'],
  ['PTR', 'host.example.com.', 'host.example.com'],
  ['PTR', '_http._tcp.example.com', '_http._tcp.example.com'],
  ['ALIAS', 'App.example.com.', 'app.example.com'],
  ['TLSA', `3 1 1 ${'AB'.repeat(32)}`, `3 1 1 ${'ab'.repeat(32)}`],
  ['TLSA', `3 01 2 ${'ab '.repeat(64)}`.trim(), `3 1 2 ${'ab'.repeat(64)}`],
  ['TLSA', '2 0 0 30820122', '2 0 0 30820122'],
  ['SSHFP', `4 2 ${'0f'.repeat(32)}`, `4 2 ${'0f'.repeat(32)}`],
  ['SSHFP', `1 1 ${'0F'.repeat(20)}`, `1 1 ${'0f'.repeat(20)}`],
  ['DS', `60485 13 2 ${'d4 '.repeat(32)}`.trim(), `60485 13 2 ${'d4'.repeat(32)}`],
  ['DS', `0 8 4 ${'D4'.repeat(48)}`, `0 8 4 ${'d4'.repeat(48)}`],
  ['HTTPS', '1 .', '1 .'],
  ['HTTPS', '0 WWW.example.com.', '0 www.example.com'],
  ['HTTPS', '1 . alpn="h2,h3" port=08443', '1 . alpn=h2,h3 port=8443'],
  [
    'HTTPS',
    '1 . ipv6hint=2001:DB8:0::1 ipv4hint=192.0.2.1,192.0.2.2 alpn=h2',
    '1 . alpn=h2 ipv4hint=192.0.2.1,192.0.2.2 ipv6hint=2001:db8::1',
  ],
  [
    'HTTPS',
    '16 a.example mandatory=port,alpn port=1 ALPN=h2',
    '16 a.example mandatory=alpn,port alpn=h2 port=1',
  ],
  ['HTTPS', '1 . alpn=h2 no-default-alpn ech="AEX+DQ=="', '1 . alpn=h2 no-default-alpn ech=AEX+DQ=='],
  ['SVCB', '1 . KEY8 key7="/q{?dns}"', '1 . dohpath=/q{?dns} ohttp'],
  ['SVCB', '1 _dns.example.com alpn=dot dohpath=/q{?dns}', '1 _dns.example.com alpn=dot dohpath=/q{?dns}'],
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
  ...[
    '',
    '0',
    '0 issue',
    'issue "a.example"',
    '0 issue "a',
    '0 issue "a"b"',
    '0 issue a b',
    '0 iss-ue a',
  ].map((value) => ['CAA', value, CAA] as const),
  ['CAA', '1 issue "a.example"', 'The flags of a CAA record are 0, or 128 for critical.'],
  ['CAA', '256 issue "a.example"', 'The flags of a CAA record are 0, or 128 for critical.'],
  [
    'CAA',
    '0 toString "a.example"',
    'The tag must be one of issue, issuewild, issuemail, iodef, contactemail, contactphone.',
  ],
  ...['""', '"-a.example"', '"a.example; x"', '"a.example b.example"', '"https://a.example"'].map(
    (value) => ['CAA', `0 issue ${value}`, CAA_ISSUE] as const,
  ),
  ...['mailto:nobody', 'ftp://a.example', 'a@a.example'].map(
    (value) => ['CAA', `0 iodef ${value}`, CAA_IODEF] as const,
  ),
  ...[
    '',
    '10 5 5060',
    '10 5 5060 a.example b',
    '10 5 65536 a.example',
    '-1 5 5060 a.example',
    '1 2 0x3 a.example',
  ].map((value) => ['SRV', value, SRV] as const),
  ['SRV', '1 1 1 192.0.2.1', 'An SRV record points to a host name, not an IP address.'],
  ['SRV', '1 1 1 _a.example.com', LETTERS],
  ['PTR', '192.0.2.1', 'A PTR record points to a host name, not an IP address.'],
  ['ALIAS', '2001:db8::1', 'An ALIAS record points to a host name, not an IP address.'],
  ...['', '3 1', '3 1 1', '3 1 1 abc', `3 1 1 ${'zz'.repeat(32)}`, '3 x 1 ab'].map(
    (value) => ['TLSA', value, TLSA] as const,
  ),
  ['TLSA', '4 1 1 ab', 'The usage must be 0, 1, 2 or 3.'],
  ['TLSA', '3 2 1 ab', 'The selector must be 0 or 1.'],
  ['TLSA', '3 1 3 ab', 'The matching type must be 0, 1 or 2.'],
  ['TLSA', '3 1 1 abcd', 'A digest of this type has 64 hexadecimal digits, not 4.'],
  ['TLSA', `2 0 0 ${'ab'.repeat(1100)}`, 'The value can have at most 2048 characters.'],
  ['SSHFP', '5 2 ab', 'The algorithm must be 1, 2, 3, 4 or 6.'],
  ['SSHFP', '4 1 abab', 'A digest of this type has 40 hexadecimal digits, not 4.'],
  ['DS', `65536 13 2 ${'ab'.repeat(32)}`, DS],
  ['DS', `1 3 2 ${'ab'.repeat(32)}`, 'The algorithm must be 5, 7, 8, 10, 13, 14, 15 or 16.'],
  ['DS', `1 13 3 ${'ab'.repeat(32)}`, 'The digest type must be 1, 2 or 4.'],
  ['DS', `1 13 4 ${'ab'.repeat(32)}`, 'A digest of this type has 96 hexadecimal digits, not 64.'],
  ...['', '1', '. alpn=h2', '65536 . alpn=h2', 'x . alpn=h2'].map(
    (value) => ['HTTPS', value, HTTPS] as const,
  ),
  ['HTTPS', '0 .', 'Priority 0 takes only a host, like 0 www.example.com.'],
  ['HTTPS', '0 a.example alpn=h2', 'Priority 0 takes only a host, like 0 www.example.com.'],
  ['HTTPS', '1 192.0.2.1', 'An HTTPS record points to a host name, not an IP address.'],
  ['HTTPS', '1 . alpn=h2 alpn=h3', 'The parameter alpn can be there only once.'],
  ['HTTPS', '1 . key65333=x', PARAMETERS],
  ['HTTPS', '1 . constructor=x', PARAMETERS],
  ['HTTPS', '1 . alpn=', 'The parameter alpn takes protocols, like alpn=h2,h3.'],
  ['HTTPS', '1 . alpn=h2,,h3', 'The parameter alpn takes protocols, like alpn=h2,h3.'],
  ['HTTPS', '1 . port=65536', 'The parameter port takes a number, like port=8443.'],
  [
    'HTTPS',
    '1 . ipv4hint=192.0.2.256',
    'The parameter ipv4hint takes at most 16 IPv4 addresses, like ipv4hint=203.0.113.10.',
  ],
  [
    'SVCB',
    `1 . ipv6hint=${Array.from({ length: 17 }, (_, i) => `::${i + 1}`).join(',')}`,
    'The parameter ipv6hint takes at most 16 IPv6 addresses, like ipv6hint=2001:db8::10.',
  ],
  ['HTTPS', '1 . ech=a', 'The parameter ech takes text in Base64.'],
  ['HTTPS', '1 . no-default-alpn', 'The parameter no-default-alpn needs alpn beside it.'],
  ['HTTPS', '1 . mandatory=alpn port=1', "The parameter alpn is mandatory, but isn't there."],
  [
    'HTTPS',
    '1 . mandatory=mandatory',
    'The parameter mandatory takes names of other parameters, like mandatory=alpn,port.',
  ],
  ['SVCB', '1 . dohpath=/q', 'The parameter dohpath takes a path, like dohpath=/dns-query{?dns}.'],
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
      { recordType: 'NAPTR' },
      [
        {
          path: ['recordType'],
          message:
            'Type must be one of A, AAAA, CNAME, MX, TXT, NS, CAA, SRV, PTR, TLSA, SSHFP, HTTPS, SVCB, DS, ALIAS.',
        },
      ],
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
