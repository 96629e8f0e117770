import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { Person, World } from '../world.ts';
import { add, addAll, createRecordsWorld, everything, tryAdd } from './dns-records.ts';

const ABSENT = '01890000-0000-7000-8000-000000000000';

let world: World;
let ada: Person;
let bob: Person;

beforeAll(async () => {
  ({ world, ada, bob } = await createRecordsWorld());
});
afterEach(() => world.deps.db.deleteFrom('dnsZones').execute());
afterAll(() => world.close());

describe('adding a record', () => {
  test('gives the record, with the defaults, at both doors', async () => {
    const rest = await ada.rest('POST /api/dns', { body: { domain: ' Example.TEST. ', value: '192.0.2.1' } });
    expect(rest.status).toBe(201);
    expect(rest.body).toEqual({
      id: expect.any(String),
      domain: 'example.test',
      recordType: 'A',
      name: '@',
      value: '192.0.2.1',
      ttl: 3600,
      projectId: null,
      bucketId: null,
      createdAt: expect.stringMatching(/Z$/),
    });
    const rpc = await add(ada, { name: 'www', recordType: 'AAAA', value: '2001:DB8:0::1', ttl: 60 });
    expect(rpc).toMatchObject({ name: 'www', recordType: 'AAAA', value: '2001:db8::1', ttl: 60 });
    expect(await ada.rpc.dns.list.query()).toEqual([rpc, rest.body]);
    expect((await ada.rest('GET /api/dns')).body).toEqual([rpc, rest.body]);
  });

  test('takes the fields of the specification as a form sends them', async () => {
    const body = {
      domain: 'example.test',
      recordType: 'MX',
      name: '',
      value: '10 Mail.Example.com.',
      ttl: 300,
    };
    expect((await ada.rest('POST /api/dns', { body })).body).toMatchObject({
      name: '@',
      value: '10 mail.example.com',
      ttl: 300,
    });
  });

  test('keeps names of any script as A-labels, wherever they come back', async () => {
    const record = await add(ada, {
      domain: 'BÜCHER.example',
      name: 'straße.bücher.example',
      recordType: 'CNAME',
      value: 'Ünique.example.',
    });
    expect(record).toMatchObject({
      domain: 'xn--bcher-kva.example',
      name: 'xn--strae-oqa',
      value: 'xn--nique-jva.example',
    });
    for (const domain of ['bücher.example', 'XN--BCHER-KVA.example', 'BÜCHER.EXAMPLE.']) {
      expect(await ada.rpc.dns.list.query({ domain })).toEqual([record]);
      expect(await tryAdd(bob, { domain })).toMatchObject({ status: 409, body: { code: 'DOMAIN_TAKEN' } });
    }
    const { domain, name, recordType, value } = record;
    expect(await tryAdd(ada, { domain, name, recordType, value })).toMatchObject({
      status: 409,
      body: { code: 'DUPLICATE' },
    });
  });

  test('does not take what only the server says', async () => {
    const record = await tryAdd(ada, {
      id: ABSENT,
      ownerId: bob.user.id,
      zoneId: ABSENT,
      serial: 1,
      createdAt: 'x',
    });
    expect(record.status).toBe(201);
    expect(record.body).not.toMatchObject({ id: ABSENT });
    expect((await everything(world)).records).toMatchObject([{ ownerId: ada.user.id }]);
  });

  test('is answered once per Idempotency-Key, refused or not', async () => {
    const headers = { 'idempotency-key': 'dns-1' };
    const body = { domain: 'example.test', value: '192.0.2.1' };
    const first = await ada.rest('POST /api/dns', { body, headers });
    const again = await ada.rest('POST /api/dns', { body, headers });
    expect(again).toMatchObject({ status: 201, text: first.text });
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    const other = { 'idempotency-key': 'dns-2' };
    const refused = await ada.rest('POST /api/dns', { body, headers: other });
    expect(refused).toMatchObject({ status: 409, body: { code: 'DUPLICATE' } });
    expect(await ada.rpc.dns.list.query()).toHaveLength(1);
    expect(await ada.rest('POST /api/dns', { body, headers: other })).toMatchObject({ status: 409 });
  });

  const refusals: (readonly [object, string, string])[] = [
    [{ domain: undefined }, 'domain', 'Domain is required.'],
    [{ value: undefined }, 'value', 'Value is required.'],
    [{ domain: 'test' }, 'domain', 'Enter a domain with at least two parts, like example.com.'],
    [{ name: 'a b' }, 'name', 'Use only letters, digits, hyphens and underscores, like www.example.com.'],
    [
      { name: 'www.other.test.' },
      'name',
      "www.other.test. isn't part of example.test. Enter @, www or www.example.test.",
    ],
    [{ recordType: 'CNAME', name: 'a', value: 'b' }, 'value', 'Enter the full name, like b.example.com.'],
    [
      { recordType: 'SOA' },
      'recordType',
      'Type must be one of A, AAAA, CNAME, MX, TXT, NS, CAA, SRV, PTR, TLSA, SSHFP, HTTPS, SVCB, DS, ALIAS.',
    ],
    [
      { recordType: 'a' },
      'recordType',
      'Type must be one of A, AAAA, CNAME, MX, TXT, NS, CAA, SRV, PTR, TLSA, SSHFP, HTTPS, SVCB, DS, ALIAS.',
    ],
    [{ ttl: 59 }, 'ttl', 'TTL must be a whole number of seconds from 60 to 604800.'],
    [{ ttl: 604_801 }, 'ttl', 'TTL must be a whole number of seconds from 60 to 604800.'],
    [{ ttl: '3600' }, 'ttl', 'TTL must be a whole number of seconds from 60 to 604800.'],
    ...['com', 'co.uk', 'GitHub.io.', 'foo.ck', 'in-addr.arpa', '公司.cn'].map((domain) => {
      const sentence = /is a public suffix\. Enter a domain registered under it\.$/;
      const least = 'Enter a domain with at least two parts, like example.com.';
      return [{ domain }, 'domain', domain === 'com' ? least : sentence] as const as [object, string, string];
    }),
  ];

  test.each(refusals)('refuses %j by naming %s, at both doors', async (change, path, message) => {
    const body = { domain: 'example.test', value: '192.0.2.1', ...change };
    const said = typeof message === 'string' ? message : expect.stringMatching(message);
    const fields = [{ path, message: said }];
    expect(await ada.rest('POST /api/dns', { body })).toMatchObject({
      status: 400,
      body: { code: 'VALIDATION', message: said, fields },
    });
    expect(await ada.rest('POST /trpc/dns.create', { body })).toMatchObject({
      status: 400,
      body: { error: { message: said, data: { reason: 'VALIDATION', fields } } },
    });
    expect(await everything(world)).toEqual({ zones: [], records: [] });
  });

  test.each([
    'example.test',
    'a.localhost',
    'lab.internal',
    'x.corp',
    'anything.unknown-tld',
    'me.github.io',
    'example.co.uk',
    'www.ck',
    '2.0.192.in-addr.arpa',
  ])('takes %s, which is no public suffix', async (domain) => {
    expect((await tryAdd(ada, { domain })).status).toBe(201);
  });

  test.each([
    "'; drop table dns_zones; --",
    '{{7*7}}',
    '../../etc',
    '<script>',
    '%00',
    '\u202eabc',
    'a\u0000',
  ])('with %j for a domain, name or value does no harm', async (text) => {
    for (const field of ['domain', 'name', 'value']) {
      expect((await tryAdd(ada, { [field]: text })).status).toBe(400);
    }
    const asText = await tryAdd(ada, { recordType: 'TXT', value: text });
    // biome-ignore lint/suspicious/noControlCharactersInRegex: what cannot be shown is refused everywhere
    expect(asText.status).toBe(/[\u0000\u202e]/.test(text) ? 400 : 201);
    if (asText.status === 201) expect(asText.body).toMatchObject({ value: text });
  });
});

