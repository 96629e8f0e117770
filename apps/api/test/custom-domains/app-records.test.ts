import { isIP } from 'node:net';
import type { DnsRecord, Project } from '@nephos/contracts';
import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { followApps } from '../../src/domains/custom-domains/app-records/follow-apps.ts';
import { makePreview } from '../../src/domains/previews/make-preview.ts';
import type { AddressFamily, PublicDns } from '../../src/platform/public-dns.ts';
import { addAll, everything, type Short } from '../dns/dns-records.ts';
import { createWorld, type Person, type World } from '../world.ts';

const ABSENT = '01890000-0000-7000-8000-000000000000';
const SERVER = '203.0.113.1';

let world: World;
let ada: Person;
let bob: Person;
let project: Project;
let target: string;

/** Every name below the domain of apps is this server's; what else there is nobody knows. */
let addresses: string[];
/** Questions for addresses of this family stay without an answer. */
let unanswered: AddressFamily | undefined;

const publicDns: PublicDns = {
  txt: async () => [],
  addresses: async (name, family) => {
    if (!/\.apps\.nephos(-new)?\.test$/.test(name)) return [];
    if (family !== undefined && family === unanswered) return undefined;
    const answered = addresses.filter((address) => isIP(address) !== unanswered);
    return answered.filter((address) => family === undefined || isIP(address) === family);
  },
};

beforeEach(() => {
  unanswered = undefined;
  addresses = [SERVER, '2001:db8::1'];
});
beforeAll(async () => {
  addresses = [];
  world = await createWorld({
    running: true,
    overrides: { publicDns },
    settings: {
      publicUrl: new URL('http://console.nephos.test:3000'),
      appsDomain: 'apps.nephos.test',
      dnsVerifyOwnership: true,
    },
  });
  ada = await world.as('Ada');
  bob = await world.as('Bob');
  project = await makeProject();
});
afterEach(async () => {
  await world.deps.db.deleteFrom('customDomains').execute();
  await world.deps.db.deleteFrom('dnsZones').execute();
  await world.deps.db.deleteFrom('dnsChanges').execute();
});
afterAll(() => world.close());

async function makeProject(person = ada, name = 'Shop'): Promise<Project> {
  const made = await person.rpc.projects.create.mutate({ name, framework: 'nodejs' });
  target = `${made.slug}.apps.nephos.test`;
  return made;
}

const addDomain = (domain: string) => ada.rpc.customDomains.add.mutate({ id: project.id, domain });
const short = (records: readonly DnsRecord[]) =>
  records.map(({ recordType, name, domain }) => `${recordType} ${name} ${domain}`).sort();
const leading = async (domain?: string) =>
  short(await ada.rpc.customDomains.records.query({ id: project.id, ...(domain && { domain }) }));

/** A shop at its own domain, with much beside it. */
async function fill() {
  const { verification } = await addDomain('shop.example.test');
  await addDomain('www.example.test');
  const records: Short[] = [
    ['A', 'shop', SERVER],
    ['AAAA', 'shop', '2001:db8::1'],
    ['TXT', '_nephos.shop', verification.value],
    ['CNAME', 'www', target],
    ['CNAME', 'store', 'shop.example.test'],
    ['ALIAS', '@', 'store.example.test'],
    ['HTTPS', 'svc', `0 ${target}`],
    // Of these, nothing leads to the app.
    ['A', 'mail', SERVER],
    ['A', 'api', '203.0.113.9'],
    ['TXT', 'shop', 'unrelated'],
    ['TXT', '_nephos.www', 'not-the-proof'],
    ['CNAME', 'other', 'other.apps.nephos.test'],
    ['MX', '@', '10 mail.example.test'],
  ];
  await addAll(ada, records);
  await addAll(ada, [['CNAME', 'buy', 'www.example.test']], 'second.test');
}

