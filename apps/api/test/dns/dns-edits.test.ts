import { type Inputs, MAX_DNS_EDITS } from '@nephos/contracts';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import type { Person, World } from '../world.ts';
import { add, addAll, atOnce, createRecordsWorld, everything, recordOf, type Short } from './dns-records.ts';

const ABSENT = '01890000-0000-7000-8000-000000000000';

let world: World;
let ada: Person;
let grace: Person;
let bob: Person;

beforeAll(async () => {
  ({ world, ada, bob } = await createRecordsWorld());
  grace = await world.as('Grace');
});
afterEach(async () => {
  await world.deps.db.deleteFrom('dnsZones').execute();
  await world.deps.db.deleteFrom('dnsChanges').execute();
});
afterAll(() => world.close());

const domain = 'example.test';

type Edit = Inputs['dns']['edit']['edits'][number];

const adding = (...short: Short): Edit => ({ action: 'add', ...recordOf(short) });
const deleting = (id = ''): Edit => ({ action: 'delete', id });

const zoneOf = (person: Person) => person.rpc.dns.zoneRecords.query({ domain });

/** Saves edits of the zone as it is; whatever comes of it. */
async function save(person: Person, edits: readonly object[], serial?: number) {
  const body = { serial: serial ?? (await zoneOf(person)).serial, edits };
  return person.rest('POST /api/dns-zones/example.test/edits', { body });
}

async function stored(): Promise<string[]> {
  const records = await ada.rpc.dns.list.query();
  return records.map(({ name, ttl, recordType, value }) => `${name} ${ttl} ${recordType} ${value}`).sort();
}

test('several edits are one change with one serial, at both doors, and can be undone as one', async () => {
  const [kept, gone, changed] = await addAll(ada, [
    ['A', 'www', '192.0.2.1'],
    ['A', 'old', '192.0.2.2'],
    ['MX', '@', '10 mail.other.test'],
  ]);
  const { serial, records } = await zoneOf(ada);
  expect(records.map(({ id }) => id)).toEqual([changed?.id, gone?.id, kept?.id]);
  expect((await ada.rest('GET /api/dns-zones/example.test/records')).body).toEqual({ serial, records });
  const change = await ada.rpc.dns.edit.mutate({
    ...{ domain: 'Example.TEST.', serial },
    edits: [
      { action: 'add', name: 'API', recordType: 'AAAA', value: '2001:DB8::1', ttl: 60 },
      { action: 'add', value: '192.0.2.9' },
      { action: 'change', id: changed?.id ?? '', value: '20 Mail.other.test.', name: 'mail' },
      deleting(gone?.id),
    ],
  });
  expect(change).toMatchObject({
    ...{ domain, kind: 'edit', by: ada.user.email, addedCount: 3, removedCount: 2 },
  });
  expect(await stored()).toEqual([
    '@ 3600 A 192.0.2.9',
    'api 60 AAAA 2001:db8::1',
    'mail 3600 MX 20 mail.other.test',
    'www 3600 A 192.0.2.1',
  ]);
  const after = await zoneOf(ada);
  expect([after.serial, change.serial > serial]).toEqual([change.serial, true]);
  // What was changed is the same record still.
  expect(after.records.find(({ id }) => id === changed?.id)).toMatchObject({
    name: 'mail',
    recordType: 'MX',
  });
  expect(await ada.rpc.dns.changes.query()).toHaveLength(4);
  expect((await save(ada, [adding('TXT', '@', 'x')])).status).toBe(200);
  expect((await ada.rest(`POST /api/dns-changes/${change.id}/revert`)).status).toBe(200);
  expect(await stored()).toEqual([
    '@ 3600 MX 10 mail.other.test',
    '@ 3600 TXT x',
    'old 3600 A 192.0.2.2',
    'www 3600 A 192.0.2.1',
  ]);
});

test('a record takes the place of one beside which it could not stand', async () => {
  const [cname] = await addAll(ada, [['CNAME', 'www', 'www.other.test']]);
  const both = [adding('A', 'www', '192.0.2.1'), adding('AAAA', 'www', '2001:db8::1')];
  const before = await everything(world);
  expect(await save(ada, both)).toMatchObject({ status: 409, body: { code: 'CNAME_CONFLICT' } });
  expect(await everything(world)).toEqual(before);
  expect((await save(ada, [...both, deleting(cname?.id)])).status).toBe(200);
  expect(await stored()).toEqual(['www 3600 A 192.0.2.1', 'www 3600 AAAA 2001:db8::1']);
});

test('records that take the values of each other all stay', async () => {
  const [one, two] = await addAll(ada, [
    ['A', 'www', '192.0.2.1'],
    ['A', 'www', '192.0.2.2'],
  ]);
  const change = (id = '', rest: object) => ({ action: 'change', id, ...rest });
  expect(
    (
      await save(ada, [
        change(one?.id, { value: '192.0.2.2' }),
        change(two?.id, { value: '192.0.2.3', ttl: 60 }),
      ])
    ).status,
  ).toBe(200);
  expect(await stored()).toEqual(['www 60 A 192.0.2.2', 'www 60 A 192.0.2.3']);
});

test('edits of a zone that somebody changed meanwhile are refused, and nothing is saved', async () => {
  const [mine] = await addAll(ada, [['A', 'www', '192.0.2.1']]);
  const { serial } = await zoneOf(ada);
  await add(ada, { name: 'more' });
  const before = await everything(world);
  expect(await save(ada, [deleting(mine?.id)], serial)).toMatchObject({
    status: 409,
    body: { code: 'ZONE_CHANGED', message: 'example.test has changed since. Look at it again.' },
  });
  expect(await everything(world)).toEqual(before);
  const now = (await zoneOf(ada)).serial;
  const saves = ['a', 'b', 'c'].map((name) => save(ada, [adding('TXT', name, 'x')], now));
  expect((await Promise.all(saves)).map(({ status }) => status).sort()).toEqual([200, 409, 409]);
});

