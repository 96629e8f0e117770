/** Zones, and what an authoritative server says to questions about them. Names without final dot are in example.test. */

const many = (count: number, record: (index: number) => string) =>
  Array.from({ length: count }, (_, i) => record(i));

export const ZONES: Readonly<Record<string, readonly string[]>> = {
  'nephos.test': ['ns1 300 A 192.0.2.53', 'ns2 300 A 192.0.2.54', 'ns2 300 AAAA 2001:db8::54'],
  'example.test': [
    '@ 300 A 192.0.2.1',
    '@ 300 AAAA 2001:db8::1',
    '@ 300 MX 10 mail.example.test',
    '@ 300 MX 20 mx.other.test',
    '@ 300 MX 30 mx.elsewhere.invalid',
    '@ 300 TXT v=spf1 -all',
    'nomail 300 MX 0 .',
    'www 300 A 192.0.2.10',
    'www 300 A 192.0.2.11',
    'mail 300 A 192.0.2.25',
    'mail 300 AAAA 2001:db8::25',
    'only6 300 AAAA ::ffff:192.0.2.6',
    'alias 600 CNAME www.example.test',
    'alias2 600 CNAME alias.example.test',
    'abroad 600 CNAME www.other.test',
    'outside 600 CNAME www.elsewhere.invalid',
    'dangling 600 CNAME nowhere.example.test',
    'toapex 600 CNAME example.test',
    'toent 600 CNAME c.example.test',
    'loop1 600 CNAME loop2.example.test',
    'loop2 600 CNAME loop1.example.test',
    'self 600 CNAME self.example.test',
    'into 600 CNAME host.sub.example.test',
    'towild 600 CNAME any.wild.example.test',
    ...many(20, (i) => `chain${i} 600 CNAME chain${i + 1}.example.test`),
    'a.b.c 300 A 192.0.2.30',
    '*.wild 300 A 192.0.2.99',
    '*.wild 300 TXT wild',
    '*.wild 300 MX 5 mail.example.test',
    'host.wild 300 AAAA 2001:db8::98',
    'x.ent.wild 300 A 192.0.2.97',
    '*.cwild 600 CNAME www.example.test',
    '*.lwild 600 CNAME again.lwild.example.test',
    'sub 900 NS ns.sub.example.test',
    'sub 900 NS ns.other.test',
    'ns.sub 900 A 192.0.2.100',
    'far 900 NS ns1.elsewhere.invalid',
    'own 900 NS ns1.nephos.test',
    '_dmarc 300 TXT v=DMARC1; p=none',
    '_443._tcp.www 300 TXT service',
    'quotes 300 TXT say "hi" \\ back',
    'octets 300 TXT grüße €',
    `long 300 TXT ${'a'.repeat(255)}${'b'.repeat(45)}`,
    'flat 900 ALIAS www.example.test',
    'flat2 200 ALIAS alias2.example.test',
    'flat3 900 ALIAS flat.example.test',
    'flatabroad 900 ALIAS back.other.test',
    'flatgone 900 ALIAS nowhere.example.test',
    'flatout 900 ALIAS outside.example.test',
    'flatsub 900 ALIAS host.sub.example.test',
    'flatloop 900 ALIAS flatloop2.example.test',
    'flatloop2 900 ALIAS flatloop.example.test',
    'toflat 600 CNAME flat.example.test',
    '*.flatwild 900 ALIAS www.example.test',
    '_sip._tcp 300 SRV 10 5 5060 mail.example.test',
    'signed 900 NS ns1.elsewhere.invalid',
    `signed 900 DS 60485 13 2 ${'d4'.repeat(32)}`,
  ],
  'other.test': [
    '@ 900 NS ns.user.invalid',
    '@ 900 NS ns.other.test',
    'www 300 A 192.0.2.200',
    'mx 300 A 192.0.2.201',
    'ns 300 A 192.0.2.202',
    'back 600 CNAME alias.example.test',
    'ping 600 CNAME pong.example.test',
  ],
  // Served beside its parent: once delegated there, once not.
  'own.example.test': ['@ 300 A 192.0.2.60', 'www 300 A 192.0.2.61'],
  'child.example.test': ['@ 300 A 192.0.2.70'],
  // RFC 4592 §2.2.1, with TXT in the place of SRV.
  'rfc4592.test': [
    '* 3600 TXT this is a wildcard',
    '* 3600 MX 10 host1.rfc4592.test',
    'sub.* 3600 TXT this is not a wildcard',
    'host1 3600 A 192.0.2.1',
    '_ssh._tcp.host1 3600 TXT service',
    '_ssh._tcp.host2 3600 TXT service',
    'subdel 3600 NS ns.example.invalid',
    'subdel 3600 NS ns.example2.invalid',
  ],
};

