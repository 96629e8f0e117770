import { request as httpRequest } from 'node:http';
import { isIP } from 'node:net';
import { text } from 'node:stream/consumers';
import type { CustomDomain, Project } from '@nephos/contracts';
import { MAX_CUSTOM_DOMAINS } from '@nephos/contracts/constants';
import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { checkDue } from '../../src/domains/custom-domains/check.ts';
import type { PublicDns } from '../../src/platform/public-dns.ts';
import { createWorld, type Person, type World } from '../world.ts';

let world: World;
let ada: Person;
let bob: Person;
let hers: Project;
let his: Project;

/** What the internet has; a name in `silent` is not answered for. */
const texts = new Map<string, string[]>();
const addresses = new Map<string, string[]>();
const silent = new Set<string>();

const publicDns: PublicDns = {
  txt: async (name) => (silent.has(name) ? undefined : (texts.get(name) ?? [])),
  addresses: async (name, family) => {
    if (silent.has(name) || silent.has(`${name} ${family}`)) return undefined;
    return (addresses.get(name) ?? []).filter((address) => family === undefined || isIP(address) === family);
  },
};

const SHOP = 'shop.example.test';
const PROOF = `_nephos.${SHOP}`;

beforeAll(async () => {
  world = await createWorld({
    running: true,
    overrides: { publicDns },
    settings: {
      publicUrl: new URL('http://console.nephos.test:3000'),
      appsDomain: 'apps.nephos-a.test',
      // Bob is a member, and a bare machine has no sandbox.
      allowProcessRuntime: true,
    },
  });
  ada = await world.as('Ada');
  bob = await world.as('Bob');
  const body = { name: 'Market', framework: 'nodejs' };
  hers = (await ada.rest('POST /api/projects', { body })).body as Project;
  his = (await bob.rest('POST /api/projects', { body })).body as Project;
});
afterEach(async () => {
  await world.deps.db.deleteFrom('customDomains').execute();
  await world.deps.db.deleteFrom('dnsZones').execute();
  for (const known of [texts, addresses, silent]) known.clear();
});
afterAll(() => world.close());

function tryAdd(person: Person, domain: string, { id } = person === ada ? hers : his) {
  return person.rest(`POST /api/projects/${id}/domains`, { body: { domain } });
}

async function add(person: Person, domain: string, project?: Project): Promise<CustomDomain> {
  const answer = await tryAdd(person, domain, project);
  expect(answer.status, answer.text).toBe(201);
  return answer.body as CustomDomain;
}

/** Adds a domain whose proof the internet has. */
async function addProven(person: Person, domain: string, project?: Project): Promise<CustomDomain> {
  const { id, verification } = await add(person, domain, project);
  texts.set(verification.name, [...(texts.get(verification.name) ?? []), verification.value]);
  const checked = await check(person, domain, project);
  expect(checked).toMatchObject({ id, status: 'active', reason: '' });
  return checked;
}

function check(person: Person, domain: string, { id } = person === ada ? hers : his) {
  return person.rpc.customDomains.check.mutate({ id, domain });
}

async function domainsOf(person: Person, { id } = person === ada ? hers : his) {
  return (await person.rpc.customDomains.list.query({ id })).domains;
}

const checks = () =>
  checkDue({ ...world.deps, orders: undefined, publicDns, log: pino({ level: 'silent' }) });

async function makeDue(): Promise<void> {
  await world.deps.db.updateTable('customDomains').set({ nextCheckAt: '2020-01-01' }).execute();
}

