import { type DecodedPacket, decode } from 'dns-packet';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createAnswerLimit } from '../../src/domains/dns/server/answer-limit.ts';
import { TCP_LIMITS } from '../../src/domains/dns/server/tcp.ts';
import { buildZone } from '../../src/domains/dns/server/zone.ts';
import { createZoneSet } from '../../src/domains/dns/server/zone-set.ts';
import { responderFor } from './dns-responder.ts';
import { createDnsWorld, type DnsWorld, framed, sendTcp } from './dns-world.ts';

const ZONE = 'example.test';
const CLIENT = '0102030405060708';
const [NSID, SUBNET, EXPIRE, COOKIE, KEEPALIVE, EXTENDED_ERROR] = [3, 8, 9, 10, 11, 15];
const [NOERROR, FORMERR, NOTIMP, REFUSED, BADVERS, BADCOOKIE] = [0, 1, 4, 5, 16, 23];
const HEADER = 12;
const QUERY_FLAGS = { tc: 0x0200, rd: 0x0100, ra: 0x0080, z: 0x0040, ad: 0x0020, cd: 0x0010, aa: 0x0400 };
const [SOA, DNSKEY, AXFR, MAILA] = [6, 48, 252, 254];

let world: DnsWorld;

beforeAll(async () => {
  world = await createDnsWorld();
  await world.served(ZONE, await world.putZone(ZONE, ['www 300 A 192.0.2.10']));
});
afterAll(() => world.close());

interface Question {
  name?: string;
  type?: number;
  questionClass?: number;
  flags?: (keyof typeof QUERY_FLAGS)[];
  opcode?: number;
  edns?: {
    size?: number;
    version?: number;
    flags?: number;
    options?: readonly (readonly [number, string])[];
  };
  tcp?: boolean;
}

const word = (value: number) => Buffer.from([value >> 8, value & 255]);

/** A packet of which the question was taken out. */
function withoutQuestion(packet: Buffer): Buffer {
  const end = packet.indexOf(0, HEADER) + 5;
  return Buffer.concat([packet.subarray(0, 4), word(0), packet.subarray(6, HEADER), packet.subarray(end)]);
}

function packetOf(question: Question): Buffer {
  const { name = ZONE, type = SOA, questionClass = 1, flags = [], opcode = 0, edns } = question;
  const bits = flags.reduce((sum, flag) => sum | QUERY_FLAGS[flag], opcode << 11);
  // Other operations come as a header alone.
  if (opcode > 0) return Buffer.concat([word(7), word(bits), Buffer.alloc(8)]);
  const labels = name.split('.').map((label) => Buffer.from([label.length, ...Buffer.from(label)]));
  const asked = Buffer.concat([...labels, Buffer.from([0]), word(type), word(questionClass)]);
  const head = [word(7), word(bits), word(1), word(0), word(0), word(edns ? 1 : 0)];
  if (!edns) return Buffer.concat([...head, asked]);
  const options = (edns.options ?? []).map(([code, hex]) =>
    Buffer.concat([word(code), word(hex.length / 2), Buffer.from(hex, 'hex')]),
  );
  const data = Buffer.concat(options);
  const opt = [Buffer.from([0]), word(41), word(edns.size ?? 4096)];
  const ttl = [Buffer.from([0, edns.version ?? 0]), word(edns.flags ?? 0)];
  return Buffer.concat([...head, asked, ...opt, ...ttl, word(data.length), data]);
}

interface Answered {
  message: Buffer;
  packet: DecodedPacket;
  /** With the upper bits of EDNS. */
  rcode: number;
  opt: { version: number; flags: number; options: Map<number, string> } | undefined;
}

function read(message: Buffer): Answered {
  const packet = decode(message);
  const record = packet.additionals?.find(({ type }) => type === 'OPT');
  const low = message.readUInt16BE(2) & 15;
  if (record?.type !== 'OPT') return { message, packet, rcode: low, opt: undefined };
  const options = new Map(
    record.options.map(({ code, data }) => [code, (data ?? Buffer.alloc(0)).toString('hex')]),
  );
  const rcode = low | (record.extendedRcode << 4);
  return { message, packet, rcode, opt: { version: record.ednsVersion, flags: record.flags, options } };
}

