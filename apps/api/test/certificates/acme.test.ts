import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { createServer, request as httpRequest } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout } from 'node:timers/promises';
import { connect } from 'node:tls';
import type { CustomDomain, Project } from '@nephos/contracts';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { requireTool } from '../../../../tools/require-tool.ts';
import { freePort } from '../../../../tools/server-process.mjs';
import { zoneOf } from '../../src/domains/certificates/challenges.ts';
import { certificateIdOf } from '../../src/domains/certificates/renewal-info.ts';
import { createTlsServer } from '../../src/http/tls-server.ts';
import { createPublicDns } from '../../src/platform/public-dns.ts';
import { createTestAuthority } from '../custom-domains/test-certificates.ts';
import { createWorld, type Person, type World, type WorldOptions } from '../world.ts';
import { BLOCKED, createPebble, type Pebble, WAIT } from './pebble.ts';

const HAS_TOOLS = requireTool('pebble') && requireTool('openssl');
const ISSUED = { timeout: 60_000, interval: 100 };
/** Another host than ours, which answers challenges wrongly. */
const STRANGER = '127.0.0.3';
/** Where nothing answers by HTTP. */
const NOBODY = '127.0.0.9';

let options: WorldOptions;
let pebble: Pebble;
let world: World;
/** Has the zone ada.test, so her names are proven by DNS. */
let ada: Person;
/** Has the zone bob.test, in which Ada has domains that are proven by HTTP. */
let bob: Person;
let site: Project;

beforeAll(async () => {
  if (!HAS_TOOLS) return;
  const [dnsPort, httpsPort] = [await freePort(), await freePort()];
  pebble = await createPebble(dnsPort);
  options = {
    running: true,
    overrides: { publicDns: createPublicDns([`127.0.0.1:${dnsPort}`]) },
    settings: { acme: pebble.settings, dnsPort, httpsPort, secretsKey: 'ab'.repeat(32) },
  };
  world = await createWorld(options);
  await pebble.start(Number(new URL(world.url).port));
  ada = await world.as('Ada');
  bob = await world.as('Bob');
  site = await ada.rpc.projects.create.mutate({ name: 'Site', framework: 'nodejs' });
});
afterAll(async () => {
  if (!HAS_TOOLS) return;
  await world.close();
  await pebble.stop();
});

async function point(who: Person, name: string, value: string, recordType: 'A' | 'CNAME' = 'A') {
  const labels = name.split('.');
  const [domain, host] = [labels.slice(-2).join('.'), labels.slice(0, -2).join('.')];
  const record = { domain, name: host, recordType, value, ttl: 60 } as const;
  const { id } = await who.rpc.dns.create.mutate(record);
  await expect.poll(async () => (await who.rpc.dns.answer.query({ id })).served).toBe(true);
}

/** A domain of Ada's site in her zone. */
async function addInOwnZone(name: string, address = '127.0.0.1'): Promise<void> {
  await point(ada, name, address);
  await ada.rpc.customDomains.add.mutate({ id: site.id, domain: name });
}

/** A domain of Ada's site in Bob's zone, proven by the record that he made for her. */
async function addInOtherZone(name: string, address = '127.0.0.1'): Promise<void> {
  await point(bob, name, address);
  const { verification } = await ada.rpc.customDomains.add.mutate({ id: site.id, domain: name });
  const [label, ...zone] = verification.name.split('.');
  const record = { recordType: 'TXT', value: verification.value, ttl: 60 } as const;
  const domain = zone.slice(-2).join('.');
  const host = [label, ...zone.slice(0, -2)].join('.');
  await bob.rpc.dns.create.mutate({ domain, name: host, ...record });
  await expect
    .poll(async () => (await ada.rpc.customDomains.check.mutate({ id: site.id, domain: name })).status)
    .toBe('active');
}

async function shown(name: string): Promise<CustomDomain> {
  const { domains } = await ada.rpc.customDomains.list.query({ id: site.id });
  const found = domains.find(({ domain }) => domain === name);
  if (!found) throw new Error(`${name} is not there`);
  return found;
}

