import { createSocket } from 'node:dgram';
import { decode } from 'dns-packet';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ZONES } from './dns-cases.ts';
import { createDnsWorld, type DnsWorld, framed, packetOf, sendTcp } from './dns-world.ts';
import { randomFrom } from './dns-zones.ts';

const PACKETS = 30_000;
/** So few wait at once that none is lost on the way. */
const BATCH = 50;
const PATIENCE = 10_000;
const MAX_UDP = 1232;

const NAMES = ['www', 'alias', 'any.wild', 'sub', 'into', 'long', '@', 'nowhere', 'c', 'loop1'];
const TYPES = ['A', 'AAAA', 'MX', 'TXT', 'NS', 'SOA', 'CNAME', 'ANY', 'DS', 'AXFR'];

/** NSID, COOKIE, TCP keepalive, and one that nobody knows. */
const OPTIONS = [3, 10, 11, 65_001];
/** The root's name and the type. */
const OPT_HEAD = Buffer.from([0, 0, 41]);
const OPT_BYTES = 11;
const HEADER_BYTES = 12;

const seed = Number(process.env.TEST_SEED ?? Date.now() % 2 ** 31);
let world: DnsWorld;

beforeAll(async () => {
  world = await createDnsWorld();
  for (const [domain, records] of Object.entries(ZONES)) {
    await world.served(domain, await world.putZone(domain, records));
  }
});
afterAll(() => world.close());

/** Adds an option to the OPT record, which is the last. */
function withOption(packet: Buffer, code: number, data: Buffer): Buffer {
  const head = Buffer.from([code >> 8, code & 255, data.length >> 8, data.length & 255]);
  const opt = packet.indexOf(OPT_HEAD, HEADER_BYTES);
  const longer = Buffer.concat([packet, head, data]);
  longer.writeUInt16BE(longer.length - opt - OPT_BYTES, opt + OPT_BYTES - 2);
  return longer;
}

/** A question with some of its octets changed, cut, doubled or added to. */
function mutant(random: () => number): Buffer {
  const upTo = (limit: number) => Math.floor(random() * limit);
  const name = NAMES[upTo(NAMES.length)];
  const domain = name === '@' ? 'example.test' : `${name}.example.test`;
  const edns = random() < 0.5 ? { size: upTo(65_536), flags: upTo(65_536) } : undefined;
  let packet = packetOf(`${domain} ${TYPES[upTo(TYPES.length)]}`, { edns });
  for (let left = edns ? upTo(3) : 0; left > 0; left -= 1) {
    const data = Buffer.alloc(upTo(5) * 8, upTo(256));
    packet = withOption(packet, OPTIONS[upTo(OPTIONS.length)] ?? 0, data);
  }
  for (let left = upTo(4); left > 0 && packet.length > 0; left -= 1) {
    const at = upTo(packet.length);
    const kind = random();
    if (kind < 0.5) packet[at] = upTo(256);
    else if (kind < 0.7) packet[at] = (packet[at] ?? 0) ^ (1 << upTo(8));
    else if (kind < 0.8) packet = packet.subarray(0, at);
    else if (kind < 0.9) packet = Buffer.concat([packet, packet.subarray(at)]);
    else packet = Buffer.concat([packet.subarray(0, at), Buffer.from([upTo(256)]), packet.subarray(at)]);
  }
  return packet;
}

/** Sends batches, each followed by a question whose answer tells that the batch was read; gives every answer on. */
async function flood(packets: Iterable<Buffer>, onAnswer: (answer: Buffer) => void): Promise<number> {
  const socket = createSocket('udp4');
  const sentinel = packetOf('www.example.test A');
  let seen = () => {};
  socket.on('message', (answer) => {
    if (answer.readUInt16BE() === sentinel.readUInt16BE()) seen();
    else onAnswer(answer);
  });
  let batches = 0;
  const endBatch = () =>
    new Promise<void>((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error(`no answer any more (TEST_SEED=${seed})`)), PATIENCE);
      seen = () => {
        clearTimeout(timer);
        resolve();
      };
      socket.send(sentinel, world.port, '127.0.0.1');
    });
  let sent = 0;
  for (const packet of packets) {
    // The sentinel alone has its id.
    if (packet.length >= 2 && packet.readUInt16BE() === sentinel.readUInt16BE()) continue;
    socket.send(packet, world.port, '127.0.0.1');
    sent += 1;
    if (sent % BATCH === 0) {
      await endBatch();
      batches += 1;
    }
  }
  await endBatch();
  socket.close();
  return batches;
}

test(`${PACKETS} mutated packets (TEST_SEED=${seed}) are answered in form or not at all, and nothing goes wrong`, async () => {
  const random = randomFrom(seed);
  const packets = Array.from({ length: PACKETS }, () => mutant(random));
  let answers = 0;
  await flood(packets, (answer) => {
    answers += 1;
    expect(answer.length).toBeLessThanOrEqual(MAX_UDP);
    expect(decode(answer)).toMatchObject({ flag_qr: true, flag_ra: false });
  });
  expect(answers).toBeGreaterThan(PACKETS / 2);
  const { nameServer } = world.deps.domains.dns;
  expect(nameServer.unavailable()).toBeNull();
  // What goes wrong in the server itself is answered with SERVFAIL.
  expect(nameServer.answered().filter(({ rcode }) => rcode === 'SERVFAIL')).toEqual([]);
  expect(new Set(nameServer.answered().map(({ rcode }) => rcode))).toEqual(
    new Set(['NOERROR', 'NXDOMAIN', 'FORMERR', 'NOTIMP', 'REFUSED', 'BADVERS']),
  );
});

test('mutated packets by TCP do not keep others from being answered', async () => {
  const random = randomFrom(seed + 1);
  for (let round = 0; round < 200; round += 1) {
    const packets = Array.from({ length: 10 }, () => framed(mutant(random)));
    // What is no question ends the connection, so that the answers are as many as they are.
    await sendTcp(
      world.port,
      Buffer.concat([...packets, framed(Buffer.alloc(2))]),
      Number.POSITIVE_INFINITY,
    ).catch((error: NodeJS.ErrnoException) => expect(error.code).toMatch(/ECONNRESET|EPIPE/));
  }
  expect((await world.query('www.example.test A', { tcp: true })).answers?.length).toBe(2);
  expect(world.deps.domains.dns.nameServer.answered().filter(({ rcode }) => rcode === 'SERVFAIL')).toEqual(
    [],
  );
});