async function ask(question: Question): Promise<Answered> {
  const packet = packetOf(question);
  if (!question.tcp) return read(await world.send(packet));
  const [answer = Buffer.alloc(HEADER)] = await sendTcp(world.port, framed(packet));
  return read(answer);
}

/** What ISC's `genreport` (of ednscomp.isc.org) has against an answer, by its own words. */
function tagsOf(question: Question, { message, packet, rcode, opt }: Answered): string[] {
  const { flags = [], opcode = 0, type = SOA, edns } = question;
  const version = edns?.version ?? 0;
  const bits = message.readUInt16BE(2);
  const has = (flag: keyof typeof QUERY_FLAGS) => (bits & QUERY_FLAGS[flag]) !== 0;
  const isSoa = packet.answers?.some((record) => record.type === 'SOA') ?? false;
  const kept = (flag: 'rd' | 'cd') => (opcode === 0 && flags.includes(flag) ? has(flag) : !has(flag));
  const expected = opcode > 0 ? NOTIMP : version > 0 ? BADVERS : NOERROR;
  const rules: Record<string, boolean> = {
    opcode: ((bits >> 11) & 15) === opcode,
    rcode: rcode === expected,
    sections: opcode === 0 || message.length === HEADER,
    opt: (opt !== undefined) === (edns !== undefined),
    'version-not-zero': (opt?.version ?? 0) === 0,
    soa: isSoa === (type === SOA && version === 0 && opcode === 0),
    echoed: !opt?.options.has(100),
    do: edns === undefined || ((opt?.flags ?? 0) & 0x8000) === ((edns.flags ?? 0) & 0x8000),
    mbz: ((opt?.flags ?? 0) & 0x7fff) === 0,
    aa: has('aa') === (expected === NOERROR),
    ...{ ra: !has('ra'), z: !has('z'), ad: !has('ad'), rd: kept('rd'), cd: kept('cd') },
    tc: !has('tc'),
    toobig: message.length <= (edns?.size ?? 512) || question.tcp === true,
    malformed: (packet.questions?.length ?? 0) === (opcode === 0 ? 1 : 0),
  };
  return Object.entries(rules).flatMap(([tag, holds]) => (holds ? [] : [tag]));
}

const DO = 0x8000;
const IN_LIST = [
  [NSID, ''],
  [SUBNET, '00010000'],
  [EXPIRE, ''],
  [COOKIE, CLIENT],
] as const;

const CHECKS: Record<string, Question> = {
  dns: {},
  aa: { flags: ['aa'] },
  ad: { flags: ['ad'] },
  cd: { flags: ['cd'] },
  ra: { flags: ['ra'] },
  rd: { flags: ['rd'] },
  tc: { flags: ['tc'] },
  zflag: { flags: ['z'] },
  opcode: { opcode: 15 },
  opcodeflg: { opcode: 15, flags: ['tc', 'rd', 'ra', 'cd', 'ad', 'aa', 'z'] },
  type666: { type: 666 },
  tcp: { tcp: true },
  edns: { edns: {} },
  edns1: { edns: { version: 1 } },
  'edns@512': { type: DNSKEY, edns: { size: 512, flags: DO } },
  ednsopt: { edns: { options: [[100, '']] } },
  edns1opt: { edns: { version: 1, options: [[100, '']] } },
  do: { edns: { flags: DO } },
  docd: { flags: ['cd'], edns: { flags: DO } },
  edns1do: { edns: { version: 1, flags: DO } },
  ednsflags: { edns: { flags: 0x80 } },
  optlist: { edns: { options: IN_LIST } },
  ednsnsid: { edns: { options: [[NSID, '']] } },
  ednscookie: { edns: { options: [[COOKIE, CLIENT]] } },
  ednsexpire: { edns: { options: [[EXPIRE, '']] } },
  ednssubnet: { edns: { options: [[SUBNET, '00010000']] } },
  edns1nsid: { edns: { version: 1, options: [[NSID, '']] } },
  edns1cookie: { edns: { version: 1, options: [[COOKIE, CLIENT]] } },
  edns1expire: { edns: { version: 1, options: [[EXPIRE, '']] } },
  edns1subnet: { edns: { version: 1, options: [[SUBNET, '00010000']] } },
  ednstcp: { type: DNSKEY, tcp: true, edns: { size: 512, flags: DO } },
  bind11: { edns: { flags: DO, options: [[COOKIE, CLIENT]] } },
  dig11: { flags: ['rd', 'ad'], edns: { options: [[COOKIE, CLIENT]] } },
};