describe('the list', () => {
  test('is newest first, by pages and by domain', async () => {
    const first = await addAll(
      ada,
      Array.from({ length: 5 }, (_, i) => ['A', `a${i}`, '192.0.2.1'] as const),
    );
    const [other] = await addAll(ada, [['TXT', '@', 'hello']], 'other.test');
    await add(bob, { domain: 'bob.test' });
    const all = [other, ...first.reverse()];
    expect(await ada.rpc.dns.list.query()).toEqual(all);
    expect(await ada.rpc.dns.list.query({ limit: 2 })).toEqual(all.slice(0, 2));
    expect(await ada.rpc.dns.list.query({ limit: 2, cursor: all[1]?.id })).toEqual(all.slice(2, 4));
    expect((await ada.rest('GET /api/dns?domain=Example.test.&limit=2')).body).toEqual(first.slice(0, 2));
    expect((await ada.rest(`GET /api/dns?domain=example.test&cursor=${first[3]?.id}`)).body).toEqual([
      first[4],
    ]);
    expect(await ada.rpc.dns.list.query({ domain: 'bob.test' })).toEqual([]);
    expect(await ada.rpc.dns.list.query({ domain: 'absent.test' })).toEqual([]);
  });

  test('of a domain walks the index of its zone', async () => {
    const plan = await world.deps.db.transaction().execute(async (trx) => {
      await sql`set local enable_seqscan = off`.execute(trx);
      const { rows } = await sql<Record<string, string>>`
        explain select * from dns_records where owner_id = ${ada.user.id} and zone_id = ${ABSENT}
        and id < ${ABSENT} order by id desc limit 10`.execute(trx);
      const tree = await sql<Record<string, string>>`
        explain select * from dns_zones where domain in ('a.test', 'test')
        or (reverse(domain) > 'tset.' and reverse(domain) < 'tset/')`.execute(trx);
      return JSON.stringify([...rows, ...tree.rows]);
    });
    expect(plan).toMatch(/dns_records_of_(zone|owner)/);
    expect(plan).toContain('dns_zones_by_parent');
  });

  test.each(['domain=com', 'domain=a..b', 'limit=0', 'limit=1001', 'cursor=x'])(
    'refuses ?%s',
    async (query) => {
      expect(await ada.rest(`GET /api/dns?${query}`)).toMatchObject({
        status: 400,
        body: { code: 'VALIDATION' },
      });
    },
  );
});

