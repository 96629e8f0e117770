import {
  type DnsRecord,
  MAX_RECORDS_PER_SET,
  MAX_RECORDS_PER_ZONE,
  MAX_TEXT_PER_SET,
  MAX_ZONES,
} from '@nephos/contracts';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { Answer, Person, World } from '../world.ts';
import { add, addAll, createRecordsWorld, everything, recordOf, type Short, tryAdd } from './dns-records.ts';

let world: World;
let ada: Person;
let bob: Person;

beforeAll(async () => {
  ({ world, ada, bob } = await createRecordsWorld());
});
afterEach(() => world.deps.db.deleteFrom('dnsZones').execute());
afterAll(() => world.close());

const HOST = 'ns.other.test';

interface Refused {
  given: readonly Short[];
  /** Adds this. */
  add?: Short;
  /** Changes the record of `given` at this place. */
  change?: [number, Partial<Pick<DnsRecord, 'name' | 'value' | 'ttl'>>];
  /** Deletes the record of `given` at this place. */
  remove?: number;
  code: string;
  message: string;
}

const NO_MAIL = 'the record 0 . means it accepts no mail';
const SHARE =
  'The other A records of www.example.test have a TTL of 300. Records with the same name and type share one TTL.';

const LEADS_AWAY =
  'has no addresses because www.example.test has a CNAME record to www.elsewhere.test, outside example.test. Point it to a name with addresses here, or add A and AAAA records instead.';
const NOT_SERVED =
  "isn't served by this name server. Point the ALIAS record to a name in an active domain here, or add A and AAAA records instead.";
const DIGEST = `60485 13 2 ${'d4'.repeat(32)}`;