describe('a domain that is added', () => {
  it('waits for its proof, with what to write at the DNS provider', async () => {
    addresses.set(`${hers.slug}.apps.nephos-a.test`, ['192.0.2.1', '2001:db8::1']);
    const added = await add(ada, SHOP);
    expect(added).toMatchObject({ domain: SHOP, status: 'pending', isPrimary: true, redirects: false });
    expect(added).toMatchObject({ pointsHere: false, verification: { name: PROOF } });
    expect(added.verification.value).toMatch(/^[0-9a-f]{32}$/);
    expect(added.reason).toContain(`No TXT record was found at ${PROOF}.`);
    const { body } = await ada.rest(`GET /api/projects/${hers.id}/domains`);
    expect(body).toEqual({
      target: `${hers.slug}.apps.nephos-a.test`,
      addresses: ['192.0.2.1', '2001:db8::1'],
      served: [],
      servesHttps: false,
      domains: [added],
    });
    expect(world.deps.apps.ownsHost(SHOP)).toBe(false);
  });

  it('is active as soon as the proof is seen, beside other texts', async () => {
    const { verification } = await add(ada, SHOP);
    texts.set(PROOF, ['something else', verification.value]);
    addresses.set(`${hers.slug}.apps.nephos-a.test`, ['192.0.2.1']);
    addresses.set(SHOP, ['192.0.2.1']);
    const path = `POST /api/projects/${hers.id}/domains/${SHOP}/check`;
    expect(await ada.rest(path)).toMatchObject({
      status: 200,
      body: { status: 'active', reason: '', pointsHere: true },
    });
    await expect.poll(() => world.deps.apps.ownsHost(SHOP)).toBe(true);
    expect(world.deps.apps.ownsHost(`${SHOP.toUpperCase()}.:80`)).toBe(true);
    expect(world.deps.apps.ownsHost(`www.${SHOP}`)).toBe(false);
  });

  it('says why it is not', async () => {
    texts.set(PROOF, ['of somebody else']);
    expect((await add(ada, SHOP)).reason).toBe(
      `The TXT record ${PROOF} has another value. Set it to the one shown here.`,
    );
    silent.add(PROOF);
    expect((await check(ada, SHOP)).reason).toContain("didn't answer");
    await ada.rpc.customDomains.remove.mutate({ id: hers.id, domain: SHOP });
    expect(await add(ada, SHOP)).toMatchObject({ status: 'pending', checkedAt: expect.any(String) });
  });

  it.each([
    ['Shop.Example.TEST.', SHOP],
    [' shop.example.test ', SHOP],
    ['münchen.example', 'xn--mnchen-3ya.example'],
  ])('%s is read as %s', async (given, domain) => {
    expect(await add(ada, given)).toMatchObject({ domain });
  });

  it.each([
    'shop.example.test:8080',
    'https://shop.example.test',
    'shop.example.test/path',
    '*.example.test',
    'shop',
    '192.0.2.1',
    '_x.example.test',
    '',
    `${'a'.repeat(60)}.${'b'.repeat(60)}.${'c'.repeat(60)}.${'d'.repeat(60)}.test`,
    // The console's own, and those of all apps.
    'console.nephos.test',
    'shop.console.nephos.test',
    'apps.nephos-a.test',
    'shop.apps.nephos-a.test',
  ])('%s is refused', async (domain) => {
    const { status, body } = await tryAdd(ada, domain);
    expect({ status, body }).toMatchObject({ status: 400, body: { fields: [{ path: 'domain' }] } });
    expect(await domainsOf(ada)).toEqual([]);
  });

  it.each(['nephos.test', 'notconsole.nephos.test', 'notapps.nephos-a.test'])('%s is not', async (domain) => {
    expect((await tryAdd(ada, domain)).status).toBe(201);
  });

  it('is added once per key', async () => {
    const request = { body: { domain: SHOP }, headers: { 'idempotency-key': 'once' } };
    const [first, again] = [
      await ada.rest(`POST /api/projects/${hers.id}/domains`, request),
      await ada.rest(`POST /api/projects/${hers.id}/domains`, request),
    ];
    expect(again.body).toEqual(first.body);
    expect(await domainsOf(ada)).toHaveLength(1);
  });

  it('takes no certificate while HTTPS is off', async () => {
    expect(await add(ada, SHOP)).toMatchObject({ url: `http://${SHOP}:3000`, certificate: null });
    const pem = '-----BEGIN CERTIFICATE-----';
    const body = { certificate: pem, privateKey: pem };
    const path = `PUT /api/projects/${hers.id}/domains/${SHOP}/certificate`;
    expect(await ada.rest(path, { body })).toMatchObject({
      status: 503,
      body: { message: expect.stringContaining('HTTPS_PORT') },
    });
  });

  it('is one of 20 at most', async () => {
    for (let n = 1; n <= MAX_CUSTOM_DOMAINS; n += 1) await add(ada, `n${n}.example.test`);
    expect(await tryAdd(ada, SHOP)).toMatchObject({ status: 403, body: { code: 'QUOTA_EXCEEDED' } });
  });
});

