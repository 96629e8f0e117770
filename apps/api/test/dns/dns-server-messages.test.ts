import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { decode } from 'dns-packet';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createDnsWorld, type DnsWorld, framed, packetOf, rcodeOf, sendTcp } from './dns-world.ts';

const HEADER = 12;
const TC = 0x0200;
const RD = 0x0100;
const RA = 0x0080;
const CD = 0x0010;
const [NOERROR, FORMERR, SERVFAIL, NOTIMP, REFUSED] = [0, 1, 2, 4, 5];

let world: DnsWorld;

beforeAll(async () => {
  world = await createDnsWorld();
  const addresses = (name: string, count: number) =>
    Array.from({ length: count }, (_, i) => `${name} 300 A 10.0.${i >> 8}.${i & 255}`);
  const text = 'x'.repeat(2000);
  const serial = await world.putZone('example.test', [
    'www 300 A 192.0.2.10',
    ...addresses('middle', 40),
    ...addresses('big', 100),
    'mail 300 MX 10 middle.example.test',
    'sub 300 NS ns.sub.example.test',
    ...addresses('ns.sub', 100),
    ...Array.from({ length: 40 }, (_, i) => `huge 300 TXT ${i}${text}`),
  ]);
  await world.served('example.test', serial);
});
afterAll(() => world.close());

function flagsOf(message: Buffer): number {
  return message.readUInt16BE(2);
}

/** Counts of the four sections. */
function countsOf(message: Buffer): number[] {
  return [4, 6, 8, 10].map((at) => message.readUInt16BE(at));
}

/** Whether a packet is answered: the answer to a plain question behind it comes first otherwise. */
async function isAnswered(packet: Buffer): Promise<boolean> {
  const socket = createSocket('udp4');
  const next = packetOf('www.example.test A');
  socket.send(packet, world.port, '127.0.0.1');
  socket.send(next, world.port, '127.0.0.1');
  const [answer] = (await once(socket, 'message', { signal: AbortSignal.timeout(5000) })) as [Buffer];
  socket.close();
  return answer.readUInt16BE() !== next.readUInt16BE();
}

/** An OPT record in octets. */
function opt({
  name = [0],
  options = [],
  length,
}: {
  name?: number[];
  options?: number[];
  length?: number;
} = {}) {
  const size = length ?? options.length;
  return Buffer.from([...name, 0, 41, 4, 208, 0, 0, 0, 0, size >> 8, size & 255, ...options]);
}

function withAdditional(packet: Buffer, ...records: Buffer[]): Buffer {
  const message = Buffer.concat([packet, ...records]);
  message.writeUInt16BE(records.length, 10);
  return message;
}

describe('header', () => {
  test('RFC 1035 §4.1.1: id and RD come back, the answer is authoritative, recursion is not available', async () => {
    for (const flags of [0, RD, RD | CD]) {
      const packet = packetOf('www.example.test A', { flags });
      const answer = await world.send(packet);
      expect(answer.readUInt16BE()).toBe(packet.readUInt16BE());
      expect(flagsOf(answer)).toBe(0x8400 | flags);
    }
  });

  test('RFC 6840 §5.7 and RFC 1035 §4.1.1: AD, Z, RA, AA and TC of a question do not come back', async () => {
    const answer = await world.send(packetOf('www.example.test A', { flags: 0x06e0 }));
    expect(flagsOf(answer)).toBe(0x8400);
  });

  test('RFC 1035 §4.1.1: no other operation than QUERY is implemented', async () => {
    for (let opcode = 1; opcode < 16; opcode += 1) {
      const answer = await world.send(packetOf('example.test SOA', { flags: opcode << 11 }));
      expect(flagsOf(answer)).toBe(0x8000 | (opcode << 11) | NOTIMP);
      expect(countsOf(answer)).toEqual([0, 0, 0, 0]);
    }
  });

  test('RFC 1035 §7.3: what is no question is never answered', async () => {
    expect(await isAnswered(packetOf('www.example.test A', { flags: 0 }))).toBe(true);
    const reply = packetOf('www.example.test A');
    reply.writeUInt16BE(0x8000, 2);
    expect(await isAnswered(reply)).toBe(false);
    for (let length = 0; length < HEADER; length += 1) {
      expect(await isAnswered(Buffer.alloc(length))).toBe(false);
    }
  });
});