const refused: Record<string, Refused> = {
  'the same record twice': {
    given: [['A', 'www', '192.0.2.1']],
    add: ['A', 'WWW.example.test.', '192.0.2.1'],
    code: 'DUPLICATE',
    message: 'www.example.test already has this A record.',
  },
  'the same address in another spelling': {
    given: [['AAAA', '@', '2001:db8::1']],
    add: ['AAAA', '@', '2001:0DB8:0:0::1'],
    code: 'DUPLICATE',
    message: 'example.test already has this AAAA record.',
  },
  'the same CNAME twice': {
    given: [['CNAME', 'www', 'a.other.test']],
    add: ['CNAME', 'www', 'A.other.test.'],
    code: 'DUPLICATE',
    message: 'www.example.test already has this CNAME record.',
  },
  'the same text, quoted': {
    given: [['TXT', '@', 'hello world']],
    add: ['TXT', '@', '"hello " "world"'],
    code: 'DUPLICATE',
    message: 'example.test already has this TXT record.',
  },
  'a change into another record': {
    given: [
      ['A', 'www', '192.0.2.1'],
      ['A', 'www', '192.0.2.2'],
    ],
    change: [0, { value: '192.0.2.2' }],
    code: 'DUPLICATE',
    message: 'www.example.test already has this A record.',
  },
  'a CNAME for the domain itself': {
    given: [['A', 'www', '192.0.2.1']],
    add: ['CNAME', '@', 'a.other.test'],
    code: 'CNAME_CONFLICT',
    message: "example.test itself can't have a CNAME record, only names below it.",
  },
  'a CNAME as the first record of a domain, for itself': {
    given: [],
    add: ['CNAME', '@', 'a.other.test'],
    code: 'CNAME_CONFLICT',
    message: "example.test itself can't have a CNAME record, only names below it.",
  },
  'a CNAME that is moved to the domain itself': {
    given: [['CNAME', 'www', 'a.other.test']],
    change: [0, { name: '@' }],
    code: 'CNAME_CONFLICT',
    message: "example.test itself can't have a CNAME record, only names below it.",
  },
  'a CNAME beside another record': {
    given: [['TXT', 'www', 'hello']],
    add: ['CNAME', 'www', 'a.other.test'],
    code: 'CNAME_CONFLICT',
    message: "www.example.test can't have a CNAME record alongside TXT records.",
  },
  'another record beside a CNAME': {
    given: [['CNAME', 'www', 'a.other.test']],
    add: ['A', 'www', '192.0.2.1'],
    code: 'CNAME_CONFLICT',
    message: "www.example.test can't have a CNAME record alongside A records.",
  },
  'a record that is moved beside a CNAME': {
    given: [
      ['CNAME', 'www', 'a.other.test'],
      ['A', 'a', '192.0.2.1'],
    ],
    change: [1, { name: 'www' }],
    code: 'CNAME_CONFLICT',
    message: "www.example.test can't have a CNAME record alongside A records.",
  },
  'a second CNAME': {
    given: [['CNAME', 'www', 'a.other.test']],
    add: ['CNAME', 'www', 'b.other.test'],
    code: 'CNAME_CONFLICT',
    message: 'www.example.test already has a CNAME record. A name can only have one.',
  },
  'a CNAME to itself': {
    given: [],
    add: ['CNAME', 'www', 'www.example.test'],
    code: 'CNAME_CONFLICT',
    message: 'The CNAME record of www.example.test would point back to itself.',
  },
  'a CNAME that closes a loop': {
    given: [
      ['CNAME', 'a', 'b.example.test'],
      ['CNAME', 'b', 'c.example.test'],
    ],
    add: ['CNAME', 'c', 'a.example.test'],
    code: 'CNAME_CONFLICT',
    message: 'The CNAME record of a.example.test would point back to itself.',
  },
  'a wildcard CNAME whose target only it answers for': {
    given: [],
    add: ['CNAME', '*', 'w.example.test'],
    code: 'CNAME_CONFLICT',
    message: 'The CNAME record of *.example.test would point back to itself.',
  },
  'a CNAME that closes a loop through a wildcard': {
    given: [
      ['A', 'x.dev', '192.0.2.1'],
      ['CNAME', '*.dev', 'www.example.test'],
    ],
    add: ['CNAME', 'www', 'any.dev.example.test'],
    code: 'CNAME_CONFLICT',
    message: 'The CNAME record of *.dev.example.test would point back to itself.',
  },
  'deleting the record that kept a wildcard CNAME from itself': {
    given: [
      ['A', 'w', '192.0.2.1'],
      ['CNAME', '*', 'w.example.test'],
    ],
    remove: 0,
    code: 'CNAME_CONFLICT',
    message: 'The CNAME record of *.example.test would point back to itself.',
  },
  'another TTL in a set': {
    given: [['A', 'www', '192.0.2.1', 300]],
    add: ['A', 'www', '192.0.2.2', 600],
    code: 'TTL_MISMATCH',
    message: SHARE,
  },
  'a move into a set of another TTL': {
    given: [
      ['A', 'www', '192.0.2.1', 300],
      ['A', 'a', '192.0.2.2', 600],
    ],
    change: [1, { name: 'www' }],
    code: 'TTL_MISMATCH',
    message: SHARE,
  },
  'a mail server beside the record that there is none': {
    given: [['MX', '@', '0 .']],
    add: ['MX', '@', '10 mail.example.test'],
    code: 'NULL_MX',
    message: `example.test can't have other MX records: ${NO_MAIL}.`,
  },
  'that there is no mail server beside one': {
    given: [['MX', 'a', '10 mail.example.test']],
    add: ['MX', 'a', '0 .'],
    code: 'NULL_MX',
    message: `a.example.test can't have other MX records: ${NO_MAIL}.`,
  },
  'a mail server that is a CNAME': {
    given: [['CNAME', 'mail', 'a.other.test']],
    add: ['MX', '@', '10 mail.example.test'],
    code: 'CNAME_CONFLICT',
    message: "mail.example.test can't have a CNAME record because an MX record of example.test points to it.",
  },
  'a CNAME where mail goes': {
    given: [['MX', 'a', '10 mail.example.test']],
    add: ['CNAME', 'mail', 'a.other.test'],
    code: 'CNAME_CONFLICT',
    message:
      "mail.example.test can't have a CNAME record because an MX record of a.example.test points to it.",
  },
  'a CNAME for every name, where mail goes to one that is not there': {
    given: [['MX', '@', '10 mail.example.test']],
    add: ['CNAME', '*', 'a.other.test'],
    code: 'CNAME_CONFLICT',
    message: "mail.example.test can't have a CNAME record because an MX record of example.test points to it.",
  },
  'deleting what keeps a mail server from being a CNAME': {
    given: [
      ['CNAME', '*', 'a.other.test'],
      ['A', 'mail', '192.0.2.1'],
      ['MX', '@', '10 mail.example.test'],
    ],
    remove: 1,
    code: 'CNAME_CONFLICT',
    message: "mail.example.test can't have a CNAME record because an MX record of example.test points to it.",
  },
  'a name server that is a CNAME': {
    given: [['CNAME', 'ns', 'a.other.test']],
    add: ['NS', 'dev', 'ns.example.test'],
    code: 'CNAME_CONFLICT',
    message:
      "ns.example.test can't have a CNAME record because an NS record of dev.example.test points to it.",
  },
  'a name server without its address': {
    given: [['TXT', 'ns', 'hello']],
    add: ['NS', '@', 'ns.example.test'],
    code: 'GLUE_NEEDED',
    message: 'ns.example.test needs an A or AAAA record because an NS record of example.test points to it.',
  },
  'a name server below its own delegation without its address': {
    given: [],
    add: ['NS', 'dev', 'ns.dev.example.test'],
    code: 'GLUE_NEEDED',
    message:
      'ns.dev.example.test needs an A or AAAA record because an NS record of dev.example.test points to it.',
  },
  'a name server that only a wildcard gives an address': {
    given: [['A', '*', '192.0.2.1']],
    add: ['NS', 'dev', 'ns.example.test'],
    code: 'GLUE_NEEDED',
    message:
      'ns.example.test needs an A or AAAA record because an NS record of dev.example.test points to it.',
  },
  "deleting a name server's last address": {
    given: [
      ['A', 'ns', '192.0.2.1'],
      ['NS', 'dev', 'ns.example.test'],
    ],
    remove: 0,
    code: 'GLUE_NEEDED',
    message:
      'ns.example.test needs an A or AAAA record because an NS record of dev.example.test points to it.',
  },
  "moving a name server's last address": {
    given: [
      ['AAAA', 'ns', '2001:db8::1'],
      ['NS', 'dev', 'ns.example.test'],
    ],
    change: [0, { name: 'ns2' }],
    code: 'GLUE_NEEDED',
    message:
      'ns.example.test needs an A or AAAA record because an NS record of dev.example.test points to it.',
  },
  'a record at a delegated name': {
    given: [['NS', 'dev', HOST]],
    add: ['TXT', 'dev', 'hello'],
    code: 'DELEGATED',
    message:
      "dev.example.test can't have TXT records here because the NS records of dev.example.test delegate it to other name servers.",
  },
  'a record below a delegated name': {
    given: [['NS', 'dev', HOST]],
    add: ['CNAME', 'a.b.dev', 'a.other.test'],
    code: 'DELEGATED',
    message:
      "a.b.dev.example.test can't have CNAME records here because the NS records of dev.example.test delegate it to other name servers.",
  },
  'a delegation below a delegated name': {
    given: [['NS', 'dev', HOST]],
    add: ['NS', 'a.dev', HOST],
    code: 'DELEGATED',
    message:
      "a.dev.example.test can't have NS records here because the NS records of dev.example.test delegate it to other name servers.",
  },
  'a delegation above records': {
    given: [['MX', 'a.dev', '10 mail.other.test']],
    add: ['NS', 'dev', HOST],
    code: 'DELEGATED',
    message:
      "a.dev.example.test can't have MX records here because the NS records of dev.example.test delegate it to other name servers.",
  },
  'a service on a host that is a CNAME': {
    given: [['CNAME', 'sip', 'a.other.test']],
    add: ['SRV', '_sip._tcp', '10 5 5060 sip.example.test'],
    code: 'CNAME_CONFLICT',
    message:
      "sip.example.test can't have a CNAME record because an SRV record of _sip._tcp.example.test points to it.",
  },
  'an ALIAS beside an address': {
    given: [['AAAA', '@', '2001:db8::1']],
    add: ['ALIAS', '@', 'www.example.test'],
    code: 'ALIAS_CONFLICT',
    message: "example.test can't have an ALIAS record alongside AAAA records.",
  },
  'an address beside an ALIAS': {
    given: [['ALIAS', '@', 'www.example.test']],
    add: ['A', '@', '192.0.2.1'],
    code: 'ALIAS_CONFLICT',
    message: "example.test can't have an ALIAS record alongside A records.",
  },
  'an ALIAS beside a CNAME': {
    given: [['CNAME', 'a', 'www.example.test']],
    add: ['ALIAS', 'a', 'www.example.test'],
    code: 'CNAME_CONFLICT',
    message: "a.example.test can't have a CNAME record alongside ALIAS records.",
  },
  'a second ALIAS': {
    given: [['ALIAS', '@', 'www.example.test']],
    add: ['ALIAS', '@', 'web.example.test'],
    code: 'ALIAS_CONFLICT',
    message: 'example.test already has an ALIAS record. A name can only have one.',
  },
  'an ALIAS to a name that leads back by a CNAME': {
    given: [['CNAME', 'www', 'example.test']],
    add: ['ALIAS', '@', 'www.example.test'],
    code: 'CNAME_CONFLICT',
    message: 'The CNAME record of www.example.test would point back to itself.',
  },
  'an ALIAS to what is not served here': {
    given: [['A', 'www', '192.0.2.1']],
    add: ['ALIAS', '@', 'www.elsewhere.test'],
    code: 'ALIAS_NOT_SERVED',
    message: `www.elsewhere.test ${NOT_SERVED}`,
  },
  'that an ALIAS points to what is not served here': {
    given: [['ALIAS', '@', 'www.example.test']],
    change: [0, { value: 'www.elsewhere.test' }],
    code: 'ALIAS_NOT_SERVED',
    message: `www.elsewhere.test ${NOT_SERVED}`,
  },
  'an ALIAS to a name whose CNAME leads elsewhere': {
    given: [['CNAME', 'www', 'www.elsewhere.test']],
    add: ['ALIAS', '@', 'www.example.test'],
    code: 'ALIAS_CONFLICT',
    message: `The ALIAS record of example.test ${LEADS_AWAY}`,
  },
  'a CNAME to elsewhere at a name that an ALIAS leads to': {
    given: [
      ['ALIAS', '@', 'web.example.test'],
      ['CNAME', 'web', 'www.example.test'],
    ],
    add: ['CNAME', 'www', 'www.elsewhere.test'],
    code: 'ALIAS_CONFLICT',
    message: `The ALIAS record of example.test ${LEADS_AWAY}`,
  },
  'an ALIAS to what others answer for': {
    given: [
      ['A', 'ns.sub', '192.0.2.1'],
      ['NS', 'sub', 'ns.sub.example.test'],
    ],
    add: ['ALIAS', '@', 'ns.sub.example.test'],
    code: 'ALIAS_CONFLICT',
    message:
      'The ALIAS record of example.test has no addresses because sub.example.test is delegated to other name servers. Point it to a name with addresses here, or add A and AAAA records instead.',
  },
  'DS records of the domain itself': {
    given: [['NS', '@', HOST]],
    add: ['DS', '@', DIGEST],
    code: 'DS_CONFLICT',
    message:
      "example.test itself can't have DS records here. Add it at the registrar of example.test, or in the domain above.",
  },
  'DS records of what is not delegated': {
    given: [['A', 'dev', '192.0.2.1']],
    add: ['DS', 'dev', DIGEST],
    code: 'DS_CONFLICT',
    message: 'dev.example.test needs NS records because it has DS records.',
  },
  'deleting the delegation of which there is a DS record': {
    given: [
      ['NS', 'dev', HOST],
      ['DS', 'dev', DIGEST],
    ],
    remove: 0,
    code: 'DS_CONFLICT',
    message: 'dev.example.test needs NS records because it has DS records.',
  },
  'DS records below a delegation': {
    given: [['NS', 'dev', HOST]],
    add: ['DS', 'a.dev', DIGEST],
    code: 'DS_CONFLICT',
    message: 'a.dev.example.test needs NS records because it has DS records.',
  },
  'a delegation of every name': {
    given: [],
    add: ['NS', '*.dev', HOST],
    code: 'CONFLICT',
    message: "*.dev.example.test can't have NS records: wildcards can't be delegated.",
  },
};