const ALL = [
  'A shop example.test',
  'AAAA shop example.test',
  'ALIAS @ example.test',
  'CNAME buy second.test',
  'CNAME store example.test',
  'CNAME www example.test',
  'HTTPS svc example.test',
  'TXT _nephos.shop example.test',
];

test('records follow the site of a bucket too, are found by its domain, and go with it', async () => {
  const { id } = await ada.rpc.buckets.create.mutate({ name: 'pages', isPublic: true });
  const domain = 'www.example.test';
  await addAll(ada, [['A', 'www', '203.0.113.9']]);
  const added = await ada.rpc.bucketSites.addDomain.mutate({ id, domain });
  await world.deps.db.updateTable('dnsZones').set({ verifiedAt: new Date().toISOString() }).execute();
  expect(await ada.rpc.bucketSites.get.query({ id })).toMatchObject({ served: [domain] });
  const body = { name: domain };
  const point = `POST /api/buckets/${id}/dns-records`;
  expect(await bob.rest(point, { body })).toMatchObject({ status: 404 });
  expect(await ada.rest(`POST /api/buckets/${ABSENT}/dns-records`, { body })).toMatchObject({ status: 404 });
  expect(await ada.rest(point, { body: { name: 'www.elsewhere.test' } })).toMatchObject({
    status: 409,
    body: { code: 'NO_ZONE' },
  });
  const set = await ada.rest(point, { body });
  expect(set).toMatchObject({
    status: 200,
    body: [
      { name: 'www', recordType: 'CNAME', value: 'sites.apps.nephos.test', bucketId: id, projectId: null },
    ],
  });
  await addAll(ada, [['TXT', '_nephos.www', added.verification.value]]);
  const records = { id, domain };
  expect(short(await ada.rpc.bucketSites.domainRecords.query(records))).toEqual([
    'CNAME www example.test',
    'TXT _nephos.www example.test',
  ]);
  // A site that is led to by addresses goes on with them.
  await ada.rpc.bucketSites.pointDomain.mutate({ id, name: 'example.test' });
  addresses = ['203.0.113.2'];
  await followApps({ ...world.deps, publicDns, log: pino({ level: 'silent' }) });
  const at = (await ada.rpc.dns.list.query()).filter(({ name }) => name === '@');
  expect(at).toMatchObject([{ recordType: 'A', value: '203.0.113.2', bucketId: id }]);
  const edited = await ada.rpc.dns.update.mutate({ id: at[0]?.id ?? '', value: '203.0.113.3' });
  expect(edited.bucketId).toBeNull();

  const route = `DELETE /api/buckets/${id}/domains/${domain}`;
  expect(await ada.rest(route, { body: { deleteRecords: true } })).toMatchObject({ status: 200 });
  expect(short(await ada.rpc.dns.list.query())).toEqual(['A @ example.test']);
  await ada.rpc.buckets.remove.mutate({ id });
});

test('records that lead to an app are found, over other names and in other domains, at both doors', async () => {
  await fill();
  expect(await leading()).toEqual(ALL);
  const path = `GET /api/projects/${project.id}/dns-records`;
  expect(short((await ada.rest(path)).body as DnsRecord[])).toEqual(ALL);
  expect(await leading('www.example.test')).toEqual(['CNAME buy second.test', 'CNAME www example.test']);
  const ofShop = [
    'A shop example.test',
    'AAAA shop example.test',
    'ALIAS @ example.test',
    'CNAME store example.test',
    'TXT _nephos.shop example.test',
  ];
  expect(await leading('shop.example.test')).toEqual(ofShop);
  const one = await ada.rest(`${path}?domain=shop.example.test`);
  expect(short(one.body as DnsRecord[])).toEqual(ofShop);
});

