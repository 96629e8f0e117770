import type { DnsRecord } from '@nephos/contracts';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { freePort } from '../../../../tools/server-process.mjs';
import { createTxtLookup } from '../../src/domains/dns/txt-lookup.ts';
import { createPublicDns } from '../../src/platform/public-dns.ts';
import { createWorld, type Person, type World } from '../world.ts';
import { add, addAll, createRecordsWorld, type Short } from './dns-records.ts';

let world: World;
let ada: Person;
let port: number;

beforeAll(async () => {
  port = await freePort();
  ({ world, ada } = await createRecordsWorld({ settings: { dnsPort: port } }));
  await world.deps.domains.dns.nameServer.start();
});
afterEach(() => world.deps.db.deleteFrom('dnsZones').execute());
afterAll(() => world.close());

const ask = ({ id }: Pick<DnsRecord, 'id'>) => ada.rpc.dns.answer.query({ id });

const served: Short[] = [
  ['A', '@', '192.0.2.1'],
  ['A', 'www', '192.0.2.1', 60],
  ['A', '*.dev', '192.0.2.1'],
  ['AAAA', 'www', '2001:db8::1'],
  ['AAAA', 'mapped', '::ffff:192.0.2.1'],
  ['AAAA', 'zero', '::'],
  ['CNAME', 'alias', 'www.example.test'],
  ['CNAME', '_key', 's1._domainkey.other.test'],
  ['MX', '@', '0 mail.other.test'],
  ['MX', 'parked', '0 .'],
  ['MX', 'xn--bcher-kva', '65535 mail.example.test'],
  ['TXT', '@', 'v=spf1 include:other.test -all'],
  ['TXT', 'quotes', 'a "b" \\ ; (c) $d @e'],
  ['TXT', 'script', 'ü ☕ 例え \ufffd'],
  ['TXT', 'long', 'x'.repeat(2048)],
  ['NS', '@', 'ns.other.test'],
  ['CAA', '@', '0 issue "ca.example; account=1"'],
  ['SRV', '_sip._tcp', '10 5 5060 sip.other.test'],
  ['SRV', '_none._tcp', '0 0 0 .'],
  ['PTR', '1', 'host.other.test'],
  ['TLSA', '_443._tcp.www', `3 1 1 ${'ab'.repeat(32)}`],
  ['SSHFP', '@', `4 2 ${'cd'.repeat(32)}`],
  ['HTTPS', '@', '1 . mandatory=alpn alpn=h2,h3 no-default-alpn port=8443 ech=AEX+DQ=='],
  ['HTTPS', 'www', '0 web.other.test'],
  [
    'SVCB',
    '_dns',
    '1 dns.other.test alpn=dot ipv4hint=192.0.2.1 ipv6hint=2001:db8::1,::ffff:192.0.2.1 dohpath=/q{?dns} ohttp',
  ],
];

test.each(served.map((short) => [short] as const))(
  '%j is served, right after it was stored',
  async (short) => {
    const [record] = await addAll(ada, [short]);
    const answer = await ask(record ?? { id: '' });
    expect(answer).toMatchObject({ served: true, responseCode: 'NOERROR', reason: '' });
    expect(answer.answers.join('\n')).toMatch(new RegExp(`\\sIN\\s${short[0]}\\s`));
    expect(answer.milliseconds).toBeGreaterThan(0);
    expect(answer.milliseconds).toBeLessThan(1000);
  },
);

test('each record of a set is found in it, and a change is seen at once', async () => {
  const records = await addAll(ada, [
    ['A', 'www', '192.0.2.1'],
    ['A', 'www', '192.0.2.2'],
    ['A', 'www', '192.0.2.3'],
  ]);
  for (const record of records) expect((await ask(record)).answers).toHaveLength(3);
  const [first] = records;
  await ada.rpc.dns.update.mutate({ id: first?.id ?? '', value: '192.0.2.9', ttl: 60 });
  for (const record of records) expect(await ask(record)).toMatchObject({ served: true });
  expect((await ada.rest(`GET /api/dns/${first?.id}/answer`)).body).toMatchObject({
    served: true,
    answers: expect.arrayContaining([
      expect.stringMatching(/^www\.example\.test\.\s60\sIN\sA\s192\.0\.2\.9$/),
    ]),
  });
});

test.each([{ ttl: 60 }, { value: '192.0.2.9' }, { name: 'ftp' }])(
  'what was served before a change to %j is not taken for it',
  async (change) => {
    const record = await add(ada, { name: 'www' });
    expect(await ask(record)).toMatchObject({ served: true });
    // Zones are read one after the other: once this one, never seen before, is served, no earlier news is left.
    const domain = `before-${Object.keys(change)}.test`;
    expect(await ask(await add(ada, { domain }))).toMatchObject({ served: true });
    // Without a new serial, the name server hears nothing of it.
    await world.deps.db.updateTable('dnsRecords').set(change).where('id', '=', record.id).execute();
    expect(await ask(record)).toMatchObject({
      served: false,
      reason: "The name server's answer doesn't include this record.",
    });
  },
);

