import { createClient } from '@nephos/contracts/client';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { sweepPastSerials } from '../../src/domains/dns/zone-serials.ts';
import { createWorld, type Person, type RestOptions, type World } from '../world.ts';
import { add, addAll, createRecordsWorld, everything, tryAdd } from './dns-records.ts';

let world: World;
let ada: Person;
let bob: Person;
/** What the internet has of TXT records. */
const published = new Map<string, string[]>();
const asked: string[] = [];

/** The name servers of each domain, and whether nobody tells of proofs in the background. */
let servers: string[] = [];
let isAway = false;

/** While it is set, the internet does not answer. */
let silence: PromiseWithResolvers<void> | undefined;

async function lookUpTxt(name: string): Promise<string[]> {
  asked.push(name);
  await silence?.promise;
  return published.get(name) ?? [];
}

beforeAll(async () => {
  ({ world, ada, bob } = await createRecordsWorld({ overrides: { lookUpTxt } }));
});
afterEach(async () => {
  await world.deps.db.deleteFrom('dnsZones').execute();
  published.clear();
  asked.length = 0;
});
afterAll(() => world.close());

const TAKEN = (domain: string) => `${domain}, or a domain above or below it, belongs to another account.`;

describe("another account's domain", () => {
  test.each([
    ['itself', 'example.test', 'Example.TEST.'],
    ['a name below it', 'example.test', 'www.example.test'],
    ['a name far below it', 'example.test', 'a.b.c.example.test'],
    ['the name above it', 'dev.example.test', 'example.test'],
    ['a name far above it', 'a.b.c.example.test', 'example.test'],
  ])('is refused: %s', async (_, hers, his) => {
    await add(ada, { domain: hers });
    const before = await everything(world);
    const message = TAKEN(his.toLowerCase().replace(/\.$/, ''));
    expect(await tryAdd(bob, { domain: his })).toMatchObject({
      status: 409,
      body: { code: 'DOMAIN_TAKEN', message },
    });
    expect(await everything(world)).toEqual(before);
  });

  test.each([
    ['example.test', 'notexample.test'],
    ['example.test', 'example.test.example'],
    ['a.example.test', 'b.example.test'],
    ['example.test', 'example-test.test'],
  ])('leaves what only looks alike: %s and %s', async (hers, his) => {
    await add(ada, { domain: hers });
    expect((await tryAdd(bob, { domain: his })).status).toBe(201);
  });

  test('is free when its last record is gone', async () => {
    const { id } = await add(ada);
    await ada.rpc.dns.remove.mutate({ id });
    expect((await tryAdd(bob)).status).toBe(201);
  });

  test('is free when the account is gone', async () => {
    const eve = await world.as('Eve');
    await add(eve);
    await world.deps.db.deleteFrom('users').where('id', '=', eve.user.id).execute();
    expect((await tryAdd(bob)).status).toBe(201);
  });
});

describe('a domain inside or around one of your own', () => {
  test.each([
    ['dev.example.test', '@', 'You already have example.test. Add the record there with the name dev.'],
    ['dev.example.test', 'www', 'You already have example.test. Add the record there with the name www.dev.'],
    ['a.b.example.test', '*', 'You already have example.test. Add the record there with the name *.a.b.'],
  ])('%s is refused for %s, with where it goes', async (domain, name, message) => {
    await add(ada);
    expect(await tryAdd(ada, { domain, name })).toMatchObject({
      status: 409,
      body: { code: 'ZONE_OVERLAP', message },
    });
  });

  test('is refused above it, too', async () => {
    await add(ada, { domain: 'dev.example.test' });
    const message =
      'You already have dev.example.test, which is part of example.test. Delete its records, then add them here.';
    expect(await tryAdd(ada)).toMatchObject({ status: 409, body: { code: 'ZONE_OVERLAP', message } });
  });
});