test('a new domain is taken with all of its records, once, and goes with the last of them', async () => {
  const body = { serial: 0, edits: [adding('A', '@', '192.0.2.1'), adding('CNAME', 'www', domain)] };
  const headers = { 'idempotency-key': 'edits-1' };
  const call = () => ada.rest('POST /api/dns-zones/example.test/edits', { headers, body });
  const first = await call();
  expect(first.status).toBe(200);
  expect((await call()).body).toEqual(first.body);
  expect(await ada.rpc.dns.changes.query()).toHaveLength(1);
  expect(await save(bob, body.edits, 0)).toMatchObject({ status: 409, body: { code: 'DOMAIN_TAKEN' } });
  const { records } = await zoneOf(ada);
  expect(
    (
      await save(
        ada,
        records.map(({ id }) => deleting(id)),
      )
    ).status,
  ).toBe(200);
  expect(await everything(world)).toEqual({ zones: [], records: [] });
  const taking = [adding('A', '@', '192.0.2.1')];
  const answers = await atOnce(world, domain, [() => save(ada, taking, 0), () => save(ada, taking, 0)]);
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
});

test('nobody sees or edits what is not theirs', async () => {
  const [theirs] = await addAll(ada, [['A', 'www', '192.0.2.1']]);
  const { serial } = await zoneOf(ada);
  await add(bob, { domain: 'other.test' });
  const before = await everything(world);
  expect((await bob.rest('GET /api/dns-zones/example.test/records')).status).toBe(404);
  expect(await save(bob, [deleting(theirs?.id)], serial)).toMatchObject({ status: 409 });
  expect(await save(bob, [deleting(theirs?.id)], 0)).toMatchObject({ status: 404 });
  const [own] = (await bob.rpc.dns.zoneRecords.query({ domain: 'other.test' })).records;
  expect(await save(ada, [deleting(own?.id)])).toMatchObject({ status: 404 });
  for (const route of ['GET /api/dns-zones/example.test/records', 'POST /api/dns-zones/example.test/edits']) {
    expect((await world.anyone.rest(route, route.startsWith('POST') ? { body: {} } : {})).status).toBe(401);
  }
  expect(await everything(world)).toEqual(before);
});

test('names of the console are for administrators, but for what goes', async () => {
  const { settings } = world.deps;
  const [a, b] = await addAll(grace, [
    ['A', 'www', '192.0.2.1'],
    ['A', 'more', '192.0.2.1'],
  ]);
  const former = settings.appsDomain;
  settings.appsDomain = 'apps.example.test';
  try {
    const reserved = { status: 403, body: { code: 'DOMAIN_RESERVED' } };
    expect(await save(grace, [adding('A', 'new', '192.0.2.1')])).toMatchObject(reserved);
    expect(await save(grace, [{ action: 'change', id: a?.id, value: '192.0.2.2' }])).toMatchObject(reserved);
    expect((await save(grace, [deleting(b?.id)])).status).toBe(200);
  } finally {
    settings.appsDomain = former;
  }
});

test('what is refused says which edit, and saves nothing of the others', async () => {
  const [www] = await addAll(ada, [['A', 'www', '192.0.2.1']]);
  const id = www?.id ?? '';
  const good = adding('TXT', '@', 'x');
  const before = await everything(world);
  const refusals: [object[], number, object][] = [
    [[], 400, { fields: [{ path: 'edits', message: 'Save from 1 to 500 edits at once.' }] }],
    [[{ action: 'move', id }], 400, { fields: [{ path: 'edits.0.action' }] }],
    [[good, adding('A', 'x', '192.0.2.256')], 400, { fields: [{ path: 'edits.1.value' }] }],
    [[good, adding('A', 'a b', '192.0.2.1')], 400, { fields: [{ path: 'edits.1.name' }] }],
    [[good, { action: 'change', id, value: 'x' }], 400, { fields: [{ path: 'edits.1.value' }] }],
    [[good, { action: 'change', id, ttl: 1 }], 400, { fields: [{ path: 'edits.1.ttl' }] }],
    [
      [{ action: 'change', id, ttl: 60 }, deleting(id)],
      400,
      { fields: [{ path: 'edits.1.id', message: 'A record can only be edited once.' }] },
    ],
    [[good, deleting(ABSENT)], 404, { code: 'NOT_FOUND' }],
    [[{ action: 'change', id, value: '192.0.2.1' }], 409, { code: 'NOTHING_CHANGED' }],
    [[good, good], 409, { code: 'DUPLICATE' }],
    [[good, adding('A', 'www', '192.0.2.2', 60)], 409, { code: 'TTL_MISMATCH' }],
    [[good, adding('ALIAS', '@', 'www.elsewhere.test')], 409, { code: 'ALIAS_NOT_SERVED' }],
  ];
  for (const [edits, status, body] of refusals) {
    expect([edits, await save(ada, edits)]).toMatchObject([edits, { status, body }]);
  }
  expect(await everything(world)).toEqual(before);
});

test('as many edits as there may be are saved, and no more', async () => {
  const edits = Array.from({ length: MAX_DNS_EDITS }, (_, i) => adding('A', `n${i}`, '192.0.2.1'));
  expect(await save(ada, [...edits, adding('A', 'late', '192.0.2.1')], 0)).toMatchObject({ status: 400 });
  expect(await save(ada, edits, 0)).toMatchObject({ status: 200, body: { addedCount: MAX_DNS_EDITS } });
});