/** Does what a case says; `given` are the records that are there. */
function attempt({ add: record, change, remove }: Refused, given: readonly DnsRecord[]): Promise<Answer> {
  if (record) return tryAdd(ada, recordOf(record));
  if (change) return ada.rest(`PATCH /api/dns/${given[change[0]]?.id}`, { body: change[1] });
  return ada.rest(`DELETE /api/dns/${given[remove ?? 0]?.id}`);
}

describe('a zone', () => {
  test.each(Object.entries(refused))('refuses %s, and stays as it was', async (_, refusal) => {
    const given = await addAll(ada, refusal.given);
    const before = await everything(world);
    const { code, message } = refusal;
    expect(await attempt(refusal, given)).toMatchObject({ status: 409, body: { code, message } });
    expect(await everything(world)).toEqual(before);
  });

  const accepted: Record<string, readonly Short[]> = {
    'sets of every type at one name': [
      ['A', '@', '192.0.2.1'],
      ['A', '@', '192.0.2.2'],
      ['AAAA', '@', '2001:db8::1', 60],
      ['MX', '@', '10 mail.other.test'],
      ['MX', '@', '20 mail.other.test'],
      ['TXT', '@', 'a'],
      ['TXT', '@', 'A'],
      ['NS', '@', HOST],
    ],
    'a CNAME chain that ends': [
      ['CNAME', 'a', 'b.example.test'],
      ['CNAME', 'b', 'c.example.test'],
      ['A', 'c', '192.0.2.1'],
    ],
    'a wildcard CNAME to a name that is there': [
      ['A', 'w', '192.0.2.1'],
      ['CNAME', '*', 'w.example.test'],
      ['CNAME', '*.dev', 'x.y.w.example.test'],
    ],
    'a CNAME to the domain itself': [['CNAME', 'www', 'example.test']],
    'that there is no mail server': [
      ['MX', '@', '0 .'],
      ['MX', 'a', '10 mail.other.test'],
    ],
    'mail to a name that is not there yet': [['MX', '@', '10 mail.example.test']],
    'mail to a name of a domain that only ends alike': [
      ['CNAME', 'mail', 'a.other.test'],
      ['MX', '@', '10 mail.notexample.test'],
    ],
    'mail to a name that a wildcard gives addresses': [
      ['A', '*', '192.0.2.1'],
      ['MX', '@', '10 mail.example.test'],
    ],
    'a wildcard CNAME above a name that exists without records': [
      ['A', 'a.mail', '192.0.2.1'],
      ['MX', '@', '10 mail.example.test'],
      ['CNAME', '*', 'a.other.test'],
    ],
    'a wildcard CNAME beside a closer name': [
      ['A', 'x.dev', '192.0.2.1'],
      ['MX', '@', '10 mail.dev.example.test'],
      ['CNAME', '*', 'a.other.test'],
    ],
    'a delegation with name servers inside and outside': [
      ['A', 'ns.dev', '192.0.2.1'],
      ['NS', 'dev', 'ns.dev.example.test'],
      ['NS', 'dev', HOST],
      ['A', 'ns2.dev', '192.0.2.2'],
      ['NS', 'dev', 'ns2.dev.example.test'],
    ],
    'a delegation to itself': [
      ['A', 'dev', '192.0.2.1'],
      ['NS', 'dev', 'dev.example.test'],
    ],
    'a signed delegation': [
      ['NS', 'dev', HOST],
      ['DS', 'dev', DIGEST],
      ['DS', 'dev', `60486 13 2 ${'d4'.repeat(32)}`],
    ],
    'an ALIAS beside what is no address': [
      ['A', 'www', '192.0.2.1'],
      ['ALIAS', '@', 'www.example.test'],
      ['TXT', '@', 'a'],
      ['CAA', '@', '0 issue "letsencrypt.org"'],
      ['MX', '@', '10 mx.example.test'],
      ['ALIAS', 'mx', 'www.example.test'],
      ['ALIAS', '*.dev', 'example.test'],
    ],
    'records of every further type': [
      ['SRV', '_sip._tcp', '10 5 5060 sip.other.test'],
      ['PTR', '1', 'host.other.test'],
      ['TLSA', '_443._tcp', `3 1 1 ${'ab'.repeat(32)}`],
      ['SSHFP', '@', `4 2 ${'ab'.repeat(32)}`],
      ['HTTPS', '@', '1 . alpn=h2,h3'],
      ['SVCB', '_dns', '1 dns.other.test alpn=dot'],
    ],
    'name servers of its own': [
      ['AAAA', 'ns1', '2001:db8::1'],
      ['NS', '@', 'ns1.example.test'],
    ],
  };

  test.each(Object.entries(accepted))('holds %s', async (_, records) => {
    const added = await addAll(ada, records);
    expect(added.map(({ value }) => value)).toEqual(records.map(([, , value]) => value));
    for (const { id } of added.reverse()) await ada.rpc.dns.remove.mutate({ id });
    expect(await everything(world)).toEqual({ zones: [], records: [] });
  });
});