test('are told and deleted for their owner alone', async () => {
  await fill();
  const path = `/api/projects/${project.id}`;
  expect((await world.anyone.rest(`GET ${path}/dns-records`)).status).toBe(401);
  expect((await bob.rest(`GET ${path}/dns-records`)).status).toBe(404);
  expect((await ada.rest(`GET ${path}/dns-records?domain=mail.example.test`)).status).toBe(404);
  expect((await ada.rest(`GET /api/projects/${ABSENT}/dns-records`)).status).toBe(404);
  const before = await everything(world);
  expect((await bob.rest(`DELETE ${path}?deleteRecords=true`)).status).toBe(404);
  expect((await bob.rest(`DELETE ${path}/domains/shop.example.test?deleteRecords=true`)).status).toBe(404);
  expect((await ada.rest(`DELETE ${path}?deleteRecords=perhaps`)).status).toBe(400);
  // Another's records that lead there are nobody's but theirs.
  await addAll(bob, [['CNAME', 'mirror', 'shop.example.test']], 'bobs.test');
  expect(await leading()).toEqual(ALL);
  await bob.rpc.dns.list.query().then(([record]) => bob.rpc.dns.remove.mutate({ id: record?.id ?? '' }));
  expect(await everything(world)).toEqual(before);
});

test('go with a domain where that is asked, in one change of each zone, which can be undone', async () => {
  await fill();
  const domain = 'www.example.test';
  await ada.rpc.customDomains.remove.mutate({ id: project.id, domain, deleteRecords: true });
  expect(await leading()).toEqual(ALL.filter((line) => !/ (buy|www) /.test(line)));
  // The last record of a domain takes the domain along.
  expect((await ada.rpc.dns.zones.query()).map((zone) => zone.domain)).toEqual(['example.test']);
  const [first, second] = await ada.rpc.dns.changes.query();
  expect([first, second]).toMatchObject([
    { domain: 'second.test', kind: 'edit', removedCount: 1, by: ada.user.email },
    { domain: 'example.test', kind: 'edit', removedCount: 1 },
  ]);
  expect((await ada.rest(`POST /api/dns-changes/${second?.id}/revert`)).status).toBe(200);
  expect((await ada.rpc.dns.list.query({ domain: 'example.test' })).some(({ name }) => name === 'www')).toBe(
    true,
  );
});

test('stay with neither asked for', async () => {
  await fill();
  const before = await everything(world);
  await ada.rpc.customDomains.remove.mutate({ id: project.id, domain: 'shop.example.test' });
  await ada.rest(`DELETE /api/projects/${project.id}`);
  expect(await everything(world)).toEqual(before);
  project = await makeProject();
});

test('go with the project where that is asked, all of it or nothing', async () => {
  await fill();
  // A name server whose address would go.
  const [, glue] = await addAll(ada, [
    ['A', 'ns.sub', SERVER],
    ['NS', 'sub', 'shop.example.test'],
  ]);
  const before = await everything(world);
  const remove = () => ada.rest(`DELETE /api/projects/${project.id}?deleteRecords=true`);
  expect(await remove()).toMatchObject({
    status: 409,
    body: {
      code: 'GLUE_NEEDED',
      message:
        'shop.example.test needs an A or AAAA record because an NS record of sub.example.test points to it.',
    },
  });
  expect(await everything(world)).toEqual(before);
  expect((await ada.rpc.customDomains.list.query({ id: project.id })).domains).toHaveLength(2);
  await ada.rpc.dns.remove.mutate({ id: glue?.id ?? '' });
  expect((await remove()).status).toBe(200);
  expect(short(await ada.rpc.dns.list.query())).toEqual([
    'A api example.test',
    'A mail example.test',
    'A ns.sub example.test',
    'CNAME other example.test',
    'MX @ example.test',
    'TXT _nephos.www example.test',
    'TXT shop example.test',
  ]);
  expect(await world.deps.db.selectFrom('customDomains').select('id').execute()).toEqual([]);
  project = await makeProject();
});