describe("the console's own names", () => {
  let real: World;
  let admin: Person;
  let member: Person;

  beforeAll(async () => {
    real = await createWorld({
      databaseUrl: world.databaseUrl,
      settings: {
        publicUrl: new URL('http://console.nephos-a.test:3000'),
        appsDomain: 'apps.nephos-b.test',
        dnsNameservers: ['ns1.nephos-c.test', 'NS2.nephos-d.test'],
      },
    });
    // It shares its database with the other world, whose first account is Ada.
    const at = ({ cookie }: Person) => ({
      ...real.anyone,
      rpc: createClient({ url: real.url, headers: () => ({ cookie }) }),
      rest: (route: string, options: RestOptions = {}) =>
        real.anyone.rest(route, { ...options, headers: { ...options.headers, cookie } }),
    });
    admin = { ...ada, ...at(ada), cookie: ada.cookie };
    member = { ...bob, ...at(bob), cookie: bob.cookie };
  });
  afterAll(() => real.close());

  test.each([
    ['console.nephos-a.test', 'console.nephos-a.test'],
    ['deep.below.console.nephos-a.test', 'console.nephos-a.test'],
    ['nephos-a.test', 'console.nephos-a.test'],
    ['apps.nephos-b.test', 'apps.nephos-b.test'],
    ['blog.apps.nephos-b.test', 'apps.nephos-b.test'],
    ['nephos-b.test', 'apps.nephos-b.test'],
    ['nephos-c.test', 'ns1.nephos-c.test'],
    ['ns1.nephos-c.test', 'ns1.nephos-c.test'],
    ['Nephos-D.test.', 'ns2.nephos-d.test'],
  ])('%s takes records of an administrator only', async (domain, own) => {
    const canonical = domain.toLowerCase().replace(/\.$/, '');
    const reason = 'DOMAIN_RESERVED';
    const message = `${canonical} is reserved because this console uses ${own}. Only admins can add records to it.`;
    const before = await everything(world);
    expect(await tryAdd(member, { domain })).toMatchObject({ status: 403, body: { code: reason, message } });
    await expect(add(member, { domain, name: 'www' })).rejects.toMatchObject({
      message,
      data: { httpStatus: 403, reason },
    });
    expect(await everything(world)).toEqual(before);
    expect((await tryAdd(admin, { domain })).status).toBe(201);
  });

  test.each(['other.nephos-a.test', 'xconsole.nephos-a.test', 'nephos-e.test', 'ns1.nephos-c.test.example'])(
    '%s is anybody’s',
    async (domain) => {
      expect((await tryAdd(member, { domain })).status).toBe(201);
    },
  );

  test('a record that a member had there before can be deleted, and not changed', async () => {
    const { id } = await add(bob, { domain: 'nephos-a.test', name: 'console' });
    expect(await member.rest(`PATCH /api/dns/${id}`, { body: { value: '192.0.2.66' } })).toMatchObject({
      status: 403,
      body: { code: 'DOMAIN_RESERVED' },
    });
    expect((await member.rest(`DELETE /api/dns/${id}`)).status).toBe(200);
  });

  test('a bare machine has none', async () => {
    expect((await tryAdd(bob, { domain: 'anything.localhost' })).status).toBe(201);
  });
});