describe('question', () => {
  test('RFC 4343 §4.1: it comes back as it was spelled, and the owner of the answer with it', async () => {
    const packet = packetOf('wWw.ExAmPlE.tEsT A');
    const answer = await world.send(packet);
    expect(answer.subarray(HEADER, packet.length)).toEqual(packet.subarray(HEADER));
    // RFC 1035 §4.1.4: a pointer to the question.
    expect(answer.readUInt16BE(packet.length)).toBe(0xc00c);
  });

  test.each([0, 2, 3, 65_535])('RFC 9619 §2: %i questions are malformed', async (count) => {
    const packet = packetOf('www.example.test A');
    packet.writeUInt16BE(count, 4);
    expect(rcodeOf(await world.send(packet))).toBe(FORMERR);
  });

  test('RFC 1035 §4.1: a question that is cut anywhere, or followed by something, is malformed', async () => {
    const packet = packetOf('www.example.test A', { edns: { size: 1232 } });
    for (let length = HEADER; length < packet.length; length += 1) {
      expect(rcodeOf(await world.send(packet.subarray(0, length)))).toBe(FORMERR);
    }
    expect(rcodeOf(await world.send(Buffer.concat([packet, Buffer.from([0])])))).toBe(FORMERR);
  });

  test('RFC 1035 §2.3.4 and §4.1.4: labels over 63 octets, names over 255 and pointers are malformed', async () => {
    const head = packetOf('. A').subarray(0, HEADER);
    const name = (...octets: number[]) => Buffer.concat([head, Buffer.from([...octets, 0, 0, 1, 0, 1])]);
    const label = (length: number) => [length, ...Array.from({ length }, () => 97)];
    expect(rcodeOf(await world.send(name(...label(63), ...label(63), ...label(63), ...label(61))))).toBe(
      REFUSED,
    );
    expect(rcodeOf(await world.send(name(...label(63), ...label(63), ...label(63), ...label(62))))).toBe(
      FORMERR,
    );
    expect(rcodeOf(await world.send(name(64, ...label(63))))).toBe(FORMERR);
    expect(rcodeOf(await world.send(name(0xc0, 12)))).toBe(FORMERR);
    expect(rcodeOf(await world.send(name(0xc0, 0)))).toBe(FORMERR);
    expect(rcodeOf(await world.send(name(3, 97, 98, 99, 0xc0, 12)))).toBe(FORMERR);
  });

  test('RFC 1035 §3.2.4: other classes than IN are refused', async () => {
    for (const questionClass of [0, 2, 3, 4, 254, 255]) {
      const packet = packetOf('www.example.test A');
      packet.writeUInt16BE(questionClass, packet.length - 2);
      expect(rcodeOf(await world.send(packet))).toBe(REFUSED);
    }
    const version = packetOf('version.bind TXT');
    version.writeUInt16BE(3, version.length - 2);
    expect(rcodeOf(await world.send(version))).toBe(REFUSED);
  });

  test('RFC 2181 §11: labels of any octets have no answer of another name', async () => {
    const head = packetOf('. A').subarray(0, HEADER);
    const tail = [7, ...Buffer.from('example'), 4, ...Buffer.from('test'), 0, 0, 1, 0, 1];
    // "www.example" as one label, and the zone's own octets inside a label.
    const dotted = Buffer.concat([head, Buffer.from([11, ...Buffer.from('www.example'), ...tail.slice(8)])]);
    expect(rcodeOf(await world.send(dotted))).toBe(REFUSED);
    const inside = Buffer.concat([head, Buffer.from([14, 97, ...tail.slice(0, 13), 0, 0, 1, 0, 1])]);
    expect(rcodeOf(await world.send(inside))).toBe(REFUSED);
    const zero = Buffer.concat([head, Buffer.from([3, 0, 255, 46, ...tail])]);
    expect(rcodeOf(await world.send(zero))).toBe(3);
  });
});