test('go with the project where they lead to a preview of it', async () => {
  const { db, settings } = world.deps;
  const row = await db
    .selectFrom('projects')
    .selectAll()
    .where('id', '=', project.id)
    .executeTakeFirstOrThrow();
  const made = await makePreview(db, { settings }, { project: row, branch: 'cart', groupId: null });
  const { slug } = await ada.rpc.projects.get.query({ id: made });
  await addAll(ada, [
    ['CNAME', 'www', target],
    ['CNAME', 'cart', `${slug}.apps.nephos.test`],
    ['CNAME', 'basket', 'cart.example.test'],
    ['TXT', '@', 'x'],
  ]);
  await ada.rpc.customDomains.point.mutate({ id: made, name: 'example.test' });
  await addDomain('www.example.test');
  expect(await leading()).toEqual([
    'A @ example.test',
    'AAAA @ example.test',
    'CNAME basket example.test',
    'CNAME cart example.test',
    'CNAME www example.test',
  ]);
  expect(await leading('www.example.test')).toEqual(['CNAME www example.test']);
  expect((await ada.rest(`DELETE /api/projects/${project.id}?deleteRecords=true`)).status).toBe(200);
  expect(short(await ada.rpc.dns.list.query())).toEqual(['TXT @ example.test']);
  project = await makeProject();
});

test('that follow a preview go with it where it ends by itself, but for what was changed meanwhile', async () => {
  const { db, settings, domains } = world.deps;
  const row = await db
    .selectFrom('projects')
    .selectAll()
    .where('id', '=', project.id)
    .executeTakeFirstOrThrow();
  await db
    .insertInto('previewSettings')
    .values({ projectId: project.id, ownerId: ada.user.id, enabled: true, groupId: null })
    .execute();
  const made = await makePreview(db, { settings }, { project: row, branch: 'cart', groupId: null });
  const { slug } = await ada.rpc.projects.get.query({ id: made });
  await addAll(ada, [
    ['TXT', '@', 'x'],
    ['CNAME', 'by-hand', `${slug}.apps.nephos.test`],
  ]);
  await ada.rpc.customDomains.point.mutate({ id: made, name: 'cart.example.test' });
  await ada.rpc.customDomains.point.mutate({ id: made, name: 'basket.example.test' });
  await db.updateTable('previews').set({ pushedAt: '2020-01-01' }).where('projectId', '=', made).execute();
  await domains.previews.sweeps?.previews?.();
  await expect
    .poll(async () => short(await ada.rpc.dns.list.query()))
    .toEqual(['CNAME by-hand example.test', 'TXT @ example.test']);
  const [change] = await ada.rpc.dns.changes.query({ domain: 'example.test' });
  expect(change).toMatchObject({ kind: 'follow' });
  await db.deleteFrom('previewSettings').execute();
});

test('two deletions at once, and edits beside them, end without a deadlock', async () => {
  await fill();
  const other = await makeProject(ada, 'Other');
  await addAll(ada, [['CNAME', 'also', target]], 'second.test');
  const calls = [project, other].map(({ id }) => ada.rest(`DELETE /api/projects/${id}?deleteRecords=true`));
  const adding = addAll(ada, [['TXT', 'x', 'y']], 'example.test');
  expect((await Promise.all(calls)).map(({ status }) => status)).toEqual([200, 200]);
  await adding;
  expect((await ada.rpc.dns.zones.query()).map(({ domain }) => domain)).toEqual(['example.test']);
  project = await makeProject();
});

const follow = () => followApps({ ...world.deps, publicDns, log: pino({ level: 'silent' }) });

const point = (name: string, person = ada) =>
  person.rest(`POST /api/projects/${project.id}/dns-records`, { body: { name } });

async function linesOf(domain = 'example.test'): Promise<string[]> {
  const records = await ada.rpc.dns.list.query({ domain });
  return records
    .map(({ name, recordType, value, projectId }) => {
      const mark = projectId === null ? '' : ' follows';
      return `${name} ${recordType} ${value}${mark}`;
    })
    .sort();
}