describe('a zone that is served here', () => {
  const zone = { domain: 'example.test', name: '@', value: '192.0.2.1', recordType: 'A' as const };
  const trusting = {
    host: '127.0.0.1',
    publicUrl: new URL('http://localhost:3000'),
    appsDomain: 'localhost',
  };

  it('proves its names where everyone who reaches the server is trusted', async () => {
    const local = await createWorld({
      databaseUrl: world.databaseUrl,
      overrides: { publicDns },
      settings: trusting,
    });
    const cookie = { headers: { cookie: ada.cookie } };
    const tryThere = (domain: string) =>
      local.anyone.rest(`POST /api/projects/${hers.id}/domains`, { ...cookie, body: { domain } });
    try {
      await ada.rpc.dns.create.mutate(zone);
      expect((await tryThere(SHOP)).body).toMatchObject({ status: 'active', reason: '' });
      expect((await tryThere('example.test')).body).toMatchObject({ status: 'active' });
      expect((await tryThere('notexample.test')).body).toMatchObject({ status: 'pending' });
      const { body } = await local.anyone.rest(`GET /api/projects/${hers.id}/domains`, cookie);
      expect(body).toMatchObject({ target: null, addresses: [] });
    } finally {
      await local.close();
    }
  });

  it('proves nothing where anyone could have made it', async () => {
    await ada.rpc.dns.create.mutate(zone);
    expect(await add(ada, SHOP)).toMatchObject({ status: 'pending' });
  });

  it("proves nothing of another account's", async () => {
    const strict = await createWorld({
      databaseUrl: world.databaseUrl,
      overrides: { publicDns },
      settings: { dnsVerifyOwnership: true },
    });
    const tryThere = ({ cookie }: Person, { id }: Project) =>
      strict.anyone.rest(`POST /api/projects/${id}/domains`, { headers: { cookie }, body: { domain: SHOP } });
    try {
      await bob.rpc.dns.create.mutate(zone);
      expect((await tryThere(ada, hers)).body).toMatchObject({ status: 'pending' });
      expect((await tryThere(bob, his)).body).toMatchObject({ status: 'active' });
    } finally {
      await strict.close();
    }
  });
});

