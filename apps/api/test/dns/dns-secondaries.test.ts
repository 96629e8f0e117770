import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { MAX_SECONDARIES } from '@nephos/contracts';
import { encode } from 'dns-packet';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { Person } from '../world.ts';
import { add } from './dns-records.ts';
import { createDnsWorld, type DnsWorld, framed, rcodeOf, recordText, sendTcp } from './dns-world.ts';
import { answersOf, assertSigned, readSigned, signed } from './signed-questions.ts';

const domain = 'example.test';
const LOOPBACK = '127.0.0.1';
const ABSENT = '01890000-0000-7000-8000-000000000000';
const NOTIFY = 4;

/** Replicas have their key in common. */
const SETTINGS = { allowPrivateSecondaries: true, secretsKey: '5'.repeat(64) };

let world: DnsWorld;
let replica: DnsWorld;
let ada: Person;
let bob: Person;

beforeAll(async () => {
  world = await createDnsWorld({ settings: SETTINGS });
  replica = await createDnsWorld({ settings: SETTINGS, databaseUrl: world.databaseUrl });
  ada = await world.as('Ada');
  bob = await world.as('Bob');
});
afterEach(() => world.deps.db.deleteFrom('dnsZones').execute());
afterAll(async () => {
  await replica.close();
  await world.close();
});

const path = `/api/dns-zones/${domain}/secondaries`;
const list = () => ada.rpc.dns.secondaries.query({ domain });

async function until<T>(look: () => Promise<T>, isIt: (found: T) => boolean): Promise<T> {
  for (const deadline = Date.now() + 10_000; ; ) {
    const found = await look();
    if (isIt(found)) return found;
    if (Date.now() > deadline) throw new Error(`never came: ${JSON.stringify(found)}`);
    await setImmediate();
  }
}

/** The messages that answer a signed AXFR question by TCP, up to the second SOA record. */
async function transfer(server: DnsWorld, key: { name: string; secret: string }) {
  const { packet, mac } = signed(`${domain} AXFR`, { key });
  const messages = await sendTcp(server.port, framed(packet));
  return { messages, mac, code: rcodeOf(messages[0] ?? Buffer.alloc(12)) };
}

describe('the secondaries of a domain', () => {
  test('are added, listed and removed at both doors', async () => {
    await add(ada);
    const [zone] = await ada.rpc.dns.zones.query();
    expect((await ada.rest(`GET ${path}`)).body).toEqual({
      serial: zone?.serial,
      key: null,
      secondaries: [],
    });
    const rest = await ada.rest(`POST ${path}`, { body: { address: ' ::FFFF:192.0.2.53 ' } });
    const unseen = { serial: null, answeredAt: null, failingSince: null, problem: '' };
    expect(rest).toMatchObject({
      status: 201,
      body: { id: expect.any(String), address: '192.0.2.53', port: 53, ...unseen },
    });
    const rpc = await ada.rpc.dns.addSecondary.mutate({ domain, address: '2001:DB8:0::53', port: 5353 });
    expect(rpc).toMatchObject({ address: '2001:db8::53', port: 5353 });
    expect((await list()).secondaries).toEqual([rest.body, rpc]);
    expect(await ada.rest(`DELETE ${path}/${rpc.id}`)).toMatchObject({
      status: 200,
      body: { success: true },
    });
    expect((await list()).secondaries).toEqual([rest.body]);
    expect((await ada.rest(`DELETE ${path}/${rpc.id}`)).status).toBe(404);
  });

  test.each([
    [{}, 'address', 'Address is required.'],
    [{ address: 'ns.example.com' }, 'address', /^Enter an IP address/],
    [{ address: '192.0.2.256' }, 'address', /^Enter an IP address/],
    [{ address: '192.0.2.0/24' }, 'address', /^Enter an IP address/],
    [{ address: '0.0.0.0' }, 'address', "0.0.0.0 isn't the address of a server."],
    [{ address: '224.0.0.1' }, 'address', "224.0.0.1 isn't the address of a server."],
    [{ address: '192.0.2.53', port: 0 }, 'port', /^Port must be/],
    [{ address: '192.0.2.53', port: 65_536 }, 'port', /^Port must be/],
    [{ address: '192.0.2.53', port: '53' }, 'port', /^Port must be/],
  ])('refuse %j', async (body, field, sentence) => {
    await add(ada);
    expect(await ada.rest(`POST ${path}`, { body })).toMatchObject({
      status: 400,
      body: { fields: [{ path: field, message: expect.stringMatching(sentence) }] },
    });
  });

  test('are where we may send to: name servers of the internet, unless a setting admits others', async () => {
    const { settings } = world.deps;
    settings.allowPrivateSecondaries = false;
    try {
      await add(ada);
      for (const [address, port, field] of [
        ['127.0.0.1', 53, 'address'],
        ['10.0.0.53', 53, 'address'],
        ['fd00::53', 53, 'address'],
        ['169.254.169.254', 53, 'address'],
        ['9.9.9.9', 5353, 'port'],
      ] as const) {
        const message = expect.stringContaining('Set ALLOW_PRIVATE_SECONDARIES=1');
        expect(await ada.rest(`POST ${path}`, { body: { address, port } })).toMatchObject({
          status: 400,
          body: { fields: [{ path: field, message }] },
        });
      }
      expect((await ada.rest(`POST ${path}`, { body: { address: '9.9.9.9' } })).status).toBe(201);
    } finally {
      settings.allowPrivateSecondaries = true;
    }
  });

  test('are as many as may be, each once', async () => {
    await add(ada);
    for (let port = 1; port <= MAX_SECONDARIES; port += 1) {
      await ada.rpc.dns.addSecondary.mutate({ domain, address: '192.0.2.53', port });
    }
    const { body } = await ada.rest(`POST ${path}`, { body: { address: '192.0.2.54' } });
    expect(body).toMatchObject({ code: 'QUOTA_EXCEEDED' });
    const again = await ada.rest(`POST ${path}`, { body: { address: '192.0.2.53', port: 1 } });
    expect(again).toMatchObject({ status: 409, body: { code: 'DUPLICATE' } });
  });

  test('are nobody else’s business', async () => {
    await add(ada);
    const { id } = await ada.rpc.dns.addSecondary.mutate({ domain, address: '192.0.2.53' });
    const keyPath = `/api/dns-zones/${domain}/transfer-key`;
    for (const [person, status] of [
      [bob, 404],
      [world.anyone, 401],
    ] as const) {
      expect((await person.rest(`GET ${path}`)).status).toBe(status);
      expect((await person.rest(`POST ${path}`, { body: { address: '192.0.2.1' } })).status).toBe(status);
      expect((await person.rest(`DELETE ${path}/${id}`)).status).toBe(status);
      expect((await person.rest(`POST ${keyPath}`)).status).toBe(status);
    }
    await add(bob, { domain: 'bob.test' });
    expect((await bob.rest(`DELETE /api/dns-zones/bob.test/secondaries/${id}`)).status).toBe(404);
    expect((await ada.rest(`DELETE ${path}/${ABSENT}`)).status).toBe(404);
    expect((await list()).secondaries).toHaveLength(1);
  });
});