test.each(Object.entries(CHECKS))('ednscomp has nothing against the answer to %s', async (_name, check) => {
  expect(tagsOf(check, await ask(check))).toEqual([]);
});

test('ednscomp has nothing against the answers to any type', async () => {
  const types = [
    1,
    2,
    3,
    4,
    5,
    ...Array.from({ length: 55 }, (_, i) => 7 + i),
    99,
    104,
    105,
    106,
    107,
    108,
    109,
  ];
  for (const type of [...types, 256, 257, 258, 259, 32_768, 32_769, 1000]) {
    // OPT is no type of data.
    if (type !== 41) expect([type, tagsOf({ type }, await ask({ type }))]).toEqual([type, []]);
  }
});

test('checkers of zones have nothing against the timers of the SOA', async () => {
  const [soa] = (await ask({})).packet.answers ?? [];
  if (soa?.type !== 'SOA') throw new Error('no SOA');
  const { refresh = 0, retry = 0, expire = 0 } = soa.data;
  // RIPE-203 and zonemaster's tests of zones.
  expect([refresh >= 14_400, retry >= 3600, retry < refresh, expire >= 604_800]).toEqual(Array(4).fill(true));
});

describe('RFC 7873: cookies', () => {
  const asking = (cookie: string) => ({ edns: { options: [[COOKIE, cookie]] as const } });

  test('an asker gets its own back with ours, and that again while it is young, by UDP and TCP', async () => {
    const first = (await ask(asking(CLIENT))).opt?.options.get(COOKIE) ?? '';
    expect(first).toMatch(new RegExp(`^${CLIENT}01000000[0-9a-f]{24}$`));
    for (const tcp of [false, true]) {
      const again = await ask({ ...asking(first), tcp });
      expect([again.rcode, again.opt?.options.get(COOKIE)]).toEqual([NOERROR, first]);
    }
  });

  test('one that is not ours is answered with one that is', async () => {
    const answer = await ask(asking(`${CLIENT}${'ab'.repeat(16)}`));
    expect([answer.rcode, answer.packet.answers?.length]).toEqual([NOERROR, 1]);
    expect(answer.opt?.options.get(COOKIE)).toMatch(new RegExp(`^${CLIENT}01000000`));
  });

  test('without a question, a cookie is given or confirmed, and one that is not ours is told to be bad', async () => {
    const confirm = async (cookie: string) => {
      const { rcode, packet, opt } = read(await world.send(withoutQuestion(packetOf(asking(cookie)))));
      expect([packet.questions, packet.answers]).toEqual([[], []]);
      return [rcode, opt?.options.get(COOKIE)];
    };
    const [rcode, given] = await confirm(CLIENT);
    expect([rcode, given]).toEqual([NOERROR, expect.stringMatching(new RegExp(`^${CLIENT}01000000`))]);
    expect(await confirm(String(given))).toEqual([NOERROR, given]);
    const bad = await confirm(`${CLIENT}${'ab'.repeat(16)}`);
    expect(bad).toEqual([BADCOOKIE, expect.stringMatching(new RegExp(`^${CLIENT}01000000`))]);
    for (const packet of [packetOf({ edns: {} }), packetOf({})]) {
      expect(read(await world.send(withoutQuestion(packet))).rcode).toBe(FORMERR);
    }
  });

  test('lengths that no cookie has are malformed, and of two the first is read', async () => {
    for (const length of [0, 7, 9, 15, 41]) {
      expect((await ask(asking('00'.repeat(length)))).rcode).toBe(FORMERR);
    }
    for (const length of [8, 16, 40]) expect((await ask(asking('00'.repeat(length)))).rcode).toBe(NOERROR);
    const two = [
      [COOKIE, CLIENT],
      [COOKIE, 'ff'],
    ] as const;
    expect((await ask({ edns: { options: two } })).opt?.options.get(COOKIE)?.slice(0, 16)).toBe(CLIENT);
  });

  test('whoever shows one is answered in full beyond the limit of its network; others come by TCP', () => {
    const zones = createZoneSet();
    zones.put(buildZone({ domain: ZONE, serial: 1, records: [] }, ['ns1.nephos.test']));
    const responder = responderFor(zones);
    const limit = createAnswerLimit(1);
    const from = (address: string, cookie: string) => {
      const asker = { transport: 'udp', address, isOverLimit: () => limit.isOver(address, 1) } as const;
      return read(responder.respond(packetOf({ ...asking(cookie) }), asker) ?? Buffer.alloc(HEADER));
    };
    const given = from('192.0.2.1', CLIENT).opt?.options.get(COOKIE) ?? '';
    for (let asked = 1; asked < 1000; asked += 1) from('192.0.2.2', CLIENT);
    const short = from('192.0.2.1', CLIENT);
    expect([short.packet.flag_tc, short.packet.answers]).toEqual([true, []]);
    // Still told, so that the next question can show it.
    expect(short.opt?.options.get(COOKIE)?.slice(0, 16)).toBe(CLIENT);
    expect(from('192.0.2.1', given).packet).toMatchObject({ flag_tc: false, answers: [{ type: 'SOA' }] });
    // Somebody else's is not believed.
    expect(from('192.0.2.3', given).packet.flag_tc).toBe(true);
  });
});

