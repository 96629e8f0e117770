import { createHash } from 'node:crypto';
import type { ZoneKey } from '@nephos/contracts';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { possibleDelegations } from '../../src/domains/dns/server/signing/zone-key.ts';
import { createDsLookup } from '../../src/domains/dns/signing/ds-lookup.ts';
import { sweepZoneKeys } from '../../src/domains/dns/signing/sweep-keys.ts';
import type { Answer, Person } from '../world.ts';
import { add } from './dns-records.ts';
import { createDnsWorld, type DnsWorld } from './dns-world.ts';
import { wire } from './signed-questions.ts';

const domain = 'example.test';
const path = `/api/dns-zones/${domain}/dnssec`;
/** The DS records that resolvers see; undefined: none can be asked. */
let published: string[] | undefined = [];

let world: DnsWorld;
let ada: Person;
let bob: Person;

beforeAll(async () => {
  world = await createDnsWorld({ overrides: { lookUpDs: async () => published } });
  ada = await world.as('Ada');
  bob = await world.as('Bob');
});
afterEach(async () => {
  published = [];
  await world.deps.db.deleteFrom('dnsZones').execute();
});
afterAll(() => world.close());

const serial = async () => (await ada.rpc.dns.zones.query())[0]?.serial ?? 0;
const states = (keys: readonly ZoneKey[]) => keys.map(({ state }) => state);
const refusal = ({ status, body }: Answer) => [status, (body as { code?: string }).code];

/** The DS record that a registry makes of a DNSKEY record by another hash than ours. */
function dsBy(hash: 'sha1' | 'sha384', { keyTag, dnskey }: ZoneKey): string {
  const [flags, protocol, algorithm, key = ''] = dnskey.split(' ');
  const data = Buffer.from(key, 'base64');
  const head = Buffer.of(Number(flags) >> 8, Number(flags) & 255, Number(protocol), Number(algorithm));
  const digest = createHash(hash)
    .update(Buffer.concat([wire(domain), head, data]))
    .digest('hex');
  return `${keyTag} 13 ${hash === 'sha1' ? 1 : 4} ${digest.toUpperCase()}`;
}

/** A domain of hers that is signed. */
async function signed(): Promise<ZoneKey> {
  await add(ada, { name: 'www' });
  const { keys } = await ada.rpc.dns.sign.mutate({ domain });
  return keys[0] as ZoneKey;
}

/** Lets a key have been in its state for so many hours. */
async function age(state: ZoneKey['state'], hours: number): Promise<void> {
  await world.deps.db
    .updateTable('dnsZoneKeys')
    .set({ since: sql<string>`now() - make_interval(hours => ${hours})` })
    .where('state', '=', state)
    .execute();
}

/** Tags of the keys that are served. */
async function servedTags(): Promise<number[]> {
  await world.served(domain, await serial());
  const packet = await world.query(`${domain} DNSKEY`, { edns: { size: 1232, flags: 0x8000 }, tcp: true });
  return (packet.answers ?? []).flatMap(({ ...record }) =>
    record.type === 'RRSIG' ? [record.data.keyTag] : [],
  );
}

test('a domain is signed once, at both doors, and served so at once', async () => {
  await add(ada, { name: 'www' });
  expect(await ada.rpc.dns.signing.query({ domain })).toEqual({ domain, keys: [] });
  const before = await serial();
  const { status, body } = await ada.rest(`POST ${path}`);
  expect([status, await serial()]).toEqual([200, expect.toSatisfy((now) => now > before)]);
  expect(await ada.rpc.dns.sign.mutate({ domain })).toEqual(body);
  const { keys } = await ada.rpc.dns.signing.query({ domain });
  expect(keys).toEqual([
    {
      ...{ keyTag: expect.any(Number), state: 'active', until: null },
      ds: expect.stringMatching(new RegExp(`^${keys[0]?.keyTag} 13 2 [0-9A-F]{64}$`)),
      dnskey: expect.stringMatching(/^257 3 13 [\w+/]{86}==$/),
    },
  ]);
  expect(await servedTags()).toEqual([keys[0]?.keyTag]);
  const { rows } = await sql<{ row: string }>`select dns_zone_keys::text as row from dns_zone_keys`.execute(
    world.deps.db,
  );
  expect(rows[0]?.row).not.toMatch(/MIGHAgEA/);
});