export interface Case {
  /** Where it is written. */
  rfc: string;
  /** Names, then types, both between commas: a question each. */
  questions: string;
  /** Code, then `aa` where the answer is authoritative. */
  status: string;
  answer?: readonly string[];
  authority?: readonly string[];
  additional?: readonly string[];
}

const SOA = ['@ 300 SOA'];
const OTHER_SOA = ['other.test. 300 SOA'];
const RFC4592_SOA = ['rfc4592.test. 300 SOA'];
const WWW = ['www 300 A 192.0.2.10', 'www 300 A 192.0.2.11'];
const NAME_SERVER_ADDRESSES = [
  'ns1.nephos.test. 300 A 192.0.2.53',
  'ns2.nephos.test. 300 A 192.0.2.54',
  'ns2.nephos.test. 300 AAAA 2001:db8::54',
];
const MAIL = ['mail 300 A 192.0.2.25', 'mail 300 AAAA 2001:db8::25'];
const SUB_NS = ['sub 900 NS ns.sub', 'sub 900 NS ns.other.test.'];
const SUB_GLUE = ['ns.sub 900 A 192.0.2.100', 'ns.other.test. 300 A 192.0.2.202'];

export const CASES: readonly Case[] = [
  // Names that exist
  { rfc: '1034 §4.3.2 3a', questions: 'www A', status: 'NOERROR aa', answer: WWW },
  { rfc: '1034 §4.3.2 3a', questions: '@ A', status: 'NOERROR aa', answer: ['@ 300 A 192.0.2.1'] },
  { rfc: '3596 §2.1', questions: '@ AAAA', status: 'NOERROR aa', answer: ['@ 300 AAAA 2001:db8::1'] },
  {
    rfc: '3596 §2.2',
    questions: 'only6 AAAA',
    status: 'NOERROR aa',
    answer: ['only6 300 AAAA ::ffff:c000:206'],
  },
  { rfc: '1035 §3.3.14', questions: '@ TXT', status: 'NOERROR aa', answer: ['@ 300 TXT "v=spf1 -all"'] },
  {
    rfc: '8552 §1',
    questions: '_dmarc TXT',
    status: 'NOERROR aa',
    answer: ['_dmarc 300 TXT "v=DMARC1; p=none"'],
  },
  {
    rfc: '8552 §1',
    questions: '_443._tcp.www TXT',
    status: 'NOERROR aa',
    answer: ['_443._tcp.www 300 TXT "service"'],
  },
  {
    rfc: '1035 §5.1',
    questions: 'quotes TXT',
    status: 'NOERROR aa',
    answer: ['quotes 300 TXT "say \\"hi\\" \\\\ back"'],
  },
  { rfc: '1035 §3.3', questions: 'octets TXT', status: 'NOERROR aa', answer: ['octets 300 TXT "grüße €"'] },
  {
    rfc: '1035 §3.3.14',
    questions: 'long TXT',
    status: 'NOERROR aa',
    answer: [`long 300 TXT "${'a'.repeat(255)}" "${'b'.repeat(45)}"`],
  },
  {
    rfc: '1035 §3.3.9',
    questions: '@ MX',
    status: 'NOERROR aa',
    answer: ['@ 300 MX 10 mail', '@ 300 MX 20 mx.other.test.', '@ 300 MX 30 mx.elsewhere.invalid.'],
    additional: [...MAIL, 'mx.other.test. 300 A 192.0.2.201'],
  },
  { rfc: '7505 §3', questions: 'nomail MX', status: 'NOERROR aa', answer: ['nomail 300 MX 0 .'] },
  {
    rfc: '1035 §3.3.11',
    questions: '@ NS',
    status: 'NOERROR aa',
    answer: ['@ 3600 NS ns1.nephos.test.', '@ 3600 NS ns2.nephos.test.'],
    additional: NAME_SERVER_ADDRESSES,
  },
  {
    rfc: '2181 §5.2',
    questions: 'other.test. NS',
    status: 'NOERROR aa',
    answer: [
      'other.test. 900 NS ns1.nephos.test.',
      'other.test. 900 NS ns2.nephos.test.',
      'other.test. 900 NS ns.user.invalid.',
      'other.test. 900 NS ns.other.test.',
    ],
    additional: [...NAME_SERVER_ADDRESSES, 'ns.other.test. 300 A 192.0.2.202'],
  },
  { rfc: '1035 §3.3.13', questions: '@ SOA', status: 'NOERROR aa', answer: ['@ 3600 SOA'] },
  {
    rfc: '1035 §3.3.13',
    questions: 'other.test. SOA',
    status: 'NOERROR aa',
    answer: ['other.test. 3600 SOA'],
  },
  {
    rfc: '1034 §4.2.1',
    questions: 'own.example.test. A',
    status: 'NOERROR aa',
    answer: ['own 300 A 192.0.2.60'],
  },
  {
    rfc: '1034 §4.3.2 2',
    questions: 'www.own A',
    status: 'NOERROR aa',
    answer: ['www.own 300 A 192.0.2.61'],
  },
  { rfc: '1034 §4.3.2 2', questions: 'child A', status: 'NOERROR aa', answer: ['child 300 A 192.0.2.70'] },
  {
    rfc: '4343 §4.1',
    questions: 'WwW.eXaMpLe.TeSt. A',
    status: 'NOERROR aa',
    answer: ['WwW.eXaMpLe.TeSt. 300 A 192.0.2.10', 'WwW.eXaMpLe.TeSt. 300 A 192.0.2.11'],
  },
  { rfc: '4343 §4.1', questions: 'ALIAS CNAME', status: 'NOERROR aa', answer: ['ALIAS 600 CNAME www'] },

  // Types that a name does not have
  {
    rfc: '2308 §2.2',
    questions: 'www AAAA,MX,TXT,NS,SOA,CNAME,PTR,SRV,CAA,DS,DNSKEY,NSEC,RRSIG,TLSA,SSHFP,NAPTR,HINFO,RP',
    status: 'NOERROR aa',
    authority: SOA,
  },
  {
    rfc: '2308 §2.2',
    questions: '@ CNAME,PTR,SRV,CAA,DS,DNSKEY,NSEC3PARAM',
    status: 'NOERROR aa',
    authority: SOA,
  },
  {
    rfc: '3597 §3',
    questions: 'www UNKNOWN_65,UNKNOWN_64,UNKNOWN_1234,UNKNOWN_65280',
    status: 'NOERROR aa',
    authority: SOA,
  },
  { rfc: '2308 §3', questions: 'www.other.test. AAAA,MX', status: 'NOERROR aa', authority: OTHER_SOA },
  { rfc: '2308 §2.2', questions: 'only6 A', status: 'NOERROR aa', authority: SOA },

  // Names that do not exist
  {
    rfc: '2308 §2.1',
    questions: 'nowhere A,AAAA,MX,TXT,NS,SOA,CNAME,DS,ANY,UNKNOWN_65',
    status: 'NXDOMAIN aa',
    authority: SOA,
  },
  {
    rfc: '8020 §2',
    questions: 'x.nowhere,y.x.nowhere,a.www,deep.a.www A,MX',
    status: 'NXDOMAIN aa',
    authority: SOA,
  },
  { rfc: '2308 §3', questions: 'nowhere.other.test. A,TXT', status: 'NXDOMAIN aa', authority: OTHER_SOA },
  { rfc: '1034 §4.3.2 3c', questions: 'a.mail,x.alias,x.quotes A', status: 'NXDOMAIN aa', authority: SOA },
  { rfc: '1034 §4.3.2 3c', questions: 'ww,wwww,-,xn--w A', status: 'NXDOMAIN aa', authority: SOA },
  { rfc: '2308 §2.1', questions: 'x.child A', status: 'NXDOMAIN aa', authority: ['child 300 SOA'] },

  // Names that exist only because of others below them
  {
    rfc: '4592 §2.2.2',
    questions: 'c,b.c,_tcp.www,ent.wild,wild,cwild A,TXT,ANY',
    status: 'NOERROR aa',
    authority: SOA,
  },
  { rfc: '8020 §3', questions: 'a.b.c A', status: 'NOERROR aa', answer: ['a.b.c 300 A 192.0.2.30'] },
  { rfc: '8020 §2', questions: 'x.c,x.b.c,z.a.b.c A', status: 'NXDOMAIN aa', authority: SOA },

  // Aliases
  { rfc: '1034 §3.6.2', questions: 'alias A', status: 'NOERROR aa', answer: ['alias 600 CNAME www', ...WWW] },
  { rfc: '1034 §3.6.2', questions: 'alias CNAME', status: 'NOERROR aa', answer: ['alias 600 CNAME www'] },
  {
    rfc: '1034 §4.3.2 3a',
    questions: 'alias2 A',
    status: 'NOERROR aa',
    answer: ['alias2 600 CNAME alias', 'alias 600 CNAME www', ...WWW],
  },
  {
    rfc: '1034 §4.3.2 3a',
    questions: 'alias2 CNAME',
    status: 'NOERROR aa',
    answer: ['alias2 600 CNAME alias'],
  },
  {
    rfc: '2308 §2.2',
    questions: 'alias AAAA,MX,TXT',
    status: 'NOERROR aa',
    answer: ['alias 600 CNAME www'],
    authority: SOA,
  },
  {
    rfc: '2308 §2.2',
    questions: 'alias2 AAAA',
    status: 'NOERROR aa',
    answer: ['alias2 600 CNAME alias', 'alias 600 CNAME www'],
    authority: SOA,
  },
  {
    rfc: '6604 §3',
    questions: 'dangling A,AAAA,TXT',
    status: 'NXDOMAIN aa',
    answer: ['dangling 600 CNAME nowhere'],
    authority: SOA,
  },
  {
    rfc: '1034 §4.3.2 3a',
    questions: 'dangling CNAME',
    status: 'NOERROR aa',
    answer: ['dangling 600 CNAME nowhere'],
  },
  {
    rfc: '1034 §3.6.2',
    questions: 'outside A,AAAA,MX',
    status: 'NOERROR aa',
    answer: ['outside 600 CNAME www.elsewhere.invalid.'],
  },
  {
    rfc: '1034 §4.3.2 3a',
    questions: 'abroad A',
    status: 'NOERROR aa',
    answer: ['abroad 600 CNAME www.other.test.', 'www.other.test. 300 A 192.0.2.200'],
  },
  {
    rfc: '2308 §2.2',
    questions: 'abroad AAAA',
    status: 'NOERROR aa',
    answer: ['abroad 600 CNAME www.other.test.'],
    authority: OTHER_SOA,
  },
  {
    rfc: '1034 §4.3.2 3a',
    questions: 'back.other.test. A',
    status: 'NOERROR aa',
    answer: ['back.other.test. 600 CNAME alias', 'alias 600 CNAME www', ...WWW],
  },
  {
    rfc: '6604 §3',
    questions: 'ping.other.test. A',
    status: 'NXDOMAIN aa',
    answer: ['ping.other.test. 600 CNAME pong'],
    authority: SOA,
  },
  {
    rfc: '1034 §3.6.2',
    questions: 'toapex A',
    status: 'NOERROR aa',
    answer: ['toapex 600 CNAME @', '@ 300 A 192.0.2.1'],
  },
  {
    rfc: '1034 §3.6.2',
    questions: 'toapex SOA',
    status: 'NOERROR aa',
    answer: ['toapex 600 CNAME @', '@ 3600 SOA'],
  },
  {
    rfc: '1034 §3.6.2',
    questions: 'toapex NS',
    status: 'NOERROR aa',
    answer: ['toapex 600 CNAME @', '@ 3600 NS ns1.nephos.test.', '@ 3600 NS ns2.nephos.test.'],
    additional: NAME_SERVER_ADDRESSES,
  },
  {
    rfc: '4592 §2.2.2',
    questions: 'toent A',
    status: 'NOERROR aa',
    answer: ['toent 600 CNAME c'],
    authority: SOA,
  },
  {
    rfc: '1034 §5.2.2',
    questions: 'loop1 A,TXT',
    status: 'NOERROR aa',
    answer: ['loop1 600 CNAME loop2', 'loop2 600 CNAME loop1'],
  },
  { rfc: '1034 §5.2.2', questions: 'self A,AAAA', status: 'NOERROR aa', answer: ['self 600 CNAME self'] },
  { rfc: '1034 §5.2.2', questions: 'self CNAME', status: 'NOERROR aa', answer: ['self 600 CNAME self'] },
  {
    rfc: '1034 §5.2.2',
    questions: 'chain0 A',
    status: 'NOERROR aa',
    answer: many(16, (i) => `chain${i} 600 CNAME chain${i + 1}`),
  },
  {
    rfc: '6604 §3',
    questions: 'chain15 A',
    status: 'NXDOMAIN aa',
    answer: many(5, (i) => `chain${i + 15} 600 CNAME chain${i + 16}`),
    authority: SOA,
  },

  // Wildcards
  {
    rfc: '4592 §3.3.1',
    questions: 'any.wild A',
    status: 'NOERROR aa',
    answer: ['any.wild 300 A 192.0.2.99'],
  },
  {
    rfc: '4592 §3.3.1',
    questions: 'a.b.wild A',
    status: 'NOERROR aa',
    answer: ['a.b.wild 300 A 192.0.2.99'],
  },
  {
    rfc: '4592 §3.3.1',
    questions: 'any.wild TXT',
    status: 'NOERROR aa',
    answer: ['any.wild 300 TXT "wild"'],
  },
  {
    rfc: '4592 §3.3.1',
    questions: 'any.wild MX',
    status: 'NOERROR aa',
    answer: ['any.wild 300 MX 5 mail'],
    additional: MAIL,
  },
  {
    rfc: '4592 §2.2.1',
    questions: 'any.wild,a.b.wild AAAA,NS,SOA,CNAME',
    status: 'NOERROR aa',
    authority: SOA,
  },
  { rfc: '4592 §2.1.3', questions: '*.wild A', status: 'NOERROR aa', answer: ['*.wild 300 A 192.0.2.99'] },
  { rfc: '4592 §2.1.3', questions: '*.wild AAAA', status: 'NOERROR aa', authority: SOA },
  { rfc: '4592 §2.2.1', questions: 'x.*.wild A', status: 'NXDOMAIN aa', authority: SOA },
  { rfc: '4592 §2.2.1', questions: 'host.wild A,TXT', status: 'NOERROR aa', authority: SOA },
  {
    rfc: '4592 §2.2.1',
    questions: 'host.wild AAAA',
    status: 'NOERROR aa',
    answer: ['host.wild 300 AAAA 2001:db8::98'],
  },
  {
    rfc: '4592 §2.2.1',
    questions: 'below.host.wild,y.ent.wild,z.x.ent.wild A',
    status: 'NXDOMAIN aa',
    authority: SOA,
  },
  {
    rfc: '4592 §2.2.2',
    questions: 'x.ent.wild A',
    status: 'NOERROR aa',
    answer: ['x.ent.wild 300 A 192.0.2.97'],
  },
  {
    rfc: '4592 §4.4',
    questions: 'any.cwild A',
    status: 'NOERROR aa',
    answer: ['any.cwild 600 CNAME www', ...WWW],
  },
  {
    rfc: '4592 §4.4',
    questions: 'any.cwild CNAME',
    status: 'NOERROR aa',
    answer: ['any.cwild 600 CNAME www'],
  },
  {
    rfc: '4592 §4.4',
    questions: 'any.cwild TXT',
    status: 'NOERROR aa',
    answer: ['any.cwild 600 CNAME www'],
    authority: SOA,
  },
  {
    rfc: '4592 §4.4',
    questions: 'any.lwild A',
    status: 'NOERROR aa',
    answer: ['any.lwild 600 CNAME again.lwild', 'again.lwild 600 CNAME again.lwild'],
  },
  {
    rfc: '4592 §3.3.1',
    questions: 'towild A',
    status: 'NOERROR aa',
    answer: ['towild 600 CNAME any.wild', 'any.wild 300 A 192.0.2.99'],
  },
  {
    rfc: '4592 §3.3.1',
    questions: 'towild AAAA',
    status: 'NOERROR aa',
    answer: ['towild 600 CNAME any.wild'],
    authority: SOA,
  },
  { rfc: '4343 §4.1', questions: 'AnY.wild A', status: 'NOERROR aa', answer: ['AnY.wild 300 A 192.0.2.99'] },

  // RFC 4592's own example
  {
    rfc: '4592 §2.2.1',
    questions: 'host3.rfc4592.test. MX',
    status: 'NOERROR aa',
    answer: ['host3.rfc4592.test. 3600 MX 10 host1.rfc4592.test.'],
    additional: ['host1.rfc4592.test. 3600 A 192.0.2.1'],
  },
  { rfc: '4592 §2.2.1', questions: 'host3.rfc4592.test. A', status: 'NOERROR aa', authority: RFC4592_SOA },
  {
    rfc: '4592 §2.2.1',
    questions: 'foo.bar.rfc4592.test. TXT',
    status: 'NOERROR aa',
    answer: ['foo.bar.rfc4592.test. 3600 TXT "this is a wildcard"'],
  },
  { rfc: '4592 §2.2.1', questions: 'host1.rfc4592.test. MX', status: 'NOERROR aa', authority: RFC4592_SOA },
  { rfc: '4592 §2.2.1', questions: 'sub.*.rfc4592.test. MX', status: 'NOERROR aa', authority: RFC4592_SOA },
  {
    rfc: '4592 §2.2.1',
    questions: 'sub.*.rfc4592.test. TXT',
    status: 'NOERROR aa',
    answer: ['sub.*.rfc4592.test. 3600 TXT "this is not a wildcard"'],
  },
  {
    rfc: '4592 §2.2.1',
    questions: '_telnet._tcp.host1.rfc4592.test. TXT',
    status: 'NXDOMAIN aa',
    authority: RFC4592_SOA,
  },
  {
    rfc: '4592 §2.2.1',
    questions: 'host.subdel.rfc4592.test. A',
    status: 'NOERROR',
    authority: [
      'subdel.rfc4592.test. 3600 NS ns.example.invalid.',
      'subdel.rfc4592.test. 3600 NS ns.example2.invalid.',
    ],
  },
  {
    rfc: '4592 §2.2.1',
    questions: 'ghost.*.rfc4592.test. MX',
    status: 'NXDOMAIN aa',
    authority: RFC4592_SOA,
  },
  {
    rfc: '4592 §2.2.2',
    questions: '_tcp.host2.rfc4592.test.,host2.rfc4592.test. MX',
    status: 'NOERROR aa',
    authority: RFC4592_SOA,
  },

  // Delegations
  {
    rfc: '1034 §4.3.2 3b',
    questions: 'sub A,NS,MX,SOA,ANY',
    status: 'NOERROR',
    authority: SUB_NS,
    additional: SUB_GLUE,
  },
  {
    rfc: '1034 §4.3.2 3b',
    questions: 'host.sub,a.b.sub A,AAAA,TXT',
    status: 'NOERROR',
    authority: SUB_NS,
    additional: SUB_GLUE,
  },
  {
    rfc: '2181 §6.1',
    questions: 'ns.sub A,AAAA',
    status: 'NOERROR',
    authority: SUB_NS,
    additional: SUB_GLUE,
  },
  { rfc: '4035 §3.1.4.1', questions: 'sub DS', status: 'NOERROR aa', authority: SOA },
  {
    rfc: '4035 §3.1.4.1',
    questions: 'host.sub DS',
    status: 'NOERROR',
    authority: SUB_NS,
    additional: SUB_GLUE,
  },
  {
    rfc: '1034 §4.2.1',
    questions: 'far,x.far A',
    status: 'NOERROR',
    authority: ['far 900 NS ns1.elsewhere.invalid.'],
  },
  {
    rfc: '1034 §4.3.2 4',
    questions: 'into A,AAAA',
    status: 'NOERROR aa',
    answer: ['into 600 CNAME host.sub'],
    authority: SUB_NS,
    additional: SUB_GLUE,
  },
  { rfc: '4035 §3.1.4.1', questions: 'own DS', status: 'NOERROR aa', authority: SOA },
  { rfc: '4035 §3.1.4.1', questions: 'child DS', status: 'NOERROR aa', authority: ['child 300 SOA'] },

  {
    rfc: '4035 §3.1.4.1',
    questions: 'signed DS',
    status: 'NOERROR aa',
    answer: [`signed 900 DS 60485 13 2 ${'d4'.repeat(32)}`],
  },

  // Aliases that are flattened: the shortest TTL of all that led there
  {
    rfc: 'ours: ALIAS',
    questions: 'flat,flat3 A',
    status: 'NOERROR aa',
    answer: ['= 300 A 192.0.2.10', '= 300 A 192.0.2.11'],
  },
  {
    rfc: 'ours: ALIAS',
    questions: 'flat2 A',
    status: 'NOERROR aa',
    answer: ['= 200 A 192.0.2.10', '= 200 A 192.0.2.11'],
  },
  {
    rfc: 'ours: ALIAS',
    questions: 'flatabroad,any.flatwild A',
    status: 'NOERROR aa',
    answer: ['= 300 A 192.0.2.10', '= 300 A 192.0.2.11'],
  },
  {
    rfc: 'ours: ALIAS',
    questions: 'toflat A',
    status: 'NOERROR aa',
    answer: ['toflat 600 CNAME flat', 'flat 300 A 192.0.2.10', 'flat 300 A 192.0.2.11'],
  },
  {
    rfc: 'ours: ALIAS',
    questions: 'flat,flatabroad,flatgone,any.flatwild AAAA,TXT,CNAME,UNKNOWN_0',
    status: 'NOERROR aa',
    authority: SOA,
  },
  { rfc: 'ours: ALIAS', questions: 'flatout,flatsub,flatloop A,AAAA', status: 'SERVFAIL' },
  { rfc: 'ours: ALIAS', questions: 'flatout,flatloop TXT', status: 'NOERROR aa', authority: SOA },
  { rfc: '8482 §4.2', questions: 'flat ANY', status: 'NOERROR aa', answer: ['flat 3600 HINFO RFC8482'] },

  // Services
  {
    rfc: '2782',
    questions: '_sip._tcp SRV',
    status: 'NOERROR aa',
    answer: ['_sip._tcp 300 SRV 10 5 5060 mail'],
    additional: MAIL,
  },

  // ANY
  {
    rfc: '8482 §4.2',
    questions: 'www,@,a.b.c,any.wild ANY',
    status: 'NOERROR aa',
    answer: ['= 3600 HINFO RFC8482'],
  },
  // What a signed zone would have beside the alias is asked of the alias itself.
  {
    rfc: '4035 §2.5',
    questions: 'alias,loop1,dangling,abroad,any.cwild NSEC,RRSIG',
    status: 'NOERROR aa',
    authority: ['@ 300 SOA'],
  },
  { rfc: '8482 §4.2', questions: 'alias ANY', status: 'NOERROR aa', answer: ['alias 600 CNAME www'] },
  { rfc: '8482 §4.2', questions: 'any.cwild ANY', status: 'NOERROR aa', answer: ['any.cwild 600 CNAME www'] },

  // What is not ours
  {
    rfc: '1034 §4.3.1',
    questions: 'elsewhere.invalid.,www.elsewhere.invalid.,test.,invalid. A,NS,SOA,ANY',
    status: 'REFUSED',
  },
  { rfc: '1034 §4.3.1', questions: '. NS,A,SOA', status: 'REFUSED' },
  { rfc: '1034 §4.3.1', questions: 'xexample.test.,example.tes.,example.testx. A', status: 'REFUSED' },
  { rfc: '5936 §2.2.1', questions: '@,www,other.test. AXFR,IXFR', status: 'REFUSED' },
  { rfc: '6895 §3.1', questions: '@ OPT,TKEY,TSIG', status: 'FORMERR' },
  { rfc: '6895 §3.1', questions: '@ UNKNOWN_253,UNKNOWN_254', status: 'NOTIMP' },
];