const kinds = async () => (await ada.rpc.dns.changes.query()).map(({ kind, by }) => [kind, by]);

test('a name points to an app, in the place of what it led to, and follows it', async () => {
  await addAll(ada, [
    ['A', '@', '203.0.113.9'],
    ['MX', '@', '10 mail.other.test'],
    ['A', 'www', '203.0.113.9'],
    ['TXT', 'both', 'x'],
  ]);
  const www = await point('WWW.example.test');
  expect(www).toMatchObject({
    status: 200,
    body: [{ recordType: 'CNAME', name: 'www', value: target, ttl: 3600, projectId: project.id }],
  });
  const both = await ada.rpc.customDomains.point.mutate({
    id: project.id,
    name: 'both.example.test',
    ttl: 60,
  });
  expect(both.map(({ recordType, ttl }) => [recordType, ttl])).toEqual([
    ['A', 60],
    ['AAAA', 60],
  ]);
  expect((await point('example.test')).status).toBe(200);
  expect(await linesOf()).toEqual([
    '@ A 203.0.113.1 follows',
    '@ AAAA 2001:db8::1 follows',
    '@ MX 10 mail.other.test',
    'both A 203.0.113.1 follows',
    'both AAAA 2001:db8::1 follows',
    'both TXT x',
    `www CNAME ${target} follows`,
  ]);
  expect(await leading()).toEqual([
    'A @ example.test',
    'A both example.test',
    'AAAA @ example.test',
    'AAAA both example.test',
    'CNAME www example.test',
  ]);
  const before = await everything(world);
  await follow();
  expect(await everything(world)).toEqual(before);

  await addAll(ada, [
    ['A', 'both', '203.0.113.9', 60],
    ['A', '@', '203.0.113.2'],
  ]);
  addresses = ['203.0.113.2'];
  world.deps.settings.appsDomain = 'apps.nephos-new.test';
  try {
    const [former] = await ada.rpc.dns.zones.query();
    await follow();
    expect(await linesOf()).toEqual([
      '@ A 203.0.113.2 follows',
      '@ MX 10 mail.other.test',
      'both A 203.0.113.2 follows',
      'both A 203.0.113.9',
      'both TXT x',
      `www CNAME ${target.replace('nephos', 'nephos-new')} follows`,
    ]);
    const [zone] = await ada.rpc.dns.zones.query();
    expect(zone?.serial).toBeGreaterThan(former?.serial ?? 0);
    // One change, whoever is told to have made it.
    expect((await kinds()).slice(0, 2)).toEqual([
      ['follow', null],
      ['edit', ada.user.email],
    ]);
    // What cannot be looked up stays.
    addresses = [];
    const kept = await everything(world);
    await follow();
    expect(await everything(world)).toEqual(kept);
  } finally {
    world.deps.settings.appsDomain = 'apps.nephos.test';
  }
});

test('addresses of a family stay until it is known that there are none', async () => {
  await addAll(ada, [['TXT', '@', 'x']]);
  await point('example.test');
  const before = await everything(world);
  for (unanswered of [4, 6] as const) {
    await follow();
    expect(await everything(world)).toEqual(before);
  }
  addresses = ['2001:db8::1'];
  unanswered = undefined;
  await follow();
  expect(await linesOf()).toEqual(['@ AAAA 2001:db8::1 follows', '@ TXT x']);
});

test('a start under another address has records follow that', async () => {
  await addAll(ada, [['TXT', '@', 'x']]);
  await point('www.example.test');
  await point('example.test');
  addresses = ['203.0.113.3'];
  const { databaseUrl, deps } = world;
  const settings = { publicUrl: deps.settings.publicUrl, appsDomain: 'apps.nephos-new.test' };
  const next = await createWorld({ databaseUrl, running: true, overrides: { publicDns }, settings });
  try {
    await expect
      .poll(() => linesOf())
      .toEqual([
        '@ A 203.0.113.3 follows',
        '@ TXT x',
        `www CNAME ${target.replace('nephos', 'nephos-new')} follows`,
      ]);
  } finally {
    await next.close();
  }
});

