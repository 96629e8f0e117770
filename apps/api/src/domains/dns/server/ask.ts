import { randomInt } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { connect, isIPv6 } from 'node:net';
import { decode, encode } from 'dns-packet';
import { answerLine } from './answer-line.ts';
import type { AskedType, ServedAnswer } from './name-server.ts';
import { nameOf } from './names.ts';
import { FLAG, HEADER_BYTES, MAX_UDP, rcodeName, TYPE } from './protocol.ts';

/** Where a name server answers. */
export interface ServerAddress {
  /** IP address. */
  host: string;
  port: number;
}

const TIMEOUT = 2000;
const LENGTH_BYTES = 2;
const RCODE_MASK = 0xf;

function questionFor(name: string, type: AskedType, flags = 0): Buffer {
  const opt = { name: '.', extendedRcode: 0, ednsVersion: 0, flags: 0, flag_do: false, options: [] };
  const question = encode({
    type: 'query',
    id: randomInt(2 ** 16),
    flags,
    questions: [{ name, type: 'A' }],
    additionals: [{ type: 'OPT', udpPayloadSize: MAX_UDP, ...opt }],
  });
  // The library does not know all of our types.
  question.writeUInt16BE(TYPE[type], HEADER_BYTES + nameOf(name).length);
  return question;
}

function framed(message: Buffer): Buffer {
  const length = Buffer.alloc(LENGTH_BYTES);
  length.writeUInt16BE(message.length);
  return Buffer.concat([length, message]);
}

/** From where a question is asked, and what ends the waiting before its time. */
export interface AskingByUdp {
  /** One of this machine's own IP addresses; absent: whichever leads there. */
  from?: string | undefined;
  signal?: AbortSignal | undefined;
}

/** The answer to a message with the same id; rejects where none comes within 2 seconds. */
export async function askByUdp(
  { host, port }: ServerAddress,
  question: Buffer,
  { from, signal: ending }: AskingByUdp = {},
): Promise<Buffer> {
  const socket = createSocket(isIPv6(host) ? 'udp6' : 'udp4');
  try {
    const timeout = AbortSignal.timeout(TIMEOUT);
    const signal = ending ? AbortSignal.any([timeout, ending]) : timeout;
    if (from !== undefined) {
      socket.bind(0, from);
      await once(socket, 'listening', { signal });
    }
    socket.connect(port, host);
    await once(socket, 'connect', { signal });
    socket.send(question);
    for (;;) {
      const [message]: Buffer[] = await once(socket, 'message', { signal });
      if (message && message.length >= 4 && message.readUInt16BE() === question.readUInt16BE())
        return message;
    }
  } finally {
    socket.close();
  }
}

async function askByTcp({ host, port }: ServerAddress, question: Buffer): Promise<Buffer> {
  const socket = connect({ host, port });
  socket.setTimeout(TIMEOUT, () => socket.destroy(new Error('No answer.')));
  try {
    socket.write(framed(question));
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

/** The answer section; of a referral, where that is empty, what it refers to. */
function linesOf(message: Buffer): string[] {
  const { answers = [], authorities = [], additionals = [], flag_aa: isAuthoritative } = decode(message);
  const referred = [...authorities, ...additionals].filter(({ type }) => type !== 'OPT');
  return (isAuthoritative ? answers : referred).map(answerLine);
}

/** The answer section, whoever gave it. */
function answersOf(message: Buffer): string[] {
  return (decode(message).answers ?? []).map(answerLine);
}

async function exchange(
  server: ServerAddress,
  question: Buffer,
  read: (message: Buffer) => string[],
): Promise<ServedAnswer> {
  const begun = performance.now();
  try {
    let message = await askByUdp(server, question);
    if (message.readUInt16BE(2) & FLAG.TC) message = await askByTcp(server, question);
    const milliseconds = performance.now() - begun;
    return {
      responseCode: rcodeName(message.readUInt16BE(2) & RCODE_MASK),
      answers: read(message),
      milliseconds,
    };
  } catch {
    return { responseCode: 'TIMEOUT', answers: [], milliseconds: performance.now() - begun };
  }
}

/** Asks by UDP, and by TCP where the answer is truncated; `TIMEOUT` where none comes within 2 seconds. */
export function ask(server: ServerAddress, name: string, type: AskedType): Promise<ServedAnswer> {
  return exchange(server, questionFor(name, type), linesOf);
}

/** As `ask`, of a resolver, which is to answer with what it gets even where signatures do not hold. */
export function askRecursively(server: ServerAddress, name: string, type: AskedType): Promise<ServedAnswer> {
  return exchange(server, questionFor(name, type, FLAG.RD | FLAG.CD), answersOf);
}
