import { randomInt } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { connect, isIPv6 } from 'node:net';
import type { RecordType } from '@nephos/contracts';
import { type Answer, decode, encode, type Packet, streamEncode } from 'dns-packet';
import type { ServedAnswer } from './name-server.ts';
import { hostText, stringsText } from './presentation.ts';
import { FLAG, MAX_UDP, rcodeName } from './protocol.ts';

/** Where a name server answers. */
export interface ServerAddress {
  /** IP address. */
  host: string;
  port: number;
}

const TIMEOUT = 2000;
const LENGTH_BYTES = 2;
const RCODE_MASK = 0xf;

function questionFor(name: string, type: RecordType): Packet {
  const opt = { name: '.', extendedRcode: 0, ednsVersion: 0, flags: 0, flag_do: false, options: [] };
  return {
    type: 'query',
    id: randomInt(2 ** 16),
    questions: [{ name, type }],
    additionals: [{ type: 'OPT', udpPayloadSize: MAX_UDP, ...opt }],
  };
}

async function askByUdp({ host, port }: ServerAddress, question: Packet): Promise<Buffer> {
  const socket = createSocket(isIPv6(host) ? 'udp6' : 'udp4');
  try {
    const signal = AbortSignal.timeout(TIMEOUT);
    socket.connect(port, host);
    await once(socket, 'connect', { signal });
    socket.send(encode(question));
    for (;;) {
      const [message]: Buffer[] = await once(socket, 'message', { signal });
      if (message && message.length >= 4 && message.readUInt16BE() === question.id) return message;
    }
  } finally {
    socket.close();
  }
}

async function askByTcp({ host, port }: ServerAddress, question: Packet): Promise<Buffer> {
  const socket = connect({ host, port });
  socket.setTimeout(TIMEOUT, () => socket.destroy(new Error('No answer.')));
  try {
    socket.write(streamEncode(question));
    let received: Buffer = Buffer.alloc(0);
    for await (const chunk of socket) {
      received = Buffer.concat([received, chunk]);
      if (received.length < LENGTH_BYTES) continue;
      const end = LENGTH_BYTES + received.readUInt16BE();
      if (received.length >= end) return received.subarray(LENGTH_BYTES, end);
    }
    throw new Error('The connection ended before the answer.');
  } finally {
    socket.destroy();
  }
}

/** A record as `dig` prints it; of types that we never answer with, only the type. */
function answerLine(record: Answer): string {
  const ttl = 'ttl' in record ? record.ttl : 0;
  const begin = `${hostText(record.name)} ${ttl} IN ${record.type}`;
  switch (record.type) {
    case 'A':
    case 'AAAA':
      return `${begin} ${record.data}`;
    case 'CNAME':
    case 'NS':
      return `${begin} ${hostText(record.data)}`;
    case 'MX':
      return `${begin} ${record.data.preference ?? 0} ${hostText(record.data.exchange)}`;
    case 'TXT': {
      const strings = Array.isArray(record.data) ? record.data : [record.data];
      return `${begin} ${stringsText(strings.map((string) => Buffer.from(string)))}`;
    }
    default:
      return begin;
  }
}

/** The answer section; of a referral, where that is empty, what it refers to. */
function linesOf(message: Buffer): string[] {
  const { answers = [], authorities = [], additionals = [], flag_aa: isAuthoritative } = decode(message);
  const referred = [...authorities, ...additionals].filter(({ type }) => type !== 'OPT');
  return (isAuthoritative ? answers : referred).map(answerLine);
}

/** Asks by UDP, and by TCP where the answer is truncated; `TIMEOUT` where none comes within 2 seconds. */
export async function ask(server: ServerAddress, name: string, type: RecordType): Promise<ServedAnswer> {
  const question = questionFor(name, type);
  const begun = performance.now();
  try {
    let message = await askByUdp(server, question);
    if (message.readUInt16BE(2) & FLAG.TC) message = await askByTcp(server, question);
    const milliseconds = performance.now() - begun;
    return {
      responseCode: rcodeName(message.readUInt16BE(2) & RCODE_MASK),
      answers: linesOf(message),
      milliseconds,
    };
  } catch {
    return { responseCode: 'TIMEOUT', answers: [], milliseconds: performance.now() - begun };
  }
}
