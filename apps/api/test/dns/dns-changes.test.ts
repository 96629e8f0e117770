import { type DnsChange, MAX_DNS_CHANGES, MAX_DNS_CHANGES_PAGE, MAX_DNS_HISTORY } from '@nephos/contracts';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import type { Person, World } from '../world.ts';
import { add, addAll, atOnce, createRecordsWorld, everything } from './dns-records.ts';

let world: World;
let ada: Person;
let bob: Person;

beforeAll(async () => {
  ({ world, ada, bob } = await createRecordsWorld());
});
afterEach(async () => {
  await world.deps.db.deleteFrom('dnsZones').execute();
  await world.deps.db.deleteFrom('dnsChanges').execute();
});
afterAll(() => world.close());

const domain = 'example.test';
const lines = (records: DnsChange['added']) =>
  records.map(({ name, ttl, recordType, value }) => `${name} ${ttl} ${recordType} ${value}`);
const shortOf = ({ kind, added, removed }: DnsChange) => [
  kind,
  ...lines(added)
    .map((line) => `+${line}`)
    .sort(),
  ...lines(removed)
    .map((line) => `-${line}`)
    .sort(),
];
const history = async () => (await ada.rpc.dns.changes.query()).map(shortOf);
const records = async () => lines(await ada.rpc.dns.list.query()).sort();
const revert = (id: string, person = ada) => person.rest(`POST /api/dns-changes/${id}/revert`);

test('each save says who changed what, and can be undone as a new one', async () => {
  const [www] = await addAll(ada, [
    ['A', 'www', '192.0.2.1'],
    ['A', 'www', '192.0.2.2'],
  ]);
  const id = www?.id ?? '';
  await ada.rpc.dns.update.mutate({ id, ttl: 60, value: '192.0.2.3' });
  await ada.rpc.dns.update.mutate({ id, ttl: 60 });
  const file = 'www 60 A 192.0.2.9\n@ TXT x';
  const { serial } = await ada.rpc.dns.planImport.mutate({ domain, file, mode: 'replace' });
  await ada.rpc.dns.importZone.mutate({ domain, file, mode: 'replace', serial });
  expect(await history()).toEqual([
    ['import', '+@ 60 TXT x', '+www 60 A 192.0.2.9', '-www 60 A 192.0.2.2', '-www 60 A 192.0.2.3'],
    ['edit', '+www 60 A 192.0.2.2', '+www 60 A 192.0.2.3', '-www 3600 A 192.0.2.1', '-www 3600 A 192.0.2.2'],
    ['edit', '+www 3600 A 192.0.2.2'],
    ['edit', '+www 3600 A 192.0.2.1'],
  ]);
  const [imported, edited] = await ada.rpc.dns.changes.query();
  expect(imported).toMatchObject({ by: ada.user.email, domain, addedCount: 2, removedCount: 2 });
  const [zone] = await ada.rpc.dns.zones.query();
  expect(imported?.serial).toBe(zone?.serial);

  const undone = await revert(imported?.id ?? '');
  expect(undone).toMatchObject({
    status: 200,
    body: { kind: 'revert', by: ada.user.email, addedCount: 2, removedCount: 2 },
  });
  expect(await records()).toEqual(['www 60 A 192.0.2.2', 'www 60 A 192.0.2.3']);
  await revert(edited?.id ?? '');
  expect(await records()).toEqual(['www 3600 A 192.0.2.1', 'www 3600 A 192.0.2.2']);
  const before = await everything(world);
  expect(await revert(edited?.id ?? '')).toMatchObject({ status: 409, body: { code: 'NOTHING_TO_REVERT' } });
  // And what was undone can be done again.
  const [second] = await ada.rpc.dns.changes.query();
  expect(await everything(world)).toEqual(before);
  expect((await revert(second?.id ?? '')).status).toBe(200);
  expect(await records()).toEqual(['www 60 A 192.0.2.2', 'www 60 A 192.0.2.3']);
});

test('a domain that went with its last record comes back, above its last serial', async () => {
  const { id } = await add(ada, { name: 'www' });
  const [{ serial } = { serial: 0 }] = await ada.rpc.dns.zones.query();
  await ada.rpc.dns.remove.mutate({ id });
  const [removal, addition] = await ada.rpc.dns.changes.query();
  expect((await revert(removal?.id ?? '')).status).toBe(200);
  expect(await records()).toEqual(['www 3600 A 192.0.2.1']);
  expect((await ada.rpc.dns.zones.query())[0]?.serial).toBeGreaterThan(serial);
  expect((await revert(addition?.id ?? '')).status).toBe(200);
  expect(await everything(world)).toEqual({ zones: [], records: [] });
  // Somebody else may have it by then.
  await add(bob);
  expect(await revert(removal?.id ?? '')).toMatchObject({ status: 409, body: { code: 'DOMAIN_TAKEN' } });
});

test('what was deleted with the domain does not come back beside records that nobody has looked at', async () => {
  const { id } = await add(ada, { name: 'www', recordType: 'CNAME', value: 'www.other.test' });
  await ada.rpc.dns.remove.mutate({ id });
  const [removal] = await ada.rpc.dns.changes.query();
  const { serial } = await ada.rpc.dns.planImport.mutate({ domain, file: 'www A 192.0.2.1' });
  const body = { file: 'www A 192.0.2.1', serial };
  const answers = await atOnce(world, domain, [
    () => revert(removal?.id ?? ''),
    () => ada.rest('POST /api/dns-zones/example.test/import', { body }),
  ]);
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
  expect(answers.find(({ status }) => status === 409)?.body).toMatchObject({ code: 'ZONE_CHANGED' });
  expect(await records()).toHaveLength(1);
});