test('a record that is written by hand follows no more; one that gets another TTL does', async () => {
  await addAll(ada, [['TXT', '@', 'x']]);
  await point('example.test');
  const [aaaa, a] = await ada.rpc.dns.list.query();
  const { serial } = await ada.rpc.dns.zoneRecords.query({ domain: 'example.test' });
  const edits = [{ action: 'change', id: aaaa?.id ?? '', ttl: 60 } as const];
  await ada.rpc.dns.edit.mutate({ domain: 'example.test', serial, edits });
  const before = await everything(world);
  await follow();
  expect(await everything(world)).toEqual(before);
  await ada.rpc.dns.update.mutate({ id: a?.id ?? '', value: '203.0.113.7' });
  expect(await linesOf()).toEqual(['@ A 203.0.113.7', '@ AAAA 2001:db8::1 follows', '@ TXT x']);
  const now = (await ada.rpc.dns.zoneRecords.query({ domain: 'example.test' })).serial;
  const byHand = [{ action: 'change', id: aaaa?.id ?? '', value: '2001:db8::7' } as const];
  await ada.rpc.dns.edit.mutate({ domain: 'example.test', serial: now, edits: byHand });
  expect(await leading()).toEqual([]);
});

test('records that followed an app stay as any other where it goes without them', async () => {
  await addAll(ada, [['TXT', '@', 'x']]);
  await point('www.example.test');
  await ada.rest(`DELETE /api/projects/${project.id}`);
  expect(await linesOf()).toEqual(['@ TXT x', `www CNAME ${target}`]);
  await follow();
  project = await makeProject();
});

test('a name is pointed to an app of theirs in a domain of theirs alone, once per key', async () => {
  await addAll(ada, [['MX', '@', '10 mail.example.test']]);
  await addAll(bob, [['TXT', '@', 'x']], 'bobs.test');
  const before = await everything(world);
  const path = `POST /api/projects/${project.id}/dns-records`;
  expect((await world.anyone.rest(path, { body: { name: 'www.example.test' } })).status).toBe(401);
  expect((await point('www.bobs.test', bob)).status).toBe(404);
  for (const name of ['www.bobs.test', 'www.elsewhere.test']) {
    expect(await point(name)).toMatchObject({ status: 409, body: { code: 'NO_ZONE' } });
  }
  expect(await point('www')).toMatchObject({ status: 400, body: { fields: [{ path: 'name' }] } });
  // A mail server has addresses of its own.
  expect(await point('mail.example.test')).toMatchObject({ status: 409, body: { code: 'CNAME_CONFLICT' } });
  addresses = [];
  expect(await point('example.test')).toMatchObject({ status: 409, body: { code: 'NO_ADDRESS' } });
  expect(await everything(world)).toEqual(before);
  const headers = { 'idempotency-key': 'point-1' };
  const call = () => ada.rest(path, { headers, body: { name: 'www.example.test' } });
  const first = await call();
  expect(first.status).toBe(200);
  expect((await call()).text).toBe(first.text);
  expect(await ada.rpc.dns.changes.query()).toHaveLength(2);
});

test('domains whose records are kept here are told, once their zone is proven', async () => {
  await addAll(ada, [['TXT', '@', 'x']]);
  await addDomain('shop.example.test');
  await addDomain('shop.elsewhere.test');
  const served = async () => (await ada.rpc.customDomains.list.query({ id: project.id })).served;
  expect(await served()).toEqual([]);
  await world.deps.db.updateTable('dnsZones').set({ verifiedAt: '2026-01-01T00:00:00Z' }).execute();
  expect(await served()).toEqual(['shop.example.test']);
});