describe('options that are asked for', () => {
  test('RFC 5001: NSID tells which server answers, the same each time, and only when asked', async () => {
    const asked = { edns: { options: [[NSID, '']] as const } };
    const id = (await ask(asked)).opt?.options.get(NSID) ?? '';
    expect(Buffer.from(id, 'hex').toString()).toMatch(/^[0-9a-f]{8}$/);
    expect((await ask({ ...asked, tcp: true })).opt?.options.get(NSID)).toBe(id);
    expect((await ask({ edns: {} })).opt?.options.size).toBe(0);
  });

  test('RFC 7828: by TCP an asker is told how long its connection may be idle; by UDP it is not', async () => {
    const asked = { edns: { options: [[KEEPALIVE, '']] as const } };
    const told = (await ask({ ...asked, tcp: true })).opt?.options.get(KEEPALIVE) ?? '';
    expect(Number.parseInt(told, 16) * 100).toBe(TCP_LIMITS.idle);
    expect((await ask(asked)).opt?.options.size).toBe(0);
    expect((await ask({ edns: {}, tcp: true })).opt?.options.size).toBe(0);
  });
});

describe('RFC 8914: a refusal says why', () => {
  test.each<[string, Question, number, number | undefined]>([
    ['a name of nobody here', { name: 'elsewhere.invalid' }, REFUSED, 20],
    ['another class', { questionClass: 3 }, REFUSED, 21],
    ['a transfer', { type: AXFR }, REFUSED, 18],
    ['a type of the first years', { type: MAILA }, NOTIMP, 21],
    ['a name that is here', {}, NOERROR, undefined],
  ])('%s', async (_what, question, rcode, code) => {
    const answer = await ask({ ...question, edns: {} });
    const told = answer.opt?.options.get(EXTENDED_ERROR);
    expect([answer.rcode, told]).toEqual([rcode, code?.toString(16).padStart(4, '0')]);
    expect((await ask(question)).opt).toBeUndefined();
  });
});