/** Waits until the domain has its certificate. */
async function issued(name: string) {
  await expect.poll(async () => (await shown(name)).certificate, ISSUED).not.toBeNull();
  const { certificate, issuance } = await shown(name);
  const { chain } = await world.deps.db
    .selectFrom('domainCertificates')
    .innerJoin('customDomains', 'customDomains.id', 'domainId')
    .select('chain')
    .where('domain', '=', name)
    .executeTakeFirstOrThrow();
  return { certificate, issuance, leaf: new X509Certificate(chain), chain };
}

/** Waits until the authority refused, and tells in which words. */
async function refused(name: string): Promise<string> {
  await expect.poll(async () => (await shown(name)).issuance?.error, ISSUED).not.toBe('');
  return (await shown(name)).issuance?.error ?? '';
}

async function attempts(name: string): Promise<number> {
  return (await counted(name)).length;
}

async function successes(name: string): Promise<number> {
  return (await counted(name)).filter(({ succeeded }) => succeeded).length;
}

function counted(name: string) {
  return world.deps.db.selectFrom('acmeAttempts').selectAll().where('name', '=', name).execute();
}

/** Tries that wait or are under way, on any replica. */
async function unfinished(): Promise<number> {
  const { rows } = await sql`
    select from pgboss.job where name = 'certificates.order' and state in ('created', 'retry', 'active')
  `.execute(world.deps.db);
  return rows.length;
}

/** Makes a domain's order due, and has what is due begun. */
async function renew(name: string, of: World = world): Promise<void> {
  const { id } = await shown(name);
  await world.deps.db
    .updateTable('certificateOrders')
    .set({ dueAt: '2020-01-01' })
    .where('domainId', '=', id)
    .execute();
  await of.deps.certificates.orders?.beginDue();
}

function tryAgain(name: string) {
  return ada.rest(`POST /api/projects/${site.id}/domains/${name}/certificate/issue`);
}

describe.skipIf(!HAS_TOOLS)('a domain that is proven', () => {
  it('gets a certificate by a TXT record where its zone is served here', async () => {
    await addInOwnZone('shop.ada.test', NOBODY);
    const { certificate, issuance, leaf, chain } = await issued('shop.ada.test');
    expect(certificate).toMatchObject({ managed: true, isExpired: false, httpsOnly: true });
    expect(certificate?.issuer).toMatch(/^Pebble Intermediate CA/);
    expect(leaf.subjectAltName).toBe('DNS:shop.ada.test');
    const life = Date.parse(leaf.validTo) - Date.parse(leaf.validFrom);
    const renewal = Date.parse(issuance?.dueAt ?? '') - Date.parse(leaf.validFrom);
    expect(issuance?.error).toBe('');
    expect(renewal / life).toBeCloseTo(2 / 3, 3);
    // What showed the authority whose it is was taken back.
    expect(await world.deps.db.selectFrom('acmeChallenges').selectAll().execute()).toEqual([]);
    await expect
      .poll(() => world.deps.domains.dns.nameServer.ask('_acme-challenge.shop.ada.test', 'TXT'))
      .toMatchObject({ responseCode: 'NXDOMAIN' });
    expect(chain.match(/BEGIN CERTIFICATE/g)?.length).toBeGreaterThan(1);
  });

  it('gets it once the other name servers of its zone have the record', async () => {
    const { db } = world.deps;
    const zone = await db
      .selectFrom('dnsZones')
      .select(['id', 'ownerId'])
      .where('domain', '=', 'ada.test')
      .executeTakeFirstOrThrow();
    const secondary = { ownerId: zone.ownerId, zoneId: zone.id, address: '203.0.113.53', port: 53 };
    await db.insertInto('dnsSecondaries').values(secondary).execute();
    await addInOwnZone('copied.ada.test', NOBODY);
    await expect.poll(() => attempts('copied.ada.test'), ISSUED).toBe(1);
    await setTimeout(3000);
    expect((await shown('copied.ada.test')).certificate).toBeNull();
    const serial = db.selectFrom('dnsZones').select('serial').where('id', '=', zone.id);
    await db.updateTable('dnsSecondaries').set({ serial }).execute();
    await issued('copied.ada.test');
    await db.deleteFrom('dnsSecondaries').execute();
  });

  it('gets one by HTTP elsewhere, and answers with it', async () => {
    await addInOtherZone('www.bob.test');
    await issued('www.bob.test');
    await expect.poll(() => world.deps.certificateFor('www.bob.test')).toBeDefined();
    expect((await shown('www.bob.test')).url).toMatch(/^https:/);
    const tls = createTlsServer({ ...world.deps, server: world.app.server });
    try {
      const port = await tls.listen({ host: '127.0.0.1', port: 0 });
      const by = { host: '127.0.0.1', port, servername: 'www.bob.test', ca: await pebble.root() };
      const socket = connect(by);
      await once(socket, 'secureConnect');
      expect(socket.authorized).toBe(true);
      socket.destroy();
    } finally {
      await tls.close();
    }
  });

  it('keeps the key of its account and its own sealed', async () => {
    const accounts = await world.deps.db.selectFrom('acmeAccounts').selectAll().execute();
    expect(accounts).toHaveLength(1);
    const keys = await world.deps.db.selectFrom('domainCertificates').select('sealedKey').execute();
    for (const { sealedKey } of [...accounts, ...keys])
      expect(String(sealedKey)).not.toContain('PRIVATE KEY');
  });
});

