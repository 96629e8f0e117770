import { decode } from 'dns-packet';
import { afterEach, describe, expect, test, vi } from 'vitest';
import type { Asker } from '../../src/domains/dns/server/responder.ts';
import { createTransferSources } from '../../src/domains/dns/server/transfer/transfer-sources.ts';
import { buildZone, type ZoneRecord } from '../../src/domains/dns/server/zone.ts';
import { createZoneSet } from '../../src/domains/dns/server/zone-set.ts';
import { responderFor } from './dns-responder.ts';
import { packetOf, rcodeOf, recordText } from './dns-world.ts';
import { answersOf, assertSigned, readSigned, type Signing, signed } from './signed-questions.ts';

const KEY = { name: 'nephos-1', secret: Buffer.alloc(32, 7).toString('base64') };
const OTHER_KEY = { name: 'nephos-2', secret: Buffer.alloc(32, 8).toString('base64') };
const [NOERROR, FORMERR, REFUSED, NOTAUTH] = [0, 1, 5, 9];
const [BADSIG, BADKEY, BADTIME, BADTRUNC] = [16, 17, 18, 22];
const SECONDARY = '192.0.2.53';
const ZONE = 'example.test';

/** `www 300 A 192.0.2.1`. */
function recordsOf(lines: readonly string[], domain = ZONE): ZoneRecord[] {
  return lines.map((line) => {
    const [name = '', ttl = '', type = '', ...value] = line.split(' ');
    const owner = name === '@' ? domain : `${name}.${domain}`;
    return { owner, type: type as ZoneRecord['type'], value: value.join(' '), ttl: Number(ttl) };
  });
}

const WWW = ['www 300 A 192.0.2.1', 'www 300 A 192.0.2.2', '* 60 TXT any'];

function createServer() {
  const zones = createZoneSet();
  const sources = createTransferSources(zones);
  const responder = responderFor(zones, { sources });
  const rules = { key: KEY, addresses: [SECONDARY] };

  function put(serial: number, lines: readonly string[], { domain = ZONE, transfer = rules } = {}) {
    const zone = buildZone({ domain, serial, records: recordsOf(lines, domain) }, ['ns1.nephos.test']);
    sources.put(zone, transfer);
    zones.put(zone);
  }

  /** All messages that answer a packet; `meanwhile` happens after the first. */
  function ask(
    packet: Buffer,
    { transport = 'tcp', address = SECONDARY }: Partial<Asker> = {},
    meanwhile: () => void = () => {},
  ): Buffer[] {
    let rest: Iterator<Buffer> | undefined;
    const sendMore = (messages: Iterator<Buffer>) => {
      rest = messages;
    };
    const first = responder.respond(packet, { transport, address, ...(transport === 'tcp' && { sendMore }) });
    const messages = first ? [first] : [];
    meanwhile();
    for (let next = rest?.next(); next && !next.done; next = rest?.next()) messages.push(next.value);
    return messages;
  }

  /** What a signed question is answered with, a line per record, once the signatures are found to be good. */
  function transfer(question: string, signing: Partial<Signing> = {}, asker: Partial<Asker> = {}) {
    const { packet, mac } = signed(question, { key: KEY, ...signing });
    const messages = ask(packet, asker);
    assertSigned(messages, signing.key ?? KEY, mac);
    return { messages, lines: answersOf(messages).map(recordText) };
  }

  put(7, WWW);
  return { put, ask, transfer };
}

const soa = (serial: number) => `example.test 3600 SOA ns1.nephos.test hostmaster.example.test ${serial} 300`;
const NS = 'example.test 3600 NS ns1.nephos.test';
const [A1, A2] = ['www.example.test 300 A 192.0.2.1', 'www.example.test 300 A 192.0.2.2'];
const ANY = '*.example.test 60 TXT "any"';