describe('changing a record', () => {
  test('changes what is sent and nothing else, at both doors', async () => {
    const { id, createdAt } = await add(ada, { name: 'www' });
    const rest = await ada.rest(`PATCH /api/dns/${id}`, { body: { value: '192.0.2.2' } });
    const record = {
      id,
      domain: 'example.test',
      recordType: 'A',
      name: 'www',
      value: '192.0.2.2',
      ttl: 3600,
      projectId: null,
      bucketId: null,
      createdAt,
    };
    expect(rest).toMatchObject({ status: 200, body: record });
    expect(await ada.rpc.dns.update.mutate({ id, name: 'WEB.example.test.' })).toEqual({
      ...record,
      name: 'web',
    });
    expect(await ada.rpc.dns.update.mutate({ id, name: '' })).toEqual({ ...record, name: '@' });
    expect(await ada.rpc.dns.update.mutate({ id, ttl: 60 })).toEqual({ ...record, name: '@', ttl: 60 });
    expect(await ada.rpc.dns.list.query()).toEqual([{ ...record, name: '@', ttl: 60 }]);
  });

  test('does not move it to another domain or type, which are ignored', async () => {
    const { id } = await add(ada);
    const body = { domain: 'other.test', recordType: 'TXT', value: '192.0.2.7' };
    expect((await ada.rest(`PATCH /api/dns/${id}`, { body })).body).toMatchObject({
      domain: 'example.test',
      recordType: 'A',
      value: '192.0.2.7',
    });
  });

  test('takes the TTL of its set along', async () => {
    const [first] = await addAll(ada, [
      ['A', 'www', '192.0.2.1', 300],
      ['A', 'www', '192.0.2.2', 300],
      ['TXT', 'www', 'hello', 300],
      ['A', 'a', '192.0.2.1', 300],
    ]);
    await ada.rpc.dns.update.mutate({ id: first?.id ?? '', ttl: 60, value: '192.0.2.3' });
    const ttls = (await ada.rpc.dns.list.query()).map(({ value, name, ttl }) => [name, value, ttl]);
    expect(ttls.reverse()).toEqual([
      ['www', '192.0.2.3', 60],
      ['www', '192.0.2.2', 60],
      ['www', 'hello', 300],
      ['a', '192.0.2.1', 300],
    ]);
  });

  test('into itself changes nothing, not even the serial', async () => {
    const { id } = await add(ada, { recordType: 'TXT', name: 'www', value: '"\\"quoted\\""' });
    const before = await everything(world);
    expect(before.records).toMatchObject([{ value: '"quoted"' }]);
    await ada.rpc.dns.update.mutate({ id });
    await ada.rpc.dns.update.mutate({ id, name: 'www', value: '"quoted"', ttl: 3600 });
    expect(await everything(world)).toEqual(before);
  });

  test('keeps a name as it is stored, where it would be read as another', async () => {
    const { id } = await add(ada, { name: 'example.test.example.test.' });
    const changed = await ada.rpc.dns.update.mutate({ id, name: 'example.test', value: '192.0.2.2' });
    expect(changed).toMatchObject({ name: 'example.test', value: '192.0.2.2' });
  });

  test.each([
    [{ name: 'a b' }, 'name', 'Use only letters, digits, hyphens and underscores, like www.example.com.'],
    [
      { name: 'a.other.test.' },
      'name',
      "a.other.test. isn't part of example.test. Enter @, www or www.example.test.",
    ],
    [{ value: 'hello' }, 'value', /^Enter an IPv4 address/],
    [{ value: '' }, 'value', 'Value is required.'],
    [{ ttl: 1 }, 'ttl', 'TTL must be a whole number of seconds from 60 to 604800.'],
  ])('to %j is refused by naming %s', async (change, path, said) => {
    const { id } = await add(ada);
    const before = await everything(world);
    const message = typeof said === 'string' ? said : expect.stringMatching(said);
    expect(await ada.rest(`PATCH /api/dns/${id}`, { body: change })).toMatchObject({
      status: 400,
      body: { code: 'VALIDATION', message, fields: [{ path, message }] },
    });
    expect(await everything(world)).toEqual(before);
  });
});

