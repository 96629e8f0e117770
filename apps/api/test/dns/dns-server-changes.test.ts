import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { decode } from 'dns-packet';
import { sql } from 'kysely';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { freePort } from '../../../../tools/server-process.mjs';
import { readSettings } from '../../src/core/env.ts';
import { bindFailure, createNameServer } from '../../src/domains/dns/server/create-name-server.ts';
import { type ServerThread, startThread } from '../../src/domains/dns/server/thread-host.ts';
import { createWorld } from '../world.ts';
import { createDnsWorld, type DnsWorld, NAME_SERVERS, packetOf } from './dns-world.ts';

let world: DnsWorld;
let replica: DnsWorld;

beforeAll(async () => {
  world = await createDnsWorld();
  replica = await createDnsWorld({ databaseUrl: world.databaseUrl });
});
afterAll(async () => {
  await replica.close();
  await world.close();
});

async function addressesOf(server: DnsWorld, name: string): Promise<string[]> {
  const { answers = [] } = await server.query(`${name} A`);
  return answers.flatMap((answer) => (answer.type === 'A' ? [answer.data] : []));
}

test('a change is answered by every replica within a second, and so is a deletion', async () => {
  const milliseconds: number[] = [];
  for (let change = 0; change < 20; change += 1) {
    const serial = await world.putZone('change.test', [`www 300 A 192.0.2.${change}`]);
    const begun = performance.now();
    await Promise.all([world.served('change.test', serial), replica.served('change.test', serial)]);
    milliseconds.push(performance.now() - begun);
    for (const server of [world, replica]) {
      expect(await addressesOf(server, 'www.change.test')).toEqual([`192.0.2.${change}`]);
    }
  }
  expect(Math.max(...milliseconds)).toBeLessThan(1000);
  await world.removeZone('change.test');
  await Promise.all([world.served('change.test', undefined), replica.served('change.test', undefined)]);
  expect(await world.query('www.change.test A')).toMatchObject({ rcode: 'REFUSED' });
});

test('a hundred changes at once are all there in the end, and the serial never goes back', async () => {
  let isDone = false;
  const serials: number[] = [];
  const watching = (async () => {
    while (!isDone) {
      const [soa] = (await replica.query('burst.test SOA')).answers ?? [];
      if (soa?.type === 'SOA') serials.push(soa.data.serial ?? 0);
    }
  })();
  let last = 0;
  for (let change = 0; change < 100; change += 1) {
    last = await world.putZone('burst.test', [`www 300 A 192.0.2.${change}`]);
  }
  await Promise.all([world.served('burst.test', last), replica.served('burst.test', last)]);
  isDone = true;
  await watching;
  expect(serials).toEqual(serials.toSorted((a, b) => a - b));
  expect(await addressesOf(world, 'www.burst.test')).toEqual(['192.0.2.99']);
});

test('a zone whose ownership is not proved is not served, until it is', async () => {
  const serial = await world.putZone('pending.test', ['www 300 A 192.0.2.1']);
  await world.served('pending.test', serial);
  const setVerified = (verifiedAt: string | null) =>
    world.deps.db.updateTable('dnsZones').where('domain', '=', 'pending.test').set({ verifiedAt }).execute();
  await setVerified(null);
  await world.served('pending.test', undefined);
  await setVerified(new Date().toISOString());
  await world.served('pending.test', serial);
});

test('answers that lead through another zone follow its changes, and its coming and going', async () => {
  await world.putZone('alias.test', ['www 300 CNAME www.target.test', 'deep.sub 300 A 192.0.2.8']);
  await world.served('target.test', await world.putZone('target.test', ['www 300 A 192.0.2.1']));
  expect(await addressesOf(world, 'www.alias.test')).toEqual(['192.0.2.1']);
  await world.served('target.test', await world.putZone('target.test', ['www 300 A 192.0.2.2']));
  expect(await addressesOf(world, 'www.alias.test')).toEqual(['192.0.2.2']);
  await world.removeZone('target.test');
  await world.served('target.test', undefined);
  expect(await addressesOf(world, 'www.alias.test')).toEqual([]);
  // A zone below another takes its names over.
  expect(await addressesOf(world, 'deep.sub.alias.test')).toEqual(['192.0.2.8']);
  await world.served('sub.alias.test', await world.putZone('sub.alias.test', ['deep 300 A 192.0.2.9']));
  expect(await addressesOf(world, 'deep.sub.alias.test')).toEqual(['192.0.2.9']);
});