test('a zone is copied with its key from its secondaries’ addresses, on every replica, until these are removed', async () => {
  await add(ada);
  const made = await ada.rest(`POST /api/dns-zones/${domain}/transfer-key`);
  const key = made.body as { name: string; secret: string };
  expect(made.body).toEqual({
    name: expect.any(String),
    algorithm: 'hmac-sha256',
    secret: expect.any(String),
  });
  expect(Buffer.from(key.secret, 'base64')).toHaveLength(32);
  expect(JSON.stringify(await list())).not.toContain(key.secret);
  const stored = await world.deps.db.selectFrom('dnsTransferKeys').selectAll().executeTakeFirstOrThrow();
  expect(stored.sealedSecret.includes(key.secret)).toBe(false);

  const { id } = await ada.rpc.dns.addSecondary.mutate({ domain, address: LOOPBACK, port: 1 });
  for (const server of [world, replica]) {
    const { messages, mac } = await until(
      () => transfer(server, key),
      ({ code }) => code === 0,
    );
    assertSigned(messages, key, mac);
    expect(answersOf(messages).map(recordText)).toContain('example.test 3600 A 192.0.2.1');
  }
  const next = await ada.rpc.dns.renewTransferKey.mutate({ domain });
  expect(next.name).not.toBe(key.name);
  for (const server of [world, replica]) {
    await until(
      () => transfer(server, next),
      ({ code }) => code === 0,
    );
    const { messages } = await transfer(server, key);
    expect(readSigned(messages[0] ?? Buffer.alloc(12), key.name).error).toBe(17);
  }
  // As while the connection that tells of changes is lost.
  const { db } = world.deps;
  await sql`alter table dns_zones disable trigger zone_changes`.execute(db);
  await ada.rpc.dns.removeSecondary.mutate({ domain, id });
  await sql`alter table dns_zones enable trigger zone_changes`.execute(db);
  await sql`select pg_terminate_backend(pid) from pg_stat_activity
    where application_name = 'nephos notifications' and datname = current_database()`.execute(db);
  for (const server of [world, replica]) {
    await until(
      () => transfer(server, next),
      ({ code }) => code === 9,
    );
  }
});