describe('a transfer', () => {
  test('is the whole zone between its SOA record twice, signed', () => {
    const { messages, lines } = createServer().transfer('example.test AXFR');
    expect(lines).toEqual([soa(7), NS, A1, A2, ANY, soa(7)]);
    expect(messages.map((message) => decode(message).flag_aa)).toEqual([true]);
  });

  test('of a large zone has many messages, each of which fits and is signed after the one before it', () => {
    const server = createServer();
    const lines = Array.from({ length: 2000 }, (_, i) => `n${i} 300 TXT ${'x'.repeat(250)}`);
    server.put(8, lines);
    const { messages, lines: found } = server.transfer('example.test AXFR');
    expect(found.length).toBe(2000 + 3);
    expect(new Set(found).size).toBe(2000 + 2);
    expect(messages.length).toBeGreaterThan(20);
    expect(Math.max(...messages.map(({ length }) => length))).toBeLessThan(20_000);
    // One that is missing is noticed.
    const { packet, mac } = signed('example.test AXFR', { key: KEY });
    const [first, , ...rest] = server.ask(packet);
    if (first) expect(() => assertSigned([first, ...rest], KEY, mac)).toThrow('message 1');
  });

  test('has the addresses that stand for an alias which is ours alone, and what lies below a delegation', () => {
    const server = createServer();
    server.put(3, ['www 60 A 192.0.2.9', 'www 60 AAAA 2001:db8::9'], { domain: 'target.test' });
    server.put(8, [
      '@ 300 ALIAS www.target.test',
      'sub 300 NS ns.sub.example.test',
      'ns.sub 300 A 192.0.2.8',
    ]);
    expect(server.transfer('example.test AXFR').lines).toEqual([
      ...[soa(8), NS, 'example.test 60 A 192.0.2.9', 'example.test 60 AAAA 2001:db8::9'],
      ...['sub.example.test 300 NS ns.sub.example.test', 'ns.sub.example.test 300 A 192.0.2.8', soa(8)],
    ]);
  });

  test('is of the version with which it began', () => {
    const server = createServer();
    server.put(
      8,
      Array.from({ length: 500 }, (_, i) => `n${i} 300 TXT ${'x'.repeat(250)}`),
    );
    const { packet, mac } = signed('example.test AXFR', { key: KEY });
    const messages = server.ask(packet, {}, () => server.put(9, WWW));
    assertSigned(messages, KEY, mac);
    const lines = answersOf(messages).map(recordText);
    expect([lines.length, lines.at(-1)]).toEqual([503, soa(8)]);
    expect(server.transfer('example.test AXFR').lines.at(-1)).toBe(soa(9));
  });
});

describe('a transfer that takes long', () => {
  afterEach(() => {
    vi.useRealTimers();
  });

  test('has messages that are signed at their own time', () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    const server = createServer();
    const lines = Array.from({ length: 500 }, (_, i) => `n${i} 300 TXT ${'x'.repeat(250)}`);
    server.put(8, lines);
    const { packet, mac } = signed('example.test AXFR', { key: KEY });
    const messages = server.ask(packet, {}, () => vi.setSystemTime(Date.now() + 400_000));
    assertSigned(messages, KEY, mac);
    const [first = 0, ...rest] = messages.map((message) => readSigned(message, KEY.name).time);
    expect(rest.map((time) => time - first)).toEqual(rest.map(() => 400));
    expect(rest.length).toBeGreaterThan(2);
  });
});