test('changes whose notification was lost with its connection are served once it is back', async () => {
  await world.served('cut.test', await world.putZone('cut.test', ['www 300 A 192.0.2.1']));
  await world.served('gone.test', await world.putZone('gone.test', []));
  const { db } = world.deps;
  await db.transaction().execute(async (trx) => {
    await sql`alter table dns_zones disable trigger zone_changes`.execute(trx);
    await trx.deleteFrom('dnsZones').where('domain', '=', 'gone.test').execute();
    const changed = await trx
      .updateTable('dnsZones')
      .where('domain', '=', 'cut.test')
      .set({ serial: 77 })
      .returning('id')
      .executeTakeFirstOrThrow();
    await trx
      .updateTable('dnsRecords')
      .where('zoneId', '=', changed.id)
      .set({ value: '192.0.2.77' })
      .execute();
    await sql`alter table dns_zones enable trigger zone_changes`.execute(trx);
  });
  expect(await addressesOf(world, 'www.cut.test')).toEqual(['192.0.2.1']);
  await sql`select pg_terminate_backend(pid) from pg_stat_activity
    where application_name = 'nephos notifications' and datname = current_database()`.execute(db);
  for (const server of [world, replica]) {
    await server.served('cut.test', 77);
    await server.served('gone.test', undefined);
    expect(await addressesOf(server, 'www.cut.test')).toEqual(['192.0.2.77']);
  }
});

test('a restart answers nothing before it has every zone', async () => {
  await world.putZone('restart.test', ['www 300 A 192.0.2.1']);
  const { db, notifications, secrets, log, settings } = world.deps;
  for (let round = 0; round < 3; round += 1) {
    const port = await freePort();
    const nameServer = createNameServer({
      settings: { ...settings, dnsPort: port },
      db,
      notifications,
      secrets,
      log,
    });
    const socket = createSocket('udp4');
    const first = once(socket, 'message', { signal: AbortSignal.timeout(10_000) });
    const asking = setInterval(() => socket.send(packetOf('www.restart.test A'), port, '127.0.0.1'), 1);
    await nameServer.start();
    const [answer] = (await first) as [Buffer];
    clearInterval(asking);
    socket.close();
    expect(decode(answer).answers).toMatchObject([{ data: '192.0.2.1' }]);
    await nameServer.stop();
    expect(await nameServer.ask('www.restart.test', 'A')).toMatchObject({ responseCode: 'TIMEOUT' });
  }
});

test('a name server that dies is replaced, with every zone', async () => {
  await world.putZone('again.test', ['www 300 A 192.0.2.1']);
  const { db, notifications, secrets, log, settings } = world.deps;
  const port = await freePort();
  const threads: ServerThread[] = [];
  const nameServer = createNameServer({
    settings: { ...settings, dnsPort: port },
    db,
    notifications,
    secrets,
    log,
    startThread: (...setup) => {
      const thread = startThread(...setup);
      threads.push(thread);
      return thread;
    },
  });
  await nameServer.start();
  // Nothing that arrives can end it; a broken message of our own can.
  threads[0]?.apply(null as never, null as never);
  await expect.poll(() => threads.length).toBe(2);
  await expect.poll(() => nameServer.unavailable()).toBeNull();
  expect(await nameServer.ask('www.again.test', 'A')).toMatchObject({ responseCode: 'NOERROR' });
  await nameServer.stop();
});