describe("another workspace's domain", () => {
  it('can be claimed by anyone until one has proven it', async () => {
    await add(bob, SHOP);
    await addProven(ada, SHOP);
    const answer = await tryAdd(bob, SHOP.replace('shop', 'other'));
    expect(answer.status).toBe(201);
    expect(await check(bob, SHOP)).toMatchObject({
      status: 'pending',
      reason: expect.stringContaining('Another workspace has this domain.'),
    });
    await bob.rpc.customDomains.remove.mutate({ id: his.id, domain: SHOP });
    const refused = await tryAdd(bob, SHOP);
    expect(refused).toMatchObject({ status: 409, body: { code: 'DOMAIN_TAKEN' } });
    expect(refused.text).toContain('Another workspace has');
    for (const told of [hers.id, hers.slug, 'Ada', ada.user.id]) expect(refused.text).not.toContain(told);
    expect(await domainsOf(bob)).toMatchObject([{ domain: 'other.example.test' }]);
  });

  it('goes to whoever alone has the proof on the internet', async () => {
    const { verification } = await add(bob, SHOP);
    await addProven(ada, SHOP);
    texts.set(PROOF, [...(texts.get(PROOF) ?? []), verification.value]);
    expect(await check(bob, SHOP)).toMatchObject({ status: 'pending' });
    texts.set(PROOF, [verification.value]);
    expect(await check(bob, SHOP)).toMatchObject({ status: 'active', reason: '' });
    expect(await domainsOf(ada)).toMatchObject([
      { status: 'pending', reason: expect.stringContaining('Another workspace has this domain.') },
    ]);
    expect(await check(ada, SHOP)).toMatchObject({ status: 'pending' });
  });

  it('is proven by one of two who try at the same time', async () => {
    const [one, other] = [await add(ada, SHOP), await add(bob, SHOP)];
    texts.set(PROOF, [one.verification.value, other.verification.value]);
    const checked = await Promise.all([check(ada, SHOP), check(bob, SHOP)]);
    expect(checked.map(({ status }) => status).sort()).toEqual(['active', 'pending']);
  });

  it('is told of where it is your own', async () => {
    const { id } = await add(ada, SHOP);
    const second = await ada.rpc.projects.create.mutate({ name: 'Second', framework: 'nodejs' });
    const message = `Your project Market already has ${SHOP}. Remove it there first.`;
    expect(await tryAdd(ada, SHOP, second)).toMatchObject({
      status: 409,
      body: { code: 'EXISTS', message, existingId: id },
    });
    expect(await tryAdd(ada, SHOP)).toMatchObject({
      status: 409,
      body: { message: `This project already has ${SHOP}.` },
    });
  });

  it('is as if it were not there', async () => {
    await addProven(ada, SHOP);
    const path = `/api/projects/${hers.id}/domains`;
    const calls = [
      await bob.rest(`GET ${path}`),
      await bob.rest(`POST ${path}`, { body: { domain: 'mine.example.test' } }),
      await bob.rest(`PATCH ${path}/${SHOP}`, { body: { redirects: true } }),
      await bob.rest(`POST ${path}/${SHOP}/check`),
      await bob.rest(`DELETE ${path}/${SHOP}`),
      await bob.rest(`DELETE /api/projects/${his.id}/domains/${SHOP}`),
    ];
    expect(calls.map(({ status }) => status)).toEqual(calls.map(() => 404));
    expect((await world.anyone.rest(`GET ${path}`)).status).toBe(401);
    expect(await domainsOf(ada)).toMatchObject([{ domain: SHOP, status: 'active' }]);
  });
});

describe('the primary domain', () => {
  const www = `www.${SHOP}`;
  const change = (domain: string, body: object) =>
    ada.rest(`PATCH /api/projects/${hers.id}/domains/${domain}`, { body });

  it('is the first one, until another is made it', async () => {
    await add(ada, SHOP);
    expect(await add(ada, www)).toMatchObject({ isPrimary: false });
    expect((await change(www, { redirects: true })).body).toMatchObject({ redirects: true });
    expect((await change(www, { isPrimary: true })).body).toMatchObject({
      isPrimary: true,
      redirects: false,
    });
    expect(await domainsOf(ada)).toMatchObject([
      { domain: SHOP, isPrimary: false },
      { domain: www, isPrimary: true },
    ]);
  });

  it('redirects nowhere', async () => {
    await add(ada, SHOP);
    await add(ada, www);
    for (const [domain, body] of [
      [SHOP, { redirects: true }],
      [www, { isPrimary: true, redirects: true }],
    ] as const) {
      expect(await change(domain, body)).toMatchObject({ status: 409, body: { code: 'IS_PRIMARY' } });
    }
    expect((await change(SHOP, { isPrimary: false })).status).toBe(400);
    expect(await domainsOf(ada)).toMatchObject([{ isPrimary: true }, { isPrimary: false, redirects: false }]);
  });

  it('has a successor when it is removed: an active one, if there is one', async () => {
    await add(ada, SHOP);
    await add(ada, 'second.example.test');
    await addProven(ada, www);
    await change(www, { redirects: true });
    await ada.rest(`DELETE /api/projects/${hers.id}/domains/${SHOP}`);
    expect(await domainsOf(ada)).toMatchObject([
      { domain: 'second.example.test', isPrimary: false },
      { domain: www, isPrimary: true, redirects: false },
    ]);
  });
});