describe('EDNS', () => {
  test('RFC 6891 §6.1.1: OPT comes back when asked, with our size and without options', async () => {
    const answer = await world.query('www.example.test A', { edns: { size: 4096 } });
    expect(answer.additionals).toMatchObject([
      { type: 'OPT', udpPayloadSize: 1232, ednsVersion: 0, extendedRcode: 0, options: [], flag_do: false },
    ]);
    expect((await world.query('www.example.test A')).additionals).toEqual([]);
  });

  test('RFC 6891 §6.1.3: a version that we do not know is BADVERS, with ours', async () => {
    for (const version of [1, 255]) {
      const answer = await world.query('www.example.test A', { edns: { size: 1232, version } });
      expect(answer).toMatchObject({ rcode: 'NOERROR', answers: [] });
      expect(answer.additionals).toMatchObject([{ type: 'OPT', extendedRcode: 1, ednsVersion: 0 }]);
    }
  });

  test('RFC 3225 §3: DO comes back', async () => {
    const answer = await world.query('www.example.test A', { edns: { size: 1232, flags: 0x8000 } });
    expect(answer.additionals).toMatchObject([{ type: 'OPT', flag_do: true }]);
  });

  test('RFC 6891 §6.1.2: options that we do not know are left unread', async () => {
    for (const options of [
      [0, 10, 0, 8, 1, 2, 3, 4, 5, 6, 7, 8],
      [255, 255, 0, 0],
      [0, 3, 0, 0, 0, 12, 0, 2, 0, 0],
    ]) {
      const answer = await world.send(withAdditional(packetOf('www.example.test A'), opt({ options })));
      expect([rcodeOf(answer), ...countsOf(answer)]).toEqual([NOERROR, 1, 1, 0, 1]);
    }
  });

  test('RFC 6891 §6.1.1 and §7: a second OPT, one below another name or with a broken option is malformed', async () => {
    const packet = packetOf('www.example.test A');
    const broken = [
      withAdditional(packet, opt(), opt()),
      withAdditional(packet, opt({ name: [1, 97, 0] })),
      withAdditional(packet, opt({ options: [0, 10, 0, 9, 1] })),
      withAdditional(packet, opt({ options: [0, 10, 0] })),
      withAdditional(packet, opt({ length: 500 })),
    ];
    for (const message of broken) {
      const answer = await world.send(message);
      expect([rcodeOf(answer), ...countsOf(answer)]).toEqual([FORMERR, 0, 0, 0, 0]);
    }
  });

  test('errors carry OPT too', async () => {
    const answer = await world.query('elsewhere.invalid A', { edns: { size: 1232 } });
    expect(answer).toMatchObject({ rcode: 'REFUSED', flag_aa: false, additionals: [{ type: 'OPT' }] });
  });
});

describe('size', () => {
  test.each([
    ['RFC 1035 §4.2.1: 512 octets without EDNS', undefined, 512],
    ['RFC 6891 §6.2.3: a smaller size is 512', { size: 100 }, 512],
    ['the size asked for', { size: 700 }, 700],
    ['1232 octets at most', { size: 65_535 }, 1232],
  ])('%s', async (_title, edns, limit) => {
    for (const name of ['www', 'middle', 'big', 'huge']) {
      const answer = await world.send(
        packetOf(`${name}.example.test ${name === 'huge' ? 'TXT' : 'A'}`, { edns }),
      );
      expect(answer.length).toBeLessThanOrEqual(limit);
      const { flag_tc, answers = [] } = decode(answer);
      // RFC 2181 §9: all of the set, or nothing and TC.
      const whole = { www: 1, middle: 40, big: 100, huge: 40 }[name];
      expect([answers.length, flag_tc]).toEqual(flag_tc ? [0, true] : [whole, false]);
    }
  });

  test('40 addresses need EDNS, 100 need TCP, where they are all there', async () => {
    expect((await world.query('middle.example.test A')).flag_tc).toBe(true);
    const middle = await world.query('middle.example.test A', { edns: { size: 1232 } });
    expect([middle.flag_tc, middle.answers?.length]).toEqual([false, 40]);
    expect((await world.query('big.example.test A', { edns: { size: 1232 } })).flag_tc).toBe(true);
    const big = await world.query('big.example.test A', { tcp: true });
    expect([big.flag_tc, big.answers?.length]).toEqual([false, 100]);
  });

  test('RFC 2181 §9: addresses that do not fit beside an MX record are left out without TC', async () => {
    const short = await world.query('mail.example.test MX');
    expect([short.flag_tc, short.answers?.length, short.additionals]).toEqual([false, 1, []]);
    const long = await world.query('mail.example.test MX', { edns: { size: 1232 } });
    expect([long.flag_tc, long.answers?.length, long.additionals?.length]).toEqual([false, 1, 41]);
  });

  test('RFC 9471 §3.1: a referral whose glue does not fit is truncated', async () => {
    const short = await world.query('www.sub.example.test A', { edns: { size: 1232 } });
    expect([short.flag_tc, short.authorities]).toEqual([true, []]);
    const long = await world.query('www.sub.example.test A', { tcp: true });
    expect([long.flag_aa, long.authorities?.length, long.additionals?.length]).toEqual([false, 1, 100]);
  });

  test('RFC 1035 §4.1.4: names are compressed', async () => {
    const packet = packetOf('big.example.test A');
    const [answer] = await sendTcp(world.port, framed(packet));
    expect(answer?.length).toBe(packet.length + 100 * 16);
  });

  test('a set that no message can hold is truncated by UDP and SERVFAIL by TCP', async () => {
    expect(flagsOf(await world.send(packetOf('huge.example.test TXT'))) & (TC | RA)).toBe(TC);
    const [answer = Buffer.alloc(HEADER)] = await sendTcp(
      world.port,
      framed(packetOf('huge.example.test TXT')),
    );
    expect(rcodeOf(answer)).toBe(SERVFAIL);
  });
});