describe('an incremental transfer', () => {
  test('is what changed since, each version by itself', () => {
    const server = createServer();
    server.put(8, ['www 300 A 192.0.2.1', 'www 300 A 192.0.2.3', '* 60 TXT any']);
    server.put(9, ['www 300 A 192.0.2.1', 'www 300 A 192.0.2.3', '* 60 TXT any', 'mail 300 A 192.0.2.4']);
    const A3 = 'www.example.test 300 A 192.0.2.3';
    const A4 = 'mail.example.test 300 A 192.0.2.4';
    expect(server.transfer('example.test IXFR', { serial: 7 }).lines).toEqual([
      ...[soa(9), soa(7), A2, soa(8), A3],
      ...[soa(8), soa(9), A4, soa(9)],
    ]);
    expect(server.transfer('example.test IXFR', { serial: 8 }).lines).toEqual([
      ...[soa(9), soa(8), soa(9), A4, soa(9)],
    ]);
  });

  test('is the SOA record alone by UDP, and for one who has the present version', () => {
    const server = createServer();
    server.put(8, WWW);
    expect(server.transfer('example.test IXFR', { serial: 7 }, { transport: 'udp' }).lines).toEqual([soa(8)]);
    expect(server.transfer('example.test IXFR', { serial: 8 }).lines).toEqual([soa(8)]);
    expect(server.transfer('example.test IXFR', { serial: 9 }).lines).toEqual([soa(8)]);
  });

  test('is the whole zone where what changed is not known, or is more than that', () => {
    const whole = (serial: number) => [soa(serial), NS, A1, A2, ANY, soa(serial)];
    const server = createServer();
    expect(server.transfer('example.test IXFR', { serial: 5 }).lines).toEqual(whole(7));
    const many = Array.from({ length: 100 }, (_, i) => `n${i} 300 A 192.0.2.${i}`);
    server.put(8, [...WWW, ...many]);
    server.put(9, WWW);
    expect(server.transfer('example.test IXFR', { serial: 7 }).lines).toEqual(whole(9));
    for (let serial = 10; serial < 70; serial += 1) {
      server.put(serial, [...many, `www 300 A 192.0.2.${serial}`]);
    }
    const lengthSince = (serial: number) => server.transfer('example.test IXFR', { serial }).lines.length;
    // Each difference is of two SOA records, one removed and one added; before and after all of them is the present one.
    expect([lengthSince(68), lengthSince(50)]).toEqual([6, 2 + 19 * 4]);
    expect([lengthSince(18), lengthSince(10)]).toEqual([many.length + 4, many.length + 4]);
  });

  test('is the whole zone where one serial stood for several contents', () => {
    const server = createServer();
    server.put(7, ['www 300 A 192.0.2.9']);
    server.put(8, WWW);
    expect(server.transfer('example.test IXFR', { serial: 7 }).lines).toEqual([
      soa(8),
      NS,
      A1,
      A2,
      ANY,
      soa(8),
    ]);
    server.put(9, [...WWW, 'mail 300 A 192.0.2.4']);
    expect(server.transfer('example.test IXFR', { serial: 8 }).lines[1]).toBe(soa(8));
    server.put(10, ['@ 300 ALIAS www.example.test', ...WWW]);
    server.put(11, ['@ 60 ALIAS www.example.test', ...WWW]);
    expect(server.transfer('example.test IXFR', { serial: 10 }).lines[1]).toBe(NS);
  });

  test('needs the serial that one has', () => {
    const { packet } = signed('example.test IXFR', { key: KEY });
    expect(createServer().ask(packet).map(rcodeOf)).toEqual([FORMERR]);
  });
});

describe('nobody gets a transfer', () => {
  test.each(['AXFR', 'IXFR'])('without a signature: %s, whether there is such a zone or not', (type) => {
    const server = createServer();
    for (const name of [ZONE, 'www.example.test', 'elsewhere.test']) {
      const messages = server.ask(packetOf(`${name} ${type}`));
      expect(messages.map(rcodeOf)).toEqual([REFUSED]);
      expect(decode(messages[0] ?? Buffer.alloc(12))).toMatchObject({ answers: [], authorities: [] });
    }
  });

  test('from another address, by UDP, or of another zone than the key is for', () => {
    const server = createServer();
    server.put(1, WWW, { domain: 'other.test', transfer: { key: OTHER_KEY, addresses: [SECONDARY] } });
    const refused = (question: string, asker: Partial<Asker> = {}) => {
      const { messages, lines } = server.transfer(question, { serial: 1 }, asker);
      expect([messages.map(rcodeOf), lines]).toEqual([[REFUSED], []]);
    };
    refused('example.test AXFR', { address: '192.0.2.54' });
    refused('example.test IXFR', { address: '192.0.2.54' });
    refused('example.test AXFR', { transport: 'udp' });
    for (const name of ['other.test', 'www.example.test', 'test', 'elsewhere.test']) refused(`${name} AXFR`);
    expect(server.transfer('example.test AXFR', {}, { address: `::ffff:${SECONDARY}` }).lines).toHaveLength(
      6,
    );
    expect(server.transfer('other.test AXFR', { key: OTHER_KEY }).lines).toHaveLength(6);
  });

  test('once the zone has no secondary any more, or another key', () => {
    const server = createServer();
    server.put(7, WWW, { transfer: { key: OTHER_KEY, addresses: [SECONDARY] } });
    const codes = (key: typeof KEY) => server.ask(signed('example.test AXFR', { key }).packet).map(rcodeOf);
    expect([codes(KEY), codes(OTHER_KEY)]).toEqual([[NOTAUTH], [NOERROR]]);
    server.put(7, WWW, { transfer: { key: OTHER_KEY, addresses: [] } });
    expect(codes(OTHER_KEY)).toEqual([NOTAUTH]);
  });

  test('by a packet of which a single bit was changed, but for those that no signature is about', () => {
    const server = createServer();
    const { packet } = signed('example.test AXFR', { key: KEY });
    const taken: number[] = [];
    for (let bit = 0; bit < packet.length * 8; bit += 1) {
      const spoiled = Buffer.from(packet);
      const octet = bit >> 3;
      spoiled[octet] = (spoiled[octet] ?? 0) ^ (1 << (bit & 7));
      if (answersOf(server.ask(spoiled)).length > 0) taken.push(octet);
    }
    // The id, which whoever forwards a message changes, and the case of letters in the names of key and algorithm.
    const names = packet.length - 16 - 32 - 10 - 13 - 10;
    expect(taken.filter((octet) => octet > 1 && octet < names)).toEqual([]);
    expect(new Set(taken).size).toBeLessThan(2 + 'nephos'.length + 'hmacsha'.length + 1);
  });
});