describe('a domain of which half is not known', () => {
  const target = () => `${hers.slug}.apps.nephos-a.test`;

  it('leads here where the other half does, and else as it did', async () => {
    addresses.set(target(), ['203.0.113.1', '2001:db8::1']);
    addresses.set(SHOP, ['192.0.2.9', '2001:db8::1']);
    expect(await addProven(ada, SHOP)).toMatchObject({ pointsHere: true });
    silent.add(`${SHOP} 4`);
    expect(await check(ada, SHOP)).toMatchObject({ pointsHere: true });
    const lost = async () =>
      (await ada.rpc.alerts.list.query())
        .filter(({ kind, subject }) => kind === 'domain-lost' && subject.name === SHOP)
        .map(({ recoveredAt }) => recoveredAt !== null);
    await world.deps.db.deleteFrom('alerts').execute();
    // What is not known changes nothing of what was known last.
    addresses.set(SHOP, ['192.0.2.9']);
    expect(await check(ada, SHOP)).toMatchObject({ pointsHere: true });
    silent.clear();
    expect(await check(ada, SHOP)).toMatchObject({ pointsHere: false });
    expect(await lost()).toEqual([false]);
    silent.add(`${target()} 4`);
    expect(await check(ada, SHOP)).toMatchObject({ pointsHere: false });
    expect(await lost()).toEqual([false]);
    silent.clear();
    addresses.set(SHOP, ['192.0.2.9', '2001:db8::1']);
    expect(await check(ada, SHOP)).toMatchObject({ pointsHere: true });
    expect(await lost()).toEqual([true]);
  });
});

describe('checks in the background', () => {
  it('find a proof that came later, and rest for a week then', async () => {
    const { verification } = await add(ada, SHOP);
    texts.set(PROOF, [verification.value]);
    await checks();
    expect(await domainsOf(ada)).toMatchObject([{ status: 'pending' }]);
    await makeDue();
    await checks();
    expect(await domainsOf(ada)).toMatchObject([{ status: 'active', reason: '' }]);
    expect(await minutesToNext()).toBeCloseTo(7 * 24 * 60, -1);
  });

  it('look soon again at one that is yet to lead here', async () => {
    addresses.set(`${hers.slug}.apps.nephos-a.test`, ['203.0.113.1']);
    expect(await addProven(ada, SHOP)).toMatchObject({ pointsHere: false });
    expect(await minutesToNext()).toBeCloseTo(15, -1);
    addresses.set(SHOP, ['203.0.113.1']);
    await makeDue();
    await checks();
    expect(await domainsOf(ada)).toMatchObject([{ pointsHere: true }]);
    expect(await minutesToNext()).toBeCloseTo(7 * 24 * 60, -1);
  });

  it('tell of a proof that is gone, and end nothing', async () => {
    await addProven(ada, SHOP);
    texts.delete(PROOF);
    const pauses = [];
    for (let n = 0; n < 12; n += 1) {
      await makeDue();
      await checks();
      pauses.push(Math.round(await minutesToNext()));
    }
    expect(pauses).toEqual([5, 10, 20, 40, 80, 160, 320, 640, 1280, 1440, 1440, 1440]);
    const reason = expect.stringContaining(`The TXT record ${PROOF} is gone. The domain still works`);
    expect(await domainsOf(ada)).toMatchObject([{ status: 'active', reason }]);
    await expect.poll(() => world.deps.apps.ownsHost(SHOP)).toBe(true);
  });

  it('go on after one that fails', async () => {
    const one = await add(ada, SHOP);
    const other = await add(ada, 'other.example.test');
    texts.set(one.verification.name, [one.verification.value]);
    texts.set(other.verification.name, [other.verification.value]);
    await makeDue();
    const failing: PublicDns = {
      ...publicDns,
      txt: async (name) => (name === PROOF ? Promise.reject(new Error('broken')) : publicDns.txt(name)),
    };
    await checkDue({ ...world.deps, orders: undefined, publicDns: failing, log: pino({ level: 'silent' }) });
    expect(await domainsOf(ada)).toMatchObject([{ status: 'pending' }, { status: 'active' }]);
  });

  async function minutesToNext(): Promise<number> {
    const { nextCheckAt, checkedAt } = await world.deps.db
      .selectFrom('customDomains')
      .select(['nextCheckAt', 'checkedAt'])
      .executeTakeFirstOrThrow();
    return (Date.parse(nextCheckAt) - Date.parse(checkedAt ?? '')) / 60_000;
  }
});