describe('the domains', () => {
  test('are listed by name with their records and serial', async () => {
    await addAll(ada, [['A', '@', '192.0.2.1']], 'b.test');
    await addAll(ada, [['A', '@', '192.0.2.1']], 'a.test');
    await addAll(ada, [['A', 'www', '192.0.2.1']], 'a.test');
    await add(bob, { domain: 'bob.test' });
    const zones = [
      {
        id: expect.any(String),
        domain: 'a.test',
        recordCount: 2,
        serial: expect.any(Number),
        status: 'active',
        unprovenSince: null,
        verification: null,
      },
      {
        id: expect.any(String),
        domain: 'b.test',
        recordCount: 1,
        serial: expect.any(Number),
        status: 'active',
        unprovenSince: null,
        verification: null,
      },
    ];
    expect(await ada.rpc.dns.zones.query()).toEqual(zones);
    expect((await ada.rest('GET /api/dns-zones')).body).toEqual(zones);
  });

  test('have the time as serial, and strictly more after each change', async () => {
    const record = await add(ada);
    const serials: number[] = [];
    const note = async () => serials.push((await ada.rpc.dns.zones.query())[0]?.serial ?? 0);
    await note();
    expect(Math.abs((serials[0] ?? 0) - Date.now() / 1000)).toBeLessThan(60);
    await add(ada, { name: 'www' });
    await note();
    await ada.rpc.dns.update.mutate({ id: record.id, value: '192.0.2.2' });
    await note();
    await ada.rpc.dns.remove.mutate({ id: record.id });
    await note();
    expect(serials).toEqual([...new Set(serials)].sort((a, b) => a - b));
    expect(serials).toHaveLength(4);
  });

  test('announce each change to the name servers, and nothing that did not happen', async () => {
    const told: string[] = [];
    const { promise: listening, resolve } = Promise.withResolvers<void>();
    const stop = world.deps.notifications.subscribe(
      'dns_zone_changed',
      (domain) => told.push(domain),
      resolve,
    );
    await listening;
    const record = await add(ada);
    await expect.poll(() => told).toEqual(['example.test']);
    await tryAdd(ada);
    await ada.rpc.dns.update.mutate({ id: record.id, ttl: 3600 });
    await ada.rpc.dns.update.mutate({ id: record.id, ttl: 60 });
    await expect.poll(() => told).toHaveLength(2);
    await ada.rpc.dns.remove.mutate({ id: record.id });
    await expect.poll(() => told).toEqual(['example.test', 'example.test', 'example.test']);
    stop();
  });
});

describe('who is signed out', () => {
  const calls = [
    'GET /api/dns',
    'POST /api/dns',
    `PATCH /api/dns/${ABSENT}`,
    `DELETE /api/dns/${ABSENT}`,
    `GET /api/dns/${ABSENT}/answer`,
    'GET /api/dns-zones',
    'POST /api/dns-zones/example.test/verify',
    'GET /api/name-server',
  ];
  test.each(calls)('is told so by %s', async (call) => {
    expect(await world.anyone.rest(call)).toMatchObject({
      status: 401,
      body: { message: 'Unauthorized', code: 'UNAUTHORIZED' },
    });
  });

  test('is told so by tRPC', async () => {
    await expect(world.anyone.rpc.dns.list.query()).rejects.toThrow('Unauthorized');
    await expect(add(world.anyone)).rejects.toThrow('Unauthorized');
  });
});

test("someone else's record is as one that is not there", async () => {
  const { id } = await add(ada);
  const before = await everything(world);
  for (const target of [id, ABSENT, 'x']) {
    for (const call of [
      `PATCH /api/dns/${target}`,
      `DELETE /api/dns/${target}`,
      `GET /api/dns/${target}/answer`,
    ]) {
      const body = call.startsWith('PATCH') ? { value: '192.0.2.9' } : undefined;
      expect(await bob.rest(call, { body })).toMatchObject({
        status: 404,
        body: { message: 'Not found.', code: 'NOT_FOUND' },
      });
    }
  }
  expect(await bob.rest('POST /api/dns-zones/example.test/verify')).toMatchObject({ status: 404 });
  expect(await bob.rpc.dns.list.query()).toEqual([]);
  expect(await bob.rpc.dns.zones.query()).toEqual([]);
  expect(await everything(world)).toEqual(before);
});