test('a domain keeps its last record, at all doors, until its secondaries are removed', async () => {
  const { id: recordId } = await add(ada);
  await ada.rpc.dns.renewTransferKey.mutate({ domain });
  const { id } = await ada.rpc.dns.addSecondary.mutate({ domain, address: '192.0.2.53' });
  const { serial } = await list();
  const edits = [{ action: 'delete', id: recordId }];
  for (const remove of [
    () => ada.rest(`DELETE /api/dns/${recordId}`),
    () => ada.rest(`POST /api/dns-zones/${domain}/edits`, { body: { serial, edits } }),
  ]) {
    expect(await remove()).toMatchObject({
      status: 409,
      body: {
        code: 'ZONE_HAS_SECONDARIES',
        message: `${domain} has secondaries. Remove them before you delete its last record.`,
      },
    });
  }
  expect(await list()).toMatchObject({ serial, key: { name: expect.any(String) }, secondaries: [{ id }] });
  await ada.rpc.dns.removeSecondary.mutate({ domain, id });
  expect((await ada.rest(`DELETE /api/dns/${recordId}`)).status).toBe(200);
});

test('name servers of others can stand beside ours at the apex', async () => {
  await add(ada, { recordType: 'NS', value: 'ns.secondary.test' });
  const [zone] = await ada.rpc.dns.zones.query();
  await world.served(domain, zone?.serial);
  const { answers = [] } = await world.query(`${domain} NS`);
  expect(answers.map((answer) => (answer.type === 'NS' ? answer.data : '')).sort()).toEqual([
    'ns.secondary.test',
    'ns1.nephos.test',
    'ns2.nephos.test',
  ]);
});

test('what is served may change without its zone: a zone that is copied gets a new serial each day', async () => {
  const { db, domains } = world.deps;
  await add(ada);
  await add(bob, { domain: 'bob.test' });
  await ada.rpc.dns.addSecondary.mutate({ domain, address: LOOPBACK, port: 1 });
  const now = Math.floor(Date.now() / 1000);
  const serialsAfter = async (serial: number) => {
    await db.updateTable('dnsZones').set({ serial }).execute();
    await domains.dns.sweeps?.dnsSecondaries?.();
    const rows = await db.selectFrom('dnsZones').select('serial').orderBy('domain', 'desc').execute();
    return rows.map((row) => row.serial);
  };
  const [raised = 0, other] = await serialsAfter(now - 86_500);
  expect([raised >= now, other]).toEqual([true, now - 86_500]);
  expect(await serialsAfter(now - 86_300)).toEqual([now - 86_300, now - 86_300]);
});

/** A secondary that notes what it is told. It answers with the present serial, as if it copied at once, or as `state` says. */
async function createSecondary() {
  const socket = createSocket('udp4');
  socket.bind(0, LOOPBACK);
  await once(socket, 'listening');
  const told: Buffer[] = [];
  const state: { serial?: number; silent: boolean; rcode: number } = { silent: false, rcode: 0 };
  socket.on('message', async (packet, { port, address }) => {
    const flags = packet.readUInt16BE(2);
    const isNotify = ((flags >> 11) & 15) === NOTIFY;
    if (isNotify) told.push(packet);
    if (state.silent) return;
    const times = { refresh: 1, retry: 1, expire: 1, minimum: 1 };
    const { serial = (await list()).serial } = state;
    const data = { mname: 'a.test', rname: 'b.test', serial, ...times };
    const answer = encode({
      type: 'response',
      id: packet.readUInt16BE(),
      flags: 0x0400 | state.rcode,
      questions: [{ name: domain, type: 'SOA' }],
      answers: isNotify || state.rcode !== 0 ? [] : [{ type: 'SOA', name: domain, ttl: 1, data }],
    });
    if (isNotify) answer.writeUInt16BE(answer.readUInt16BE(2) | (NOTIFY << 11), 2);
    socket.send(answer, port, address);
  });
  return { state, told, port: (socket.address() as AddressInfo).port, close: () => socket.close() };
}