describe('at the same time', () => {
  const statuses = (answers: { status: number }[]) =>
    Object.fromEntries(
      Map.groupBy(answers, ({ status }) => status)
        .entries()
        .map(([status, { length }]) => [status, length]),
    );

  test.each(['the same domain', 'domains of one tree'])(
    'two accounts race for %s: one owns it',
    async (what) => {
      for (let round = 0; round < 3; round += 1) {
        const his = what === 'the same domain' ? 'example.test' : 'www.example.test';
        const answers = await Promise.all(
          Array.from({ length: 20 }, (_, i) =>
            i % 2 === 0 ? tryAdd(ada, { name: `a${i}` }) : tryAdd(bob, { domain: his, name: `a${i}` }),
          ),
        );
        expect(statuses(answers)).toEqual({ 201: 10, 409: 10 });
        const { zones, records } = await everything(world);
        expect(zones).toHaveLength(1);
        expect(new Set(records.map(({ ownerId }) => ownerId))).toEqual(new Set([zones[0]?.ownerId]));
        await world.deps.db.deleteFrom('dnsZones').execute();
      }
    },
  );

  test('twenty of one record are one record', async () => {
    for (const prepare of [async () => {}, () => add(ada, { name: 'other' })]) {
      await prepare();
      const answers = await Promise.all(Array.from({ length: 20 }, () => tryAdd(ada)));
      expect(statuses(answers)).toEqual({ 201: 1, 409: 19 });
      expect(answers.filter(({ status }) => status === 409)).toMatchObject(
        Array(19).fill({ body: { code: 'DUPLICATE' } }),
      );
      await world.deps.db.deleteFrom('dnsZones').execute();
    }
  });

  test('a CNAME and other records of a name never stand together', async () => {
    await add(ada, { name: 'other' });
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, i) =>
        tryAdd(
          ada,
          i % 2 === 0
            ? { name: 'www', recordType: 'CNAME', value: `a${i}.other.test` }
            : { name: 'www', value: `192.0.2.${i}` },
        ),
      ),
    );
    const types = new Set(
      (await ada.rpc.dns.list.query())
        .filter(({ name }) => name === 'www')
        .map(({ recordType }) => recordType),
    );
    expect(types.size).toBe(1);
    expect(statuses(answers)).toEqual(types.has('A') ? { 201: 10, 409: 10 } : { 201: 1, 409: 19 });
  });

  test('fifty writes through two replicas raise the serial fifty times', async () => {
    const replica = await createWorld({ databaseUrl: world.databaseUrl });
    const there = { rpc: createClient({ url: replica.url, headers: () => ({ cookie: ada.cookie }) }) };
    await add(ada);
    const serial = async () => (await ada.rpc.dns.zones.query())[0]?.serial ?? 0;
    const start = await serial();
    const write = async (i: number) => {
      await add(i % 2 === 0 ? ada : there, { name: `a${i}` });
      return serial();
    };
    // All at once, the last could wait for the zone longer than a statement may.
    for (let round = 0; round < 50; round += 10) {
      const later = await Promise.all(Array.from({ length: 10 }, (_, i) => write(round + i)));
      expect(Math.min(...later)).toBeGreaterThan(start);
    }
    expect(await serial()).toBeGreaterThanOrEqual(start + 50);
    expect(await ada.rpc.dns.list.query()).toHaveLength(51);
    await replica.close();
  });

  test('a domain that is freed and taken again at once goes on above its last serial', async () => {
    const serial = async () => (await ada.rpc.dns.zones.query())[0]?.serial ?? 0;
    const { id } = await add(ada);
    // Ahead of the time, as a burst of changes leaves it.
    const { ahead } = await world.deps.db
      .updateTable('dnsZones')
      .set({ serial: sql`serial + 1000` })
      .returning('serial as ahead')
      .executeTakeFirstOrThrow();
    await ada.rpc.dns.remove.mutate({ id });
    await sweepPastSerials(world.deps.db);
    await add(bob);
    // The deletion had a serial, too.
    expect((await bob.rpc.dns.zones.query())[0]?.serial).toBe(ahead + 2);
    expect(await serial()).toBe(0);
  });

  test('a serial that the time has overtaken is forgotten', async () => {
    const { db } = world.deps;
    await db.insertInto('dnsPastSerials').values({ domain: 'old.test', serial: 7 }).execute();
    await sweepPastSerials(db);
    const left = await db.selectFrom('dnsPastSerials').select('domain').execute();
    expect(left).not.toContainEqual({ domain: 'old.test' });
  });

  test('the last record goes while others come: no record is without its domain', async () => {
    for (let round = 0; round < 10; round += 1) {
      const { id } = await add(ada);
      const [gone, come] = await Promise.all([
        ada.rest(`DELETE /api/dns/${id}`),
        tryAdd(ada, { name: 'www' }),
      ]);
      expect([gone.status, come.status]).toEqual([200, 201]);
      expect(await ada.rpc.dns.zones.query()).toMatchObject([{ recordCount: 1 }]);
      await world.deps.db.deleteFrom('dnsZones').execute();
    }
  });
});