describe.skipIf(!HAS_TOOLS)('a zone that is served here', () => {
  const found = async (name: string) => (await zoneOf(world.deps.db, { ownerId: ada.user.id, name }))?.domain;

  it('shows whose a name is, unless the record would change what it answers', async () => {
    await point(ada, '*.wild.ada.test', '127.0.0.1');
    await point(ada, 'named.wild.ada.test', '127.0.0.1');
    await point(ada, '_acme-challenge.alias.ada.test', 'proofs.example.com', 'CNAME');
    expect(await found('ada.test')).toBe('ada.test');
    expect(await found('new.ada.test')).toBe('ada.test');
    expect(await found('named.wild.ada.test')).toBe('ada.test');
    expect(await found('wild.ada.test')).toBe('ada.test');
    expect(await found('other.wild.ada.test')).toBeUndefined();
    expect(await found('alias.ada.test')).toBeUndefined();
    expect(await found('www.bob.test')).toBeUndefined();
  });
});

describe.skipIf(!HAS_TOOLS)('a certificate of the authority', () => {
  it('is renewed when it is due, once, also with two replicas, and serves meanwhile', async () => {
    const replica = await createWorld({
      ...options,
      settings: { ...options.settings, dnsPort: 0 },
      databaseUrl: world.databaseUrl,
    });
    try {
      const before = await issued('www.bob.test');
      const count = await attempts('www.bob.test');
      await Promise.all([renew('www.bob.test', replica), renew('www.bob.test')]);
      expect(world.deps.certificateFor('www.bob.test')).toBeDefined();
      await expect
        .poll(async () => (await issued('www.bob.test')).leaf.serialNumber, ISSUED)
        .not.toBe(before.leaf.serialNumber);
      await expect.poll(unfinished, ISSUED).toBe(0);
      expect(await attempts('www.bob.test')).toBe(count + 1);
      expect((await world.deps.db.selectFrom('acmeAccounts').selectAll().execute()).length).toBe(1);
      const endsAt = expect.any(String);
      const record = { via: 'system', actorId: null, subjectName: 'www.bob.test', before: { endsAt } };
      const records = world.deps.db.selectFrom('auditLog').selectAll().orderBy('id', 'desc');
      expect(await records.where('procedure', '=', 'certificates.issue').executeTakeFirst()).toMatchObject({
        ...record,
        after: { domain: 'www.bob.test', endsAt },
      });
    } finally {
      await replica.close();
    }
  });

  it('is renewed when the authority wants that, which is told what it replaces', async () => {
    const { followRenewals } = world.deps.certificates.orders ?? {};
    const dueAt = async () => (await shown('www.bob.test')).issuance?.dueAt ?? '';
    const follow = async (start: number, end: number) => {
      pebble.renewals = { start: new Date(start).toISOString(), end: new Date(end).toISOString() };
      const infoDueAt = sql<string>`case name when 'www.bob.test' then now() else now() + interval '1 day' end`;
      await world.deps.db.updateTable('certificateOrders').set({ infoDueAt }).execute();
      await followRenewals?.();
    };
    const before = await issued('www.bob.test');
    const id = certificateIdOf(before.chain) ?? '';
    const [tomorrow, after] = [Date.now() + 86_400_000, Date.now() + 90_000_000];
    await follow(tomorrow, after);
    const chosen = await dueAt();
    expect(Date.parse(chosen)).toBeGreaterThanOrEqual(tomorrow);
    expect(Date.parse(chosen)).toBeLessThanOrEqual(after);
    await follow(tomorrow, after);
    expect(await dueAt()).toBe(chosen);
    await followRenewals?.();
    expect(pebble.named.asked.filter((asked) => asked === id)).toHaveLength(2);
    await follow(Date.now() - 3000, Date.now() - 1000);
    await world.deps.certificates.orders?.beginDue();
    await expect
      .poll(async () => (await issued('www.bob.test')).leaf.serialNumber, ISSUED)
      .not.toBe(before.leaf.serialNumber);
    expect(pebble.named.replaced).toContain(id);
    pebble.renewals = undefined;
  });

  it('serves on where the order of the next one is revoked, which is told', async () => {
    const before = await issued('www.bob.test');
    pebble.mood = 'revoked';
    await renew('www.bob.test');
    expect(await refused('www.bob.test')).toBe('The authorization of this order was revoked.');
    pebble.mood = 'well';
    expect((await issued('www.bob.test')).leaf.serialNumber).toBe(before.leaf.serialNumber);
    expect(world.deps.certificateFor('www.bob.test')).toBeDefined();
    expect((await tryAgain('www.bob.test')).status).toBe(200);
    await expect
      .poll(async () => (await issued('www.bob.test')).leaf.serialNumber, ISSUED)
      .not.toBe(before.leaf.serialNumber);
  });

  it('gives way to one of one’s own, which stays, and comes back after that', async () => {
    const authority = await createTestAuthority();
    try {
      const count = await attempts('shop.ada.test');
      const path = `/api/projects/${site.id}/domains/shop.ada.test/certificate`;
      expect((await ada.rest(`DELETE ${path}`)).status).toBe(409);
      const body = await authority.issue(['shop.ada.test']);
      pebble.mood = 'slow';
      await renew('shop.ada.test');
      await expect.poll(() => attempts('shop.ada.test'), ISSUED).toBe(count + 1);
      const given = await ada.rest(`PUT ${path}`, { body });
      const own = { certificate: { issuer: 'Test Authority', managed: false }, issuance: null };
      expect(given.body).toMatchObject(own);
      // What was on its way comes too late.
      pebble.mood = 'well';
      await expect.poll(() => successes('shop.ada.test'), ISSUED).toBe(count + 1);
      await setTimeout(500);
      expect(await shown('shop.ada.test')).toMatchObject(own);
      await world.deps.certificates.orders?.beginDue();
      expect((await tryAgain('shop.ada.test')).status).toBe(409);
      expect(await attempts('shop.ada.test')).toBe(count + 1);
      expect((await ada.rest(`DELETE ${path}`)).status).toBe(200);
      expect((await issued('shop.ada.test')).certificate).toMatchObject({ managed: true });
    } finally {
      await authority.close();
    }
  });

  it('is issued anew by the authority that took the place of another, which forgot our account', async () => {
    const before = await issued('shop.ada.test');
    const url = `${pebble.settings.directory.replace('/dir', '')}/my-account/404`;
    await world.deps.db.updateTable('acmeAccounts').set({ url }).execute();
    await world.deps.db
      .updateTable('certificateOrders')
      .set({ directory: 'https://former.test/dir' })
      .where('name', '=', 'shop.ada.test')
      .execute();
    await world.deps.certificates.orders?.beginDue();
    await expect
      .poll(async () => (await issued('shop.ada.test')).leaf.serialNumber, ISSUED)
      .not.toBe(before.leaf.serialNumber);
    const { dueAt = '' } = (await shown('shop.ada.test')).issuance ?? {};
    expect(Date.parse(dueAt)).toBeGreaterThan(Date.now() + 86_400_000);
    await world.deps.certificates.orders?.beginDue();
    expect((await shown('shop.ada.test')).issuance).toEqual({ error: '', dueAt });
    const account = await world.deps.db.selectFrom('acmeAccounts').select('url').executeTakeFirstOrThrow();
    expect(account.url).not.toBe(url);
  });

  it('can be for all names below one, where its zone is served here', async () => {
    const { order } = world.deps.certificates;
    const signal = AbortSignal.timeout(30_000);
    const got = await order?.({ ownerId: ada.user.id, name: '*.ada.test', replaced: null }, signal);
    expect(new X509Certificate(got?.certificate ?? '').subjectAltName).toBe('DNS:*.ada.test');
    await expect(
      order?.({ ownerId: ada.user.id, name: '*.bob.test', replaced: null }, signal),
    ).rejects.toThrow('needs a TXT record at _acme-challenge.bob.test');
  });
});