test('nothing is signed that is not theirs, not served, or not there', async () => {
  await signed();
  for (const route of [`GET ${path}`, `POST ${path}`, `GET ${path}/parent`, `POST ${path}/unsign`]) {
    expect(refusal(await bob.rest(route, { body: route.startsWith('POST') ? {} : undefined }))[0]).toBe(404);
    expect((await world.anyone.rest(route)).status).toBe(401);
  }
  for (const step of ['roll', 'finish-roll']) {
    expect((await bob.rest(`POST ${path}/${step}`)).status).toBe(404);
  }
  expect(await ada.rpc.dns.signing.query({ domain })).toMatchObject({ keys: [{ state: 'active' }] });
  await add(ada, { domain: 'other.test' });
  await world.deps.db
    .updateTable('dnsZones')
    .set({ verifiedAt: null })
    .where('domain', '=', 'other.test')
    .execute();
  const pending = await ada.rest('POST /api/dns-zones/other.test/dnssec');
  expect(pending).toMatchObject({
    status: 409,
    body: { code: 'ZONE_PENDING', message: 'Verify that you own other.test first.' },
  });
  expect(refusal(await ada.rest('POST /api/dns-zones/other.test/dnssec/roll'))).toEqual([409, 'NOT_SIGNED']);
});

test('what the domain above publishes is told by key', async () => {
  const { ds, keyTag } = await signed();
  const look = () => ada.rpc.dns.parentDelegation.query({ domain });
  expect(await look()).toEqual({ known: true, keyTags: [], others: 0 });
  published = [ds, `1 8 2 ${'AB'.repeat(32)}`, `${keyTag} 13 2 ${'CD'.repeat(32)}`];
  expect(await look()).toEqual({ known: true, keyTags: [keyTag], others: 2 });
  published = undefined;
  expect(await look()).toEqual({ known: false, keyTags: [], others: 0 });
});

test('a DS record that a registry made by another hash is of the same key', async () => {
  const key = await signed();
  const look = () => ada.rpc.dns.parentDelegation.query({ domain });
  const one = { known: true, keyTags: [key.keyTag], others: 0 };
  published = [dsBy('sha384', key)];
  expect(await look()).toEqual(one);
  published = [dsBy('sha1', key), key.ds, key.ds, dsBy('sha384', key)];
  expect(await look()).toEqual(one);
  // Of another type than its digest is.
  published = [dsBy('sha384', key).replace(' 13 4 ', ' 13 2 ')];
  expect(await look()).toEqual({ known: true, keyTags: [], others: 1 });
});

describe('turning it off', () => {
  const off = (body = {}) => ada.rest(`POST ${path}/unsign`, { body });

  test('is refused while resolvers know a DS record, or do not say, unless it is meant', async () => {
    const { ds } = await signed();
    published = [ds];
    const advice = 'Remove it at your registrar and wait until resolvers have forgotten it, usually a day.';
    expect(await off()).toMatchObject({
      status: 409,
      body: {
        code: 'DS_PUBLISHED',
        message: `The domain above still has a DS record of ${domain}. ${advice}`,
      },
    });
    published = undefined;
    expect(refusal(await off())).toEqual([409, 'DS_PUBLISHED']);
    expect(await servedTags()).toHaveLength(1);
    expect(await off({ anyway: true })).toMatchObject({ status: 200, body: { keys: [] } });
    expect(await servedTags()).toEqual([]);
  });

  test('is not refused once it is gone; and comes before the last record', async () => {
    await signed();
    const [record] = await ada.rpc.dns.list.query();
    const remove = () => ada.rest(`DELETE /api/dns/${record?.id}`);
    expect(await remove()).toMatchObject({
      status: 409,
      body: {
        code: 'ZONE_SIGNED',
        message: `${domain} is signed. Turn DNSSEC off before you delete its last record.`,
      },
    });
    const before = await serial();
    expect((await off()).status).toBe(200);
    expect(await serial()).toBeGreaterThan(before);
    expect((await remove()).status).toBe(200);
  });
});