describe('where ownership has to be proved', () => {
  let proving: World;
  let adaThere: Person;
  let bobThere: Person;

  beforeAll(async () => {
    ({
      world: proving,
      ada: adaThere,
      bob: bobThere,
    } = await createRecordsWorld({
      settings: { dnsVerifyOwnership: true },
      overrides: {
        lookUpTxt,
        lookUpNs: async () => servers,
        publicDns: { txt: async (name) => (isAway ? undefined : lookUpTxt(name)), addresses: async () => [] },
      },
    }));
  });
  afterEach(async () => {
    speak();
    await proving.deps.db.deleteFrom('dnsZones').execute();
  });
  afterAll(() => proving.close());

  function speak(): void {
    silence?.resolve();
    silence = undefined;
  }

  async function proofOf(person: Person) {
    const [zone] = await person.rpc.dns.zones.query();
    return zone?.verification ?? { name: '', value: '' };
  }

  /** Their proof, by way of another domain. */
  async function proofFor(person: Person) {
    const { id } = await add(person, { domain: 'elsewhere.test' });
    const proof = await proofOf(person);
    await person.rpc.dns.remove.mutate({ id });
    return proof;
  }

  test('a domain is pending until the proof is seen', async () => {
    expect((await tryAdd(adaThere)).status).toBe(201);
    const proof = { name: '_cloud-verify.example.test', value: expect.stringMatching(/^[0-9a-f]{32}$/) };
    const pending = { domain: 'example.test', status: 'pending', verification: proof };
    expect(await adaThere.rpc.dns.zones.query()).toMatchObject([pending]);
    expect(await adaThere.rest('POST /api/dns-zones/example.test/verify')).toMatchObject({
      status: 200,
      body: pending,
    });
    const { name, value } = await proofOf(adaThere);
    published.set(name, ['v=spf1 -all', `${value}x`, value.toUpperCase() + value]);
    expect((await adaThere.rpc.dns.verify.mutate({ domain: 'example.test' })).status).toBe('pending');
    published.set(name, ['v=spf1 -all', value]);
    const active = { status: 'active', verification: null, recordCount: 1 };
    expect(await adaThere.rpc.dns.verify.mutate({ domain: 'Example.test.' })).toMatchObject(active);
    expect(await adaThere.rpc.dns.zones.query()).toMatchObject([active]);
    published.clear();
    expect(await adaThere.rpc.dns.verify.mutate({ domain: 'example.test' })).toMatchObject(active);
    expect(new Set(asked)).toEqual(new Set(['_cloud-verify.example.test']));
  });

  test("one account's proof is not another's", async () => {
    await addAll(adaThere, [['A', '@', '192.0.2.1']], 'a.test');
    await addAll(bobThere, [['A', '@', '192.0.2.1']], 'b.test');
    const hers = await proofOf(adaThere);
    expect((await proofOf(bobThere)).value).not.toBe(hers.value);
    published.set('_cloud-verify.b.test', [hers.value]);
    expect((await bobThere.rpc.dns.verify.mutate({ domain: 'b.test' })).status).toBe('pending');
  });

  test('a claim without proof yields to a proof, and to nothing else', async () => {
    const { value } = await proofFor(bobThere);
    await add(adaThere);
    const before = await everything(proving);
    const message = `${TAKEN('example.test')} If you own it, add the TXT record _cloud-verify.example.test with the value ${value} and try again.`;
    expect(await tryAdd(bobThere)).toMatchObject({ status: 409, body: { code: 'DOMAIN_TAKEN', message } });
    expect(await everything(proving)).toEqual(before);
    published.set('_cloud-verify.example.test', [value]);
    expect((await tryAdd(bobThere, { value: '192.0.2.2' })).status).toBe(201);
    expect(await bobThere.rpc.dns.zones.query()).toMatchObject([
      { domain: 'example.test', status: 'active' },
    ]);
    expect(await adaThere.rpc.dns.list.query()).toEqual([]);
    published.set('_cloud-verify.example.test', [value, (await proofFor(adaThere)).value]);
    expect(await tryAdd(adaThere)).toMatchObject({ status: 409, body: { message: TAKEN('example.test') } });
  });

  describe('a proof', () => {
    const LOST = 3;

    /** Looks for proofs as often as in so many days. */
    async function look(days = 1): Promise<void> {
      for (let day = 0; day < days; day += 1) {
        await proving.deps.db.updateTable('dnsZones').set({ proofDueAt: '2020-01-01' }).execute();
        await proving.deps.domains.dns.sweeps?.dnsProofs?.();
      }
    }

    async function proven(person: Person): Promise<{ name: string; value: string }> {
      await add(person);
      const proof = await proofOf(person);
      published.set(proof.name, [proof.value]);
      expect(await person.rpc.dns.verify.mutate({ domain: 'example.test' })).toMatchObject({
        status: 'active',
      });
      return proof;
    }

    const zone = async (person: Person) => (await person.rpc.dns.zones.query())[0];
    const dueIn = async () => {
      const { proofDueAt } = await proving.deps.db
        .selectFrom('dnsZones')
        .select('proofDueAt')
        .executeTakeFirstOrThrow();
      return Math.round((Date.parse(proofDueAt) - Date.now()) / 3_600_000);
    };

    afterEach(() => {
      servers = [];
      isAway = false;
    });

    test('is looked for each week, and held to be gone after three days', async () => {
      const proof = await proven(adaThere);
      await look();
      expect(await dueIn()).toBe(7 * 24);
      published.clear();
      await look(LOST - 1);
      expect(await dueIn()).toBe(24);
      expect(await zone(adaThere)).toMatchObject({ unprovenSince: null, verification: null });
      await look();
      const lost = { status: 'active', unprovenSince: expect.any(String), verification: proof };
      expect(await zone(adaThere)).toMatchObject(lost);
      await look();
      expect(await zone(adaThere)).toMatchObject(lost);
      published.set(proof.name, [proof.value]);
      expect(await adaThere.rpc.dns.verify.mutate({ domain: 'example.test' })).toMatchObject({
        unprovenSince: null,
        verification: null,
      });
    });

    test('is the delegation to this server as well, and nothing that could not be asked', async () => {
      const proof = await proven(adaThere);
      published.clear();
      servers = ['ns.other.test', proving.deps.settings.publicUrl.hostname.toUpperCase()];
      await look(LOST);
      expect(await zone(adaThere)).toMatchObject({ unprovenSince: null });
      [servers, isAway] = [[], true];
      await look(LOST);
      expect(await zone(adaThere)).toMatchObject({ unprovenSince: null });
      expect(await dueIn()).toBe(1);
      isAway = false;
      await look(LOST);
      expect(await zone(adaThere)).toMatchObject({ unprovenSince: expect.any(String) });
      servers = [proving.deps.settings.publicUrl.hostname];
      await look();
      expect(await zone(adaThere)).toMatchObject({ unprovenSince: null });
      expect(proof.name).toBe('_cloud-verify.example.test');
    });

    test('that is gone lets whoever has one take the domain, with nothing of its records', async () => {
      const { value } = await proofFor(bobThere);
      const proof = await proven(adaThere);
      await adaThere.rpc.dns.sign.mutate({ domain: 'example.test' });
      published.set(proof.name, [value]);
      await look(LOST - 1);
      expect(await tryAdd(bobThere)).toMatchObject({ status: 409, body: { code: 'DOMAIN_TAKEN' } });
      await look();
      // It is there again, since the last look.
      published.set(proof.name, [value, proof.value]);
      expect(await tryAdd(bobThere)).toMatchObject({ status: 409, body: { code: 'DOMAIN_TAKEN' } });
      published.set(proof.name, []);
      expect(await tryAdd(bobThere)).toMatchObject({ status: 409, body: { code: 'DOMAIN_TAKEN' } });
      published.set(proof.name, [value]);
      expect((await tryAdd(bobThere, { value: '192.0.2.2' })).status).toBe(201);
      expect(await adaThere.rpc.dns.zones.query()).toEqual([]);
      expect(await bobThere.rpc.dns.list.query()).toMatchObject([{ value: '192.0.2.2' }]);
      expect(await bobThere.rpc.dns.signing.query({ domain: 'example.test' })).toMatchObject({ keys: [] });
      expect(await zone(bobThere)).toMatchObject({ status: 'active', unprovenSince: null });
    });

    test('of a name below it takes no domain, and its owner is told of a loss once, and that it is over', async () => {
      const { value } = await proofFor(bobThere);
      const proof = await proven(adaThere);
      const alerts = async () =>
        (await adaThere.rpc.alerts.list.query()).map(({ kind, recoveredAt }) => [kind, recoveredAt !== null]);
      const { db } = proving.deps;
      await db.deleteFrom('alerts').execute();
      published.clear();
      await look(LOST);
      await look();
      expect(await alerts()).toEqual([['domain-lost', false]]);
      published.set('_cloud-verify.shop.example.test', [value]);
      const message = TAKEN('shop.example.test');
      expect(await tryAdd(bobThere, { domain: 'shop.example.test' })).toMatchObject({
        status: 409,
        body: { code: 'DOMAIN_TAKEN', message: expect.stringContaining(message) },
      });
      expect(await zone(adaThere)).toMatchObject({ domain: 'example.test' });
      published.set(proof.name, [proof.value]);
      await look();
      expect(await alerts()).toEqual([['domain-lost', true]]);
      published.clear();
      await look(LOST);
      published.set(proof.name, [value]);
      expect((await tryAdd(bobThere)).status).toBe(201);
      expect((await adaThere.rpc.alerts.list.query()).at(0)).toMatchObject({
        text: expect.stringContaining('Somebody else has proven'),
        path: '/dns',
      });
    });
  });

  test('look-ups hold no connection to the database, and a person has so many at once', async () => {
    const people = [bobThere, await proving.as('Cleo'), await proving.as('Dora')];
    await add(adaThere);
    silence = Promise.withResolvers<void>();
    // More than the pool has connections.
    const claims = people.flatMap((person, i) =>
      Array.from({ length: 4 }, (_, j) =>
        person.rest('POST /api/dns', {
          body: { domain: 'www.example.test', name: `a${j}`, value: '192.0.2.1' },
          headers: { 'idempotency-key': `claim-${i}-${j}` },
        }),
      ),
    );
    await expect.poll(() => asked.length).toBe(12);
    expect(await tryAdd(bobThere)).toMatchObject({ status: 503, body: { code: 'UNAVAILABLE' } });
    const verifying = adaThere.rest('POST /api/dns-zones/example.test/verify', {
      headers: { 'idempotency-key': 'verify' },
    });
    await expect.poll(() => asked.length).toBe(13);
    expect((await adaThere.rest('GET /api/dns')).status).toBe(200);
    const { rows } = await sql`select query from pg_stat_activity
      where datname = current_database() and state like 'idle in transaction%'`.execute(proving.deps.db);
    expect(rows).toEqual([]);
    speak();
    expect((await Promise.all(claims)).map(({ status }) => status)).toEqual(Array(12).fill(409));
    expect(await verifying).toMatchObject({ status: 200, body: { status: 'pending' } });
    // The first answer to a key, whatever is published by now.
    published.set('_cloud-verify.example.test', [(await proofOf(adaThere)).value]);
    const again = { headers: { 'idempotency-key': 'verify' } };
    const replayed = await adaThere.rest('POST /api/dns-zones/example.test/verify', again);
    expect([replayed.body, replayed.headers.get('idempotency-replayed')]).toEqual([
      expect.objectContaining({ status: 'pending' }),
      'true',
    ]);
  });
});