describe.skipIf(!HAS_TOOLS)('a certificate that the authority does not issue', () => {
  it('is refused in its own words, and tried again by whoever asks, four times an hour', async () => {
    await addInOwnZone(`shop.${BLOCKED}`);
    expect(await refused(`shop.${BLOCKED}`)).toContain('forbidden by policy');
    for (let count = 2; count <= 4; count += 1) {
      expect((await tryAgain(`shop.${BLOCKED}`)).status).toBe(200);
      expect(await refused(`shop.${BLOCKED}`)).toContain('forbidden by policy');
      expect(await attempts(`shop.${BLOCKED}`)).toBe(count);
    }
    const fifth = await tryAgain(`shop.${BLOCKED}`);
    expect(fifth.status).toBe(429);
    expect(Number(fifth.headers.get('retry-after'))).toBeGreaterThan(3500);
    expect(
      (await bob.rest(`POST /api/projects/${site.id}/domains/shop.${BLOCKED}/certificate/issue`)).status,
    ).toBe(404);
  });

  it('is refused where a stranger answers in its place', async () => {
    const port = Number(new URL(world.url).port);
    const stranger = createServer((_, response) => response.end('nothing of the kind'));
    await once(stranger.listen(port, STRANGER), 'listening');
    try {
      await addInOtherZone('lost.bob.test', STRANGER);
      expect(await refused('lost.bob.test')).toContain('did not match');
      expect((await shown('lost.bob.test')).url).toMatch(/^http:/);
    } finally {
      stranger.close();
    }
  });

  it('waits for as long as the authority asks, and longer each time it is away', async () => {
    pebble.mood = 'limited';
    await addInOwnZone('later.ada.test');
    expect(await refused('later.ada.test')).toBe(
      'Too many certificates already issued for this exact set of domains.',
    );
    const dueIn = async () => Date.parse((await shown('later.ada.test')).issuance?.dueAt ?? '') - Date.now();
    expect(Math.abs((await dueIn()) / 1000 - WAIT)).toBeLessThan(30);
    const hurried = await tryAgain('later.ada.test');
    expect(hurried.status).toBe(429);
    expect(Number(hurried.headers.get('retry-after'))).toBeGreaterThan(WAIT - 60);
    pebble.mood = 'away';
    await renew('later.ada.test');
    await expect
      .poll(async () => (await shown('later.ada.test')).issuance?.error, ISSUED)
      .toMatch(/^The certificate authority at localhost:\d+ can't be reached/);
    expect(Math.abs((await dueIn()) / 60_000 - 10)).toBeLessThan(1);
    pebble.mood = 'well';
    const { orders } = world.deps.certificates;
    const { id } = await shown('later.ada.test');
    await orders?.want(world.deps.db, { id, ownerId: ada.user.id });
    await orders?.beginDue();
    expect(await dueIn()).toBeGreaterThan(60_000);
    await orders?.want(world.deps.db, { id, ownerId: ada.user.id }, true);
    await orders?.beginDue();
    await issued('later.ada.test');
  });
});

it.skipIf(!HAS_TOOLS)(
  'an authority’s limit for a registered domain holds its other names as well',
  async () => {
    Object.assign(pebble, {
      mood: 'limited',
      limit: 'too many certificates (50) already issued for "ada.test"',
    });
    await addInOwnZone('first.ada.test');
    expect(await refused('first.ada.test')).toBe(pebble.limit);
    await addInOwnZone('second.ada.test');
    expect(await refused('second.ada.test')).toBe(pebble.limit);
    expect([await attempts('first.ada.test'), await attempts('second.ada.test')]).toEqual([1, 0]);
    const { dueAt = '' } = (await shown('second.ada.test')).issuance ?? {};
    expect(Math.abs((Date.parse(dueAt) - Date.now()) / 1000 - WAIT)).toBeLessThan(30);
    const hurried = await tryAgain('second.ada.test');
    expect(hurried.status).toBe(429);
    pebble.mood = 'well';
    await world.deps.db.deleteFrom('acmeHolds').execute();
    expect((await tryAgain('second.ada.test')).status).toBe(200);
    await issued('second.ada.test');
  },
);

it.skipIf(!HAS_TOOLS)('what a killed server left to be looked at goes within an hour or two', async () => {
  const { db, domains } = world.deps;
  const zone = await db
    .selectFrom('dnsZones')
    .selectAll()
    .where('domain', '=', 'ada.test')
    .executeTakeFirstOrThrow();
  const left = { token: 'left', answer: 'left', zoneId: zone.id };
  await db
    .insertInto('acmeChallenges')
    .values([
      { ...left, name: '_acme-challenge.old.ada.test', createdAt: '2020-01-01' },
      { ...left, name: '_acme-challenge.new.ada.test' },
    ])
    .execute();
  await db
    .updateTable('dnsZones')
    .set({ serial: zone.serial + 1 })
    .where('id', '=', zone.id)
    .execute();
  const codeOf = async (name: string) => (await domains.dns.nameServer.ask(name, 'TXT')).responseCode;
  await expect.poll(() => codeOf('_acme-challenge.old.ada.test')).toBe('NOERROR');
  await world.deps.certificates.sweeps?.acmeChallenges?.();
  await expect.poll(() => codeOf('_acme-challenge.old.ada.test')).toBe('NXDOMAIN');
  expect(await codeOf('_acme-challenge.new.ada.test')).toBe('NOERROR');
});

describe.skipIf(!HAS_TOOLS)('the path of challenges', () => {
  const token = 'evaGxfADs6pSRb2LAv9IZf17Dt3juxGJ';

  async function ask(host: string, path: string) {
    const { hostname, port } = new URL(world.url);
    const request = httpRequest({ hostname, port, path, headers: { host } }).end();
    const [response] = await once(request, 'response');
    return { status: response.statusCode, text: await text(response) };
  }

  it('is the app’s but for what is waited for, before any redirect', async () => {
    const path = `/.well-known/acme-challenge/${token}`;
    await issued('www.bob.test');
    await vi.waitFor(async () => expect((await ask('www.bob.test', path)).status).toBe(308));
    await world.deps.db
      .insertInto('acmeChallenges')
      .values({ name: 'www.bob.test', token, answer: `${token}.thumb`, zoneId: null })
      .execute();
    expect(await ask('www.bob.test', path)).toEqual({ status: 200, text: `${token}.thumb` });
    expect((await ask('www.bob.test', `${path}x`)).status).toBe(308);
    expect((await ask('lost.bob.test', path)).status).not.toBe(200);
  });
});
