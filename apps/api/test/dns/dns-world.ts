import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { connect } from 'node:net';
import type { RecordType } from '@nephos/contracts';
import {
  type Answer,
  type DecodedPacket,
  decode,
  encode,
  type RecordType as LibraryType,
  type Packet,
} from 'dns-packet';
import { sql } from 'kysely';
import { freePort } from '../../../../tools/server-process.mjs';
import { createWorld, type World, type WorldOptions } from '../world.ts';

/** `www 300 A 192.0.2.1`: name, TTL, type, and the rest is the value. */
export type RecordText = string;

export interface DnsWorld extends World {
  port: number;
  /** Writes a zone with these records, in one transaction, as the service does; its serial. */
  putZone(domain: string, records: readonly RecordText[]): Promise<number>;
  removeZone(domain: string): Promise<void>;
  /** Resolves once the name server says that `domain` has this serial, undefined: that it has no such zone. */
  served(domain: string, serial: number | undefined): Promise<void>;
  /** The answer to a packet by UDP. */
  send(packet: Buffer): Promise<Buffer>;
  query(question: QuestionText, options?: QueryOptions): Promise<DecodedPacket>;
}

/** `www.example.test A`. */
export type QuestionText = string;

export interface QueryOptions {
  flags?: number;
  edns?: { size: number; version?: number; flags?: number };
  tcp?: boolean;
}

export const NAME_SERVERS = ['ns1.nephos.test', 'ns2.nephos.test'];
const PATIENCE = 5000;

let lastId = 0;

export function packetOf(question: QuestionText, { flags = 0, edns }: QueryOptions = {}): Buffer {
  const [name = '.', type = 'A'] = question.split(' ');
  lastId = (lastId + 1) % 65_536;
  const packet: Packet = {
    type: 'query',
    id: lastId,
    flags,
    // The library knows more types than it names, `TYPE65` style included.
    questions: [{ name, type: type as LibraryType }],
  };
  if (edns) {
    const { size, version = 0, flags: ednsFlags = 0 } = edns;
    const opt = { extendedRcode: 0, ednsVersion: version, flags: ednsFlags, flag_do: false, options: [] };
    packet.additionals = [{ type: 'OPT', name: '.', udpPayloadSize: size, ...opt }];
  }
  return encode(packet);
}

function parseRecord(text: RecordText) {
  const [name = '', ttl = '', recordType = '', ...value] = text.split(' ');
  return { name, ttl: Number(ttl), recordType: recordType as RecordType, value: value.join(' ') };
}

/** The answer by UDP to a packet, told by its id. */
export async function sendUdp(port: number, packet: Buffer, timeout = PATIENCE): Promise<Buffer> {
  const socket = createSocket('udp4');
  try {
    socket.send(packet, port, '127.0.0.1');
    const [answer] = (await once(socket, 'message', { signal: AbortSignal.timeout(timeout) })) as [Buffer];
    return answer;
  } finally {
    socket.close();
  }
}

export function framed(packet: Buffer): Buffer {
  const length = Buffer.alloc(2);
  length.writeUInt16BE(packet.length);
  return Buffer.concat([length, packet]);
}

/** The answers by one TCP connection to what is written, until there are `count` or it is closed. */
export async function sendTcp(port: number, octets: Buffer, count = 1): Promise<Buffer[]> {
  const socket = connect(port, '127.0.0.1');
  socket.setTimeout(PATIENCE, () => socket.destroy(new Error('no answer by TCP')));
  try {
    socket.write(octets);
    const answers: Buffer[] = [];
    let received = Buffer.alloc(0);
    for await (const chunk of socket) {
      received = Buffer.concat([received, chunk]);
      while (received.length >= 2 && received.length >= 2 + received.readUInt16BE()) {
        const end = 2 + received.readUInt16BE();
        answers.push(received.subarray(2, end));
        received = received.subarray(end);
      }
      if (answers.length >= count) break;
    }
    return answers;
  } finally {
    socket.destroy();
  }
}

export function rcodeOf(message: Buffer): number {
  return message.readUInt16BE(2) & 0xf;
}

/** `www.example.test 300 A 192.0.2.1`, TXT strings in JSON. */
export function recordText(record: Answer): string {
  if (record.type === 'OPT') return 'OPT';
  const head = `${record.name} ${record.ttl} ${record.type}`;
  switch (record.type) {
    case 'MX':
      return `${head} ${record.data.preference} ${record.data.exchange}`;
    case 'SRV': {
      const { priority, weight, port, target } = record.data;
      return `${head} ${priority} ${weight} ${port} ${target}`;
    }
    case 'DS': {
      const { keyTag, algorithm, digestType, digest } = record.data;
      return `${head} ${keyTag} ${algorithm} ${digestType} ${digest.toString('hex')}`;
    }
    case 'SOA':
      return `${head} ${record.data.mname} ${record.data.rname} ${record.data.serial} ${record.data.minimum}`;
    case 'HINFO':
      return `${head} ${record.data.cpu}`;
    case 'TXT':
      return `${head} ${(record.data as Buffer[]).map((string) => JSON.stringify(string.toString())).join(' ')}`;
    default:
      return `${head} ${record.data}`;
  }
}

/** A world whose name server runs on a port of its own. */
export async function createDnsWorld(options: WorldOptions = {}): Promise<DnsWorld> {
  const port = await freePort();
  const world = await createWorld({
    ...options,
    settings: { dnsPort: port, dnsNameservers: NAME_SERVERS, ...options.settings },
  });
  const { db } = world.deps;
  await world.deps.domains.dns.nameServer.start();

  async function ownerId(): Promise<string> {
    const known = await db.selectFrom('users').select('id').limit(1).executeTakeFirst();
    return known?.id ?? (await world.as('Ada')).user.id;
  }

  async function query(question: QuestionText, queryOptions: QueryOptions = {}): Promise<DecodedPacket> {
    const packet = packetOf(question, queryOptions);
    if (!queryOptions.tcp) return decode(await sendUdp(port, packet));
    const [answer] = await sendTcp(port, framed(packet));
    if (!answer) throw new Error('closed without an answer');
    return decode(answer);
  }

  return {
    ...world,
    port,
    query,
    send: (packet) => sendUdp(port, packet),
    async putZone(domain, records) {
      const owner = await ownerId();
      return db.transaction().execute(async (trx) => {
        const zone = await trx
          .insertInto('dnsZones')
          .values({ ownerId: owner, domain, serial: 1, verifiedAt: new Date().toISOString() })
          .onConflict((conflict) =>
            conflict.column('domain').doUpdateSet({ serial: sql`dns_zones.serial + 1` }),
          )
          .returning(['id', 'serial'])
          .executeTakeFirstOrThrow();
        await trx.deleteFrom('dnsRecords').where('zoneId', '=', zone.id).execute();
        const rows = records.map((text) => ({ ownerId: owner, zoneId: zone.id, ...parseRecord(text) }));
        if (rows.length > 0) await trx.insertInto('dnsRecords').values(rows).execute();
        return zone.serial;
      });
    },
    async removeZone(domain) {
      await db.deleteFrom('dnsZones').where('domain', '=', domain).execute();
    },
    async served(domain, serial) {
      for (const deadline = Date.now() + PATIENCE; ; ) {
        const [soa] = (await query(`${domain} SOA`)).answers ?? [];
        if ((soa?.type === 'SOA' ? soa.data.serial : undefined) === serial) return;
        if (Date.now() > deadline) throw new Error(`${domain} is not served with serial ${serial}`);
      }
    },
  };
}