test('an ALIAS points to domains that are served, whoever has them', async () => {
  await add(bob, { domain: 'bobs.test', name: 'www' });
  const { id } = await add(ada, { recordType: 'ALIAS', value: 'www.bobs.test' });
  const zone = world.deps.db.updateTable('dnsZones').where('domain', '=', 'bobs.test');
  await zone.set({ verifiedAt: null }).execute();
  const body = { recordType: 'ALIAS', name: 'b', value: 'www.bobs.test' };
  expect(await tryAdd(ada, body)).toMatchObject({ status: 409, body: { code: 'ALIAS_NOT_SERVED' } });
  // What is there stays.
  expect((await ada.rest(`PATCH /api/dns/${id}`, { body: { ttl: 60 } })).status).toBe(200);
});

test('deleting a record answers success once, and its domain goes with the last one', async () => {
  const [first, second] = await addAll(ada, [
    ['A', '@', '192.0.2.1'],
    ['TXT', '@', 'hello'],
  ]);
  const answer = await ada.rest(`DELETE /api/dns/${first?.id}`);
  expect(answer).toMatchObject({ status: 200, body: { success: true } });
  expect(await ada.rest(`DELETE /api/dns/${first?.id}`)).toMatchObject({ status: 404 });
  expect(await ada.rpc.dns.zones.query()).toMatchObject([{ recordCount: 1 }]);
  await ada.rpc.dns.remove.mutate({ id: second?.id ?? '' });
  expect(await ada.rpc.dns.zones.query()).toEqual([]);
  expect(await everything(world)).toEqual({ zones: [], records: [] });
});