test('asking ourselves shows each type as dig does, and comes again by TCP', async () => {
  const serial = await world.putZone('ask.test', [
    '@ 300 A 192.0.2.1',
    '@ 300 AAAA 2001:db8::1',
    '@ 300 MX 10 mail.ask.test',
    '@ 300 TXT say "hi" \\ ü',
    'www 300 CNAME ask.test',
    'sub 300 NS ns.sub.ask.test',
    'ns.sub 300 A 192.0.2.3',
    ...Array.from({ length: 100 }, (_, i) => `big 300 A 10.0.0.${i}`),
  ]);
  await world.served('ask.test', serial);
  const { nameServer } = world.deps.domains.dns;
  const answersOf = async (...question: Parameters<typeof nameServer.ask>) =>
    (await nameServer.ask(...question)).answers;
  expect(await answersOf('ask.test', 'AAAA')).toEqual(['ask.test. 300 IN AAAA 2001:db8::1']);
  expect(await answersOf('ask.test', 'MX')).toEqual(['ask.test. 300 IN MX 10 mail.ask.test.']);
  expect(await answersOf('ask.test', 'TXT')).toEqual(['ask.test. 300 IN TXT "say \\"hi\\" \\\\ \\195\\188"']);
  expect(await answersOf('ask.test', 'NS')).toEqual(
    NAME_SERVERS.map((host) => `ask.test. 3600 IN NS ${host}.`),
  );
  expect(await answersOf('www.ask.test', 'A')).toEqual([
    'www.ask.test. 300 IN CNAME ask.test.',
    'ask.test. 300 IN A 192.0.2.1',
  ]);
  expect(await answersOf('sub.ask.test', 'NS')).toEqual([
    'sub.ask.test. 300 IN NS ns.sub.ask.test.',
    'ns.sub.ask.test. 300 IN A 192.0.2.3',
  ]);
  expect((await answersOf('big.ask.test', 'A')).length).toBe(100);
  const { responseCode, milliseconds } = await nameServer.ask('nowhere.ask.test', 'A');
  expect(responseCode).toBe('NXDOMAIN');
  expect(milliseconds).toBeGreaterThan(0);
});

test('a port that is taken is told in one sentence, and nothing else is the worse for it', async () => {
  const port = await freePort();
  const holder = createSocket('udp4').bind(port, '127.0.0.1');
  await once(holder, 'listening');
  const lines: string[] = [];
  const log = pino({ level: 'warn' }, { write: (line: string) => void lines.push(line) });
  const blocked = await createWorld({ settings: { dnsPort: port }, databaseUrl: world.databaseUrl, log });
  const { nameServer } = blocked.deps.domains.dns;
  await nameServer.start();
  expect(nameServer.unavailable()).toBe(
    `DNS_PORT ${port} on 127.0.0.1 is in use by another program: stop it or set a different DNS_PORT.`,
  );
  expect(nameServer.port()).toBe(0);
  expect(lines.filter((line) => line.includes('DNS_PORT')).length).toBe(1);
  expect((await blocked.anyone.rest('GET /healthz')).status).toBe(200);
  await blocked.close();
  holder.close();
});

test('why it does not answer names the setting to change', async () => {
  const { db, notifications, secrets, log } = world.deps;
  const settings = { ...world.deps.settings, dnsPort: 0 };
  const off = createNameServer({ settings, db, notifications, secrets, log });
  await off.start();
  expect(off.unavailable()).toBe('The name server is off: set DNS_PORT to a port from 1 to 65535.');
  await off.stop();
  expect(bindFailure('EACCES', '0.0.0.0', 53)).toContain("DNS_PORT 53 on 0.0.0.0 isn't permitted");
  expect(bindFailure('ELSEWHERE', '192.0.2.1', 53)).toContain('run install.sh again');
  const elsewhere = createNameServer({
    settings: { ...settings, dnsPort: await freePort(), dnsHost: '192.0.2.1' },
    db,
    notifications,
    secrets,
    log,
  });
  await elsewhere.start();
  expect(elsewhere.unavailable()).toBe('DNS_HOST 192.0.2.1 is not an address of this machine.');
  await elsewhere.stop();
  expect(() => readSettings({ DNS_HOST: 'example.com' })).toThrow('DNS_HOST must be an IP address');
});

test('metrics count answers by transport and code', async () => {
  await world.query('nowhere.invalid A');
  await world.query('nowhere.invalid A', { tcp: true });
  const { text } = await world.anyone.rest('GET /metrics');
  expect(text).toMatch(/^nephos_dns_answers_total\{transport="udp",rcode="REFUSED"\} [1-9]/m);
  expect(text).toMatch(/^nephos_dns_answers_total\{transport="tcp",rcode="REFUSED"\} 1$/m);
});