test('each change has a serial of its own, also that which frees the domain', async () => {
  const serials = async () => (await ada.rpc.dns.changes.query()).map(({ serial }) => serial);
  const { id } = await add(ada);
  await ada.rpc.dns.remove.mutate({ id });
  await add(ada);
  const [change] = await ada.rpc.dns.changes.query();
  await revert(change?.id ?? '');
  const ascending = (await serials()).toReversed();
  expect(ascending).toHaveLength(4);
  expect(ascending).toEqual([...new Set(ascending)].sort((a, b) => a - b));
});

test('an undoing answers with its own change, whatever else is noted meanwhile', async () => {
  await add(ada);
  const [change] = await ada.rpc.dns.changes.query();
  await world.deps.db
    .insertInto('dnsChanges')
    .values({
      ...{ id: 'ffffffff-ffff-7fff-bfff-ffffffffffff', ownerId: ada.user.id, userId: ada.user.id },
      ...{ domain: 'other.test', kind: 'edit', serial: 1, added: '[]', removed: '[]' },
    })
    .execute();
  expect(await revert(change?.id ?? '')).toMatchObject({ status: 200, body: { domain, kind: 'revert' } });
});

test('what cannot stand beside later changes is not undone', async () => {
  const { id } = await add(ada, { name: 'www' });
  await add(ada, { name: 'more' });
  await ada.rpc.dns.remove.mutate({ id });
  const [removal] = await ada.rpc.dns.changes.query();
  await add(ada, { name: 'www', recordType: 'CNAME', value: 'more.example.test' });
  const before = await everything(world);
  expect(await revert(removal?.id ?? '')).toMatchObject({ status: 409, body: { code: 'CNAME_CONFLICT' } });
  expect(await everything(world)).toEqual(before);
});

test('nobody sees or undoes what is not theirs', async () => {
  await add(ada);
  const [change] = await ada.rpc.dns.changes.query();
  expect(await bob.rpc.dns.changes.query()).toEqual([]);
  expect(await revert(change?.id ?? '', bob)).toMatchObject({ status: 404 });
});

test('pages follow each other, of one domain alone where asked, and the newest are kept', async () => {
  for (const name of ['a', 'b', 'c']) await add(ada, { name });
  await add(ada, { domain: 'other.test' });
  const first = await ada.rpc.dns.changes.query({ limit: 2, domain: 'EXAMPLE.test' });
  const rest = await ada.rpc.dns.changes.query({ limit: 2, domain, cursor: first[1]?.id ?? '' });
  expect([...first, ...rest].map(({ added }) => added[0]?.name)).toEqual(['c', 'b', 'a']);
  const row = { ownerId: ada.user.id, domain, userId: ada.user.id, kind: 'edit', serial: 1 } as const;
  const rows = Array.from({ length: MAX_DNS_CHANGES }, () => ({ ...row, added: '[]', removed: '[]' }));
  await world.deps.db.insertInto('dnsChanges').values(rows).execute();
  await add(ada, { name: 'last' });
  const [newest, ...others] = await ada.rpc.dns.changes.query();
  expect(newest?.added[0]?.name).toBe('last');
  expect(others).toHaveLength(MAX_DNS_CHANGES_PAGE - 1);
  expect(await kept()).toHaveLength(MAX_DNS_CHANGES);
  expect(await ada.rest('GET /api/dns-changes?limit=61')).toMatchObject({
    status: 400,
    body: { message: 'Limit must be a whole number from 1 to 60.' },
  });
});

const kept = () => world.deps.db.selectFrom('dnsChanges').select(['id', 'bytes']).orderBy('id').execute();

test('a history has at most so many bytes, but for the newest change', async () => {
  await add(bob, { domain: 'other.test' });
  await sql`
    insert into dns_changes (owner_id, user_id, domain, kind, serial, removed, added)
    select ${ada.user.id}, ${ada.user.id}, ${domain}, 'edit', 1, '[]',
      jsonb_build_array('{"name":"@","recordType":"TXT","ttl":60}'::jsonb
        || jsonb_build_object('value', repeat('x', ${sql.lit(MAX_DNS_HISTORY / 4)})))
    from generate_series(1, 5)`.execute(world.deps.db);
  await add(ada, { name: 'newest' });
  // Of Ada's six, the five that are newest are too large by what surrounds a text.
  expect(await kept()).toHaveLength(1 + 4);
  const [newest, large] = await ada.rpc.dns.changes.query();
  expect(newest?.added[0]?.name).toBe('newest');
  expect(large).toMatchObject({ addedCount: 1, added: [{ value: `${'x'.repeat(199)}…` }] });
  expect((await revert(newest?.id ?? '')).status).toBe(200);
});

test('a list tells of a large change no more than is read', async () => {
  const file = Array.from({ length: 70 }, (_, i) => `n${i} A 192.0.2.1`).join('\n');
  await ada.rpc.dns.importZone.mutate({ domain, file, serial: 0 });
  const [change] = await ada.rpc.dns.changes.query();
  expect(change).toMatchObject({ addedCount: 70, removedCount: 0 });
  expect(change?.added).toHaveLength(50);
});