describe('there is room', () => {
  async function fill(
    values: (i: number) => { name: string; recordType: 'A' | 'TXT'; value: string },
    count: number,
  ) {
    const zone = await world.deps.db.selectFrom('dnsZones').select('id').executeTakeFirstOrThrow();
    const rows = Array.from({ length: count }, (_, i) => ({
      ...values(i),
      zoneId: zone.id,
      ownerId: ada.user.id,
      ttl: 3600,
    }));
    for (let at = 0; at < rows.length; at += 1000) {
      await world.deps.db
        .insertInto('dnsRecords')
        .values(rows.slice(at, at + 1000))
        .execute();
    }
  }

  test(`for ${MAX_RECORDS_PER_ZONE} records in a domain, which still changes fast`, async () => {
    await add(ada);
    await fill((i) => ({ name: `n${i}`, recordType: 'A', value: '192.0.2.1' }), MAX_RECORDS_PER_ZONE - 2);
    const began = performance.now();
    const last = await add(ada, { name: 'last' });
    expect(performance.now() - began).toBeLessThan(1000);
    expect(await tryAdd(ada, { name: 'more' })).toMatchObject({
      status: 403,
      body: { code: 'QUOTA_EXCEEDED', message: 'A domain can have at most 2000 records.' },
    });
    expect((await ada.rest(`PATCH /api/dns/${last.id}`, { body: { ttl: 60 } })).status).toBe(200);
    expect((await ada.rest(`DELETE /api/dns/${last.id}`)).status).toBe(200);
    expect((await tryAdd(ada, { name: 'more' })).status).toBe(201);
  });

  test(`for ${MAX_RECORDS_PER_SET} records in a set`, async () => {
    await add(ada, { name: 'a' });
    await fill((i) => ({ name: '@', recordType: 'A', value: `10.0.0.${i}` }), MAX_RECORDS_PER_SET);
    const message = 'example.test can have at most 100 A records.';
    expect(await tryAdd(ada)).toMatchObject({ status: 403, body: { code: 'QUOTA_EXCEEDED', message } });
    expect((await tryAdd(ada, { recordType: 'TXT', value: 'hello' })).status).toBe(201);
  });

  test(`for ${MAX_TEXT_PER_SET} bytes of text at a name`, async () => {
    await add(ada);
    await fill((i) => ({ name: 'x', recordType: 'TXT', value: String(i).repeat(2048) }), 9);
    const text = (length: number, of: string) => ({ name: 'x', recordType: 'TXT', value: of.repeat(length) });
    for (const of of 'abcdef') expect((await tryAdd(ada, text(2048, of))).status).toBe(201);
    expect((await tryAdd(ada, text(1024, 'ü'))).status).toBe(201);
    const message = 'The TXT records of x.example.test can have at most 32768 bytes.';
    expect(await tryAdd(ada, text(1, 'z'))).toMatchObject({ status: 403, body: { message } });
  });

  test(`for ${MAX_ZONES} domains in an account`, async () => {
    const zones = Array.from({ length: MAX_ZONES }, (_, i) => ({
      ownerId: ada.user.id,
      domain: `n${i}.example`,
      serial: 1,
    }));
    await world.deps.db.insertInto('dnsZones').values(zones).execute();
    expect(await tryAdd(ada)).toMatchObject({
      status: 403,
      body: { code: 'QUOTA_EXCEEDED', message: 'You can have at most 100 domains.' },
    });
    expect((await tryAdd(ada, { domain: 'n0.example' })).status).toBe(201);
  });
});