describe('another key', () => {
  const finish = (headers = {}) => ada.rest(`POST ${path}/finish-roll`, { headers });

  test('is not used by a DS record with SHA-1 alone, and can be taken back while there is none', async () => {
    const former = await signed();
    const { keys } = await ada.rpc.dns.rollKey.mutate({ domain });
    const incoming = keys[1] as ZoneKey;
    await age('incoming', 3);
    const key = incoming.dnskey.split(' ').at(-1) ?? '';
    const [, , sha1 = ''] = possibleDelegations(domain, key);
    expect(sha1).toMatch(/^\d+ 13 1 /);
    published = [former.ds, sha1];
    expect(await finish()).toMatchObject({
      status: 409,
      body: { code: 'DS_MISSING', message: expect.stringContaining('SHA-1') },
    });
    const cancel = (person = ada) => person.rest(`POST ${path}/cancel-roll`);
    expect(refusal(await cancel())).toEqual([409, 'DS_PUBLISHED']);
    published = undefined;
    expect((await cancel()).status).toBe(503);
    published = [former.ds];
    expect((await cancel(bob)).status).toBe(404);
    const before = await serial();
    expect(await cancel()).toMatchObject({ status: 200, body: { keys: [{ keyTag: former.keyTag }] } });
    expect(await serial()).toBeGreaterThan(before);
    expect(await servedTags()).toEqual([former.keyTag]);
    expect((await ada.rest(`POST ${path}/roll`)).status).toBe(200);
    expect((await cancel()).status).toBe(200);
    expect(await cancel()).toMatchObject({ status: 200, body: { keys: [{ state: 'active' }] } });
  });

  test('is announced, used once resolvers know it, and takes the place of the former one', async () => {
    const former = await signed();
    expect(refusal(await finish())).toEqual([409, 'NO_NEW_KEY']);
    const { keys } = await ada.rpc.dns.rollKey.mutate({ domain });
    expect(states(keys)).toEqual(['active', 'incoming']);
    const incoming = keys[1] as ZoneKey;
    expect(Date.parse(incoming.until ?? '') - Date.now()).toBeCloseTo(2 * 3_600_000, -5);
    expect((await servedTags()).sort()).toEqual([former.keyTag, incoming.keyTag].sort());
    expect(refusal(await ada.rest(`POST ${path}/roll`))).toEqual([409, 'ROLL_UNDER_WAY']);

    published = [former.ds, incoming.ds];
    expect(refusal(await finish())).toEqual([409, 'KEY_TOO_NEW']);
    await age('incoming', 3);
    published = [former.ds];
    expect(refusal(await finish())).toEqual([409, 'DS_MISSING']);
    published = undefined;
    expect((await finish()).status).toBe(503);
    published = [former.ds, incoming.ds];
    const before = await serial();
    const once = { 'idempotency-key': 'finish-1' };
    const finished = await finish(once);
    expect(finished).toMatchObject({
      status: 200,
      body: {
        keys: [
          { keyTag: incoming.keyTag, state: 'active', until: null },
          { keyTag: former.keyTag, state: 'retiring' },
        ],
      },
    });
    expect(await serial()).toBeGreaterThan(before);
    expect(await finish(once)).toMatchObject({ status: 200, body: finished.body });
    expect(refusal(await finish())).toEqual([409, 'NO_NEW_KEY']);
    expect((await servedTags()).sort()).toEqual([former.keyTag, incoming.keyTag].sort());
    expect(refusal(await ada.rest(`POST ${path}/roll`))).toEqual([409, 'ROLL_UNDER_WAY']);

    await sweepZoneKeys(world.deps.db);
    expect(await servedTags()).toHaveLength(2);
    await age('retiring', 8 * 24 + 1);
    await sweepZoneKeys(world.deps.db);
    expect(await servedTags()).toEqual([incoming.keyTag]);
  });
});

test('the serial of a signed domain rises every few days, that secondaries fetch fresh signatures', async () => {
  await signed();
  await add(ada, { domain: 'unsigned.test' });
  const old = Math.floor(Date.now() / 1000) - 5 * 86_400;
  await world.deps.db.updateTable('dnsZones').set({ serial: old }).execute();
  await age('active', 30 * 24);
  await sweepZoneKeys(world.deps.db);
  expect(states((await ada.rpc.dns.signing.query({ domain })).keys)).toEqual(['active']);
  const rows = await ada.rpc.dns.zones.query();
  expect(rows.map(({ serial: now }) => now > old)).toEqual([true, false]);
});

test('keys that cannot be opened leave a domain unsigned, and others as they are', async () => {
  await signed();
  await world.deps.db
    .updateTable('dnsZoneKeys')
    .set({ publicKey: Buffer.alloc(64).toString('base64') })
    .execute();
  await add(ada, { name: 'new' });
  expect(await servedTags()).toEqual([]);
  expect((await world.query(`new.${domain} A`)).answers).toHaveLength(1);
});

test('the domain above is asked for DS records by resolver', async () => {
  const ds = `60485 13 2 ${'D4'.repeat(32)}`;
  const above = await world.putZone('test', [
    `example 300 NS ns.other.invalid`,
    `example 300 DS ${ds.toLowerCase()}`,
  ]);
  await world.served('test', above);
  const look = createDsLookup([`127.0.0.1:${world.port}`]);
  expect(await look(domain)).toEqual([ds]);
  expect(await look('elsewhere.test')).toEqual([]);
  // Refused by the one, and answered by the next.
  expect(await look('example.invalid')).toBeUndefined();
  expect(await createDsLookup([`[::1]:${world.port}`, `127.0.0.1:${world.port}`])(domain)).toEqual([ds]);
});