describe('a secondary', () => {
  const ofOne = async () => {
    const { serial, secondaries } = await list();
    return { zone: serial, ...secondaries[0] };
  };

  beforeAll(() => {
    for (const server of [world, replica]) server.deps.domains.dns.secondariesCare.start();
  });

  test('is told of each change once, by one of the replicas, signed, and asked whether it has it', async () => {
    const secondary = await createSecondary();
    await add(ada);
    const key = await ada.rpc.dns.renewTransferKey.mutate({ domain });
    await ada.rpc.dns.addSecondary.mutate({ domain, address: LOOPBACK, port: secondary.port });
    const first = await until(ofOne, ({ serial }) => serial !== null);
    expect(first).toMatchObject({ serial: first.zone, failingSince: null, problem: '' });
    expect(secondary.told).toHaveLength(1);
    const notice = secondary.told[0] ?? Buffer.alloc(12);
    expect(notice.readUInt16BE(2)).toBe((NOTIFY << 11) | 0x0400);
    const { mac, message } = readSigned(notice, key.name);
    expect(mac).toHaveLength(32);
    expect(message.subarray(12, 25).toString('latin1')).toBe('\u0007example\u0004test');

    await add(ada, { name: 'www' });
    await until(ofOne, ({ serial, zone }) => serial === zone);
    expect(secondary.told).toHaveLength(2);
    secondary.close();
  });

  test('that is behind, refuses or does not respond is shown so, and told again with longer pauses, five times', async () => {
    const secondary = await createSecondary();
    secondary.state.serial = 5;
    await add(ada);
    await ada.rpc.dns.addSecondary.mutate({ domain, address: LOOPBACK, port: secondary.port });
    await ada.rpc.dns.renewTransferKey.mutate({ domain });
    const behind = await until(ofOne, ({ problem }) => problem !== '');
    expect(behind).toMatchObject({ serial: 5, problem: "It hasn't copied the latest change yet." });

    secondary.state.rcode = 5;
    await add(ada, { name: 'a' });
    const refusing = await until(ofOne, ({ failingSince }) => typeof failingSince === 'string');
    expect(refusing).toMatchObject({
      serial: 5,
      problem: expect.stringMatching(/notification .* with REFUSED/),
    });

    // Each pause is cut short once its length was seen.
    const { db } = world.deps;
    const told = secondary.told.length;
    for (const [index, pause] of [2, 4, 8, 16, 300, 300].entries()) {
      const row = await until(
        () => db.selectFrom('dnsSecondaries').selectAll().executeTakeFirstOrThrow(),
        ({ tries, dueAt }) => tries > index && Math.abs(Date.parse(dueAt) - Date.now() - pause * 1000) < 1900,
      );
      expect([row.tries, secondary.told.length - told]).toEqual([index + 1, Math.min(index, 4)]);
      await db.updateTable('dnsSecondaries').set({ dueAt: new Date().toISOString() }).execute();
      await db.updateTable('dnsZones').set({ transferVersion: index }).execute();
    }

    secondary.state.silent = true;
    await add(ada, { name: 'b' });
    const silent = await until(ofOne, ({ problem }) => problem === "It doesn't respond.");
    expect(silent.failingSince).toBe(refusing.failingSince);

    secondary.close();
  });

  test('is shown to lack a key that can be read, until there is a new one', async () => {
    const secondary = await createSecondary();
    await add(ada);
    await ada.rpc.dns.renewTransferKey.mutate({ domain });
    const { db } = world.deps;
    await db
      .updateTable('dnsTransferKeys')
      .set({ sealedSecret: Buffer.alloc(60) })
      .execute();
    await ada.rpc.dns.addSecondary.mutate({ domain, address: LOOPBACK, port: secondary.port });
    await until(ofOne, ({ problem }) => problem === "The transfer key can't be read. Create a new one.");
    // Also once it is not told any more.
    const given = { tries: 5, problem: '', dueAt: new Date().toISOString() };
    await db.updateTable('dnsSecondaries').set(given).execute();
    await db.updateTable('dnsZones').set({ transferVersion: 9 }).execute();
    const late = await until(ofOne, ({ problem }) => problem !== '');
    expect(late.problem).toMatch(/^The transfer key/);
    expect(secondary.told).toHaveLength(0);
    await ada.rpc.dns.renewTransferKey.mutate({ domain });
    await until(ofOne, ({ serial, zone, problem }) => serial === zone && problem === '');
    secondary.close();
  });

  test('that was left behind by a process that ended is told when the next one starts', async () => {
    const secondary = await createSecondary();
    await add(ada);
    await ada.rpc.dns.renewTransferKey.mutate({ domain });
    const zone = await world.deps.db.selectFrom('dnsZones').selectAll().executeTakeFirstOrThrow();
    await world.deps.db
      .insertInto('dnsSecondaries')
      .values({
        ...{ ownerId: zone.ownerId, zoneId: zone.id, address: LOOPBACK, port: secondary.port },
        ...{
          toldSerial: zone.serial,
          tries: 5,
          serial: 1,
          dueAt: new Date(Date.now() + 3_600_000).toISOString(),
        },
      })
      .execute();
    const next = await createDnsWorld({ settings: SETTINGS, databaseUrl: world.databaseUrl });
    next.deps.domains.dns.secondariesCare.start();
    await until(ofOne, ({ serial }) => serial === zone.serial);
    expect(secondary.told).toHaveLength(1);
    await next.close();
    secondary.close();
  });
});