test('an ALIAS is served as addresses, and by its DS record a delegation', async () => {
  const [alias, six, ds] = await addAll(ada, [
    ['ALIAS', '@', 'www.example.test'],
    ['ALIAS', 'six', 'www6.example.test'],
    ['NS', 'dev', 'ns.other.test'],
  ]);
  const reason = "The name server's answer doesn't include this record.";
  expect(await ask(alias ?? { id: '' })).toMatchObject({ served: false, responseCode: 'NOERROR', reason });
  await addAll(ada, [
    ['A', 'www', '192.0.2.1', 60],
    ['AAAA', 'www6', '2001:db8::6'],
    ['DS', 'dev', `60485 13 2 ${'d4'.repeat(32)}`],
  ]);
  expect(await ask(alias ?? { id: '' })).toMatchObject({
    served: true,
    answers: ['example.test. 60 IN A 192.0.2.1'],
  });
  expect(await ask(six ?? { id: '' })).toMatchObject({
    served: true,
    answers: ['six.example.test. 3600 IN AAAA 2001:db8::6'],
  });
  const [record] = await ada.rpc.dns.list.query();
  expect(record?.recordType).toBe('DS');
  expect(await ask(record ?? { id: '' })).toMatchObject({ served: true });
  expect(ds?.recordType).toBe('NS');
});

test('what is delegated is not served, and says so', async () => {
  const [, glue] = await addAll(ada, [
    ['NS', 'dev', 'ns.other.test'],
    ['A', 'ns.dev', '192.0.2.1'],
  ]);
  expect(await ask(glue ?? { id: '' })).toMatchObject({
    served: false,
    responseCode: 'NOERROR',
    reason: "The name server's answer doesn't include this record.",
  });
});

test('where the name server is, is told', async () => {
  const { hostname } = world.deps.settings.publicUrl;
  expect(await ada.rpc.dns.nameServer.query()).toEqual({
    running: true,
    reason: '',
    host: '127.0.0.1',
    port,
    nameservers: [hostname],
  });
});

test('a name server that is off says which setting it needs', async () => {
  const off = await createWorld({ databaseUrl: world.databaseUrl, settings: { dnsPort: 0 } });
  const eve = await off.as('Eve');
  const { id } = await add(eve, { domain: 'eve.test' });
  const reason = expect.stringContaining('DNS_PORT');
  expect(await eve.rpc.dns.answer.query({ id })).toEqual({
    served: false,
    milliseconds: 0,
    responseCode: '',
    answers: [],
    reason,
  });
  expect(await eve.rpc.dns.nameServer.query()).toMatchObject({ running: false, reason, port: 0 });
  await off.close();
});

test('a pending domain is not served until its proof is seen', async () => {
  const published: string[] = [];
  const proving = await createWorld({
    databaseUrl: world.databaseUrl,
    settings: { dnsVerifyOwnership: true, dnsPort: await freePort() },
    overrides: { lookUpTxt: async () => published },
  });
  await proving.deps.domains.dns.nameServer.start();
  const eve = await proving.as('Eva');
  const { id } = await add(eve);
  expect(await eve.rpc.dns.answer.query({ id })).toMatchObject({
    served: false,
    reason: 'Verify that you own example.test first.',
  });
  expect(await world.deps.domains.dns.nameServer.ask('example.test', 'A')).toMatchObject({
    responseCode: 'REFUSED',
  });
  published.push((await eve.rpc.dns.zones.query())[0]?.verification?.value ?? '');
  await eve.rpc.dns.verify.mutate({ domain: 'example.test' });
  expect(await eve.rpc.dns.answer.query({ id })).toMatchObject({ served: true });
  await proving.close();
});

test('a proof is looked up as resolvers do, and an unanswered question finds none', async () => {
  const [record] = await addAll(ada, [
    ['TXT', '_cloud-verify', 'one'],
    ['TXT', '_cloud-verify', 'x'.repeat(300)],
  ]);
  expect((await ask(record ?? { id: '' })).served).toBe(true);
  const servers = [`127.0.0.1:${port}`];
  const lookUp = createTxtLookup(servers);
  expect((await lookUp('_cloud-verify.example.test')).sort()).toEqual(['one', 'x'.repeat(300)]);
  expect(await lookUp('absent.example.test')).toEqual([]);
  const nobody = [`127.0.0.1:${await freePort()}`];
  expect(await createTxtLookup(nobody)('example.test')).toEqual([]);
  expect(await createPublicDns(nobody).txt('example.test')).toBe(undefined);
});

test('addresses are looked up of both kinds, and whether there are none or nobody answers is told apart', async () => {
  const records = await addAll(ada, [
    ['A', 'www', '192.0.2.1'],
    ['AAAA', 'www', '2001:db8::1'],
    ['A', 'four', '192.0.2.4'],
  ]);
  for (const record of records) expect((await ask(record)).served).toBe(true);
  const { addresses } = createPublicDns([`127.0.0.1:${port}`]);
  expect(await addresses('www.example.test')).toEqual(['192.0.2.1', '2001:db8::1']);
  expect(await addresses('www.example.test', 6)).toEqual(['2001:db8::1']);
  expect(await addresses('four.example.test')).toEqual(['192.0.2.4']);
  expect(await addresses('four.example.test', 6)).toEqual([]);
  expect(await addresses('absent.example.test')).toEqual([]);
  expect(await createPublicDns([`127.0.0.1:${await freePort()}`]).addresses('example.test')).toBe(undefined);
});