describe('a signature at fault', () => {
  const askWith = (signing: Partial<Signing>, question = 'example.test AXFR') => {
    const { packet, mac } = signed(question, { key: KEY, ...signing });
    const messages = createServer().ask(packet);
    expect(messages).toHaveLength(1);
    const [message = Buffer.alloc(12)] = messages;
    expect(answersOf(messages)).toEqual([]);
    return { message, mac };
  };

  const strange = { name: 'nephos-9', secret: KEY.secret };
  test.each<[string, Partial<Signing>, number]>([
    ['by a key that nobody has', { key: strange }, BADKEY],
    ['by another algorithm', { algorithm: 'hmac-sha1' }, BADKEY],
    ['by another secret', { key: { ...KEY, secret: OTHER_KEY.secret } }, BADSIG],
    ['by another secret, an hour late', { key: { ...KEY, secret: OTHER_KEY.secret }, fast: -3600 }, BADSIG],
  ])('%s is told without a signature', (_what, signing, error) => {
    for (const question of ['example.test AXFR', 'www.example.test A', 'elsewhere.test SOA']) {
      const { message } = askWith(signing, question);
      const said = readSigned(message, signing.key?.name ?? KEY.name);
      expect([rcodeOf(message), said.error, said.mac.length]).toEqual([NOTAUTH, error, 0]);
    }
  });

  test.each([-301, 301])('that is %d seconds off is told with our time, signed', (fast) => {
    const { message, mac } = askWith({ fast });
    const { error, other, time } = readSigned(message, KEY.name);
    expect([rcodeOf(message), error]).toEqual([NOTAUTH, BADTIME]);
    assertSigned([message], KEY, mac);
    expect(Math.abs(other.readUIntBE(0, 6) - Date.now() / 1000)).toBeLessThan(5);
    expect(time - other.readUIntBE(0, 6)).toBeCloseTo(fast, -1);
    expect(askWith({ fast: -4, fudge: 1 }).message.readUInt16BE(2) & 15).toBe(NOTAUTH);
    expect(askWith({ fast, fudge: 65_535 }).message.readUInt16BE(2) & 15).toBe(NOTAUTH);
  });

  test('that is cut short is told, or malformed', () => {
    const { message, mac } = askWith({ length: 16 });
    expect([rcodeOf(message), readSigned(message, KEY.name).error]).toEqual([NOTAUTH, BADTRUNC]);
    assertSigned([message], KEY, mac);
    expect(rcodeOf(askWith({ length: 15 }).message)).toBe(FORMERR);
    expect(rcodeOf(askWith({ length: 0 }).message)).toBe(FORMERR);
  });

  test('that is not the last record, or stands among the answers, is malformed', () => {
    const { packet } = signed('example.test AXFR', { key: KEY });
    const twice = Buffer.concat([packet, packet.subarray(packet.indexOf('nephos-1') - 1)]);
    twice.writeUInt16BE(2, 10);
    const among = Buffer.from(packet);
    among.writeUInt16BE(0, 10);
    among.writeUInt16BE(1, 6);
    for (const octets of [twice, among]) expect(createServer().ask(octets).map(rcodeOf)).toEqual([FORMERR]);
  });
});

test('other questions are answered as ever, and signed where they were', () => {
  const server = createServer();
  for (const transport of ['tcp', 'udp'] as const) {
    expect(server.transfer('example.test SOA', {}, { transport }).lines).toEqual([soa(7)]);
    expect(server.transfer('www.example.test A', {}, { transport, address: '198.51.100.1' }).lines).toEqual([
      A1,
      A2,
    ]);
  }
  server.put(
    8,
    Array.from({ length: 28 }, (_, i) => `www 300 A 192.0.2.${i}`),
  );
  const { messages } = server.transfer('www.example.test A', {}, { transport: 'udp' });
  expect(messages[0]?.length).toBeLessThanOrEqual(512);
  expect(decode(messages[0] ?? Buffer.alloc(12)).flag_tc).toBe(true);
});