describe('an app', () => {
  const www = `www.${SHOP}`;
  const ask = (host: string, path = '/') =>
    new Promise<{ status: number; location: string | undefined; text: string }>((resolve, reject) => {
      const { hostname, port } = new URL(world.url);
      const request = httpRequest({ hostname, port, path, headers: { host }, agent: false });
      request.once('error', reject).once('response', async (response) => {
        const { statusCode = 0, headers } = response;
        resolve({ status: statusCode, location: headers.location, text: await text(response) });
      });
      request.end();
    });

  it('answers at its own domains and no longer when they are removed', async () => {
    const site = await ada.rpc.projects.create.mutate({ name: 'Site', template: 'static-site' });
    await expect.poll(async () => (await ada.rpc.projects.get.query({ id: site.id })).state).toBe('running');
    const before = await ask(SHOP, '/api/openapi.json');
    expect(before).toMatchObject({ status: 200, text: expect.stringContaining('"openapi"') });
    await addProven(ada, SHOP, site);
    await addProven(ada, www, site);
    await expect.poll(async () => (await ask(SHOP)).text).toContain('<h1>My site</h1>');
    expect(await ask(www)).toMatchObject({ status: 200 });
    expect(await ask(SHOP, '/api/openapi.json')).toMatchObject({ status: 404 });
    await ada.rpc.customDomains.update.mutate({ id: site.id, domain: www, redirects: true });
    await expect.poll(() => ask(www, '/a?b')).toMatchObject({ status: 308, location: `http://${SHOP}/a?b` });
    await ada.rpc.customDomains.remove.mutate({ id: site.id, domain: SHOP });
    await expect.poll(async () => (await ask(SHOP, '/api/openapi.json')).status).toBe(200);
    expect(await ask(www)).toMatchObject({ status: 200 });
    await ada.rpc.projects.remove.mutate({ id: site.id });
    await expect.poll(async () => (await ask(www, '/api/openapi.json')).status).toBe(200);
  });
});

describe('other replicas', () => {
  it('know a domain from their start on, learn of a new one, and that it is gone with its project', async () => {
    await addProven(ada, SHOP);
    const replica = await createWorld({
      databaseUrl: world.databaseUrl,
      running: true,
      overrides: { publicDns },
    });
    try {
      const { ownsHost } = replica.deps.apps;
      expect(ownsHost(SHOP)).toBe(true);
      const project = await ada.rpc.projects.create.mutate({ name: 'Third', framework: 'nodejs' });
      await addProven(ada, 'third.example.test', project);
      await expect.poll(() => ownsHost('third.example.test')).toBe(true);
      await ada.rpc.projects.remove.mutate({ id: project.id });
      await expect.poll(() => ownsHost('third.example.test')).toBe(false);
      expect(ownsHost(SHOP)).toBe(true);
      await addProven(bob, 'third.example.test');
      await expect.poll(() => ownsHost('third.example.test')).toBe(true);
    } finally {
      await replica.close();
    }
  });
});
