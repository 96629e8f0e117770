import { createHmac } from 'node:crypto';
import { type Answer, decode } from 'dns-packet';
import { packetOf, type QuestionText } from './dns-world.ts';

/** A key of TSIG; its secret in base64. */
export interface Key {
  name: string;
  secret: string;
}

export interface Signing {
  key: Key;
  /** Seconds that the clock is fast. */
  fast?: number;
  fudge?: number;
  algorithm?: string;
  /** Octets of the MAC that are sent. */
  length?: number;
  /** What is done to the packet once it is signed. */
  spoil?: (packet: Buffer) => void;
  /** The serial that one who asks for IXFR has. */
  serial?: number;
}

/** What the TSIG record of a message says. */
export interface Read {
  message: Buffer;
  time: number;
  mac: Buffer;
  error: number;
  other: Buffer;
}

const FIXED = Buffer.from([0, 250, 0, 255, 0, 0, 0, 0]);

function word(value: number): Buffer {
  return Buffer.from([value >> 8, value & 255]);
}

function seconds(value: number): Buffer {
  const octets = Buffer.alloc(6);
  octets.writeUIntBE(value, 0, 6);
  return octets;
}

export function wire(name: string): Buffer {
  const labels = name.split('.').map((label) => Buffer.from([label.length, ...Buffer.from(label)]));
  return Buffer.concat([...labels, Buffer.of(0)]);
}

function mac(secret: string, ...parts: Buffer[]): Buffer {
  return createHmac('sha256', Buffer.from(secret, 'base64')).update(Buffer.concat(parts)).digest();
}

function variables(name: string, algorithm: string, rest: Buffer[]): Buffer {
  return Buffer.concat([wire(name), word(255), Buffer.alloc(4), wire(algorithm), ...rest]);
}

/** An SOA record in the authority section, as RFC 1995 §3 has it. */
function withSerial(packet: Buffer, serial: number): Buffer {
  const data = Buffer.alloc(22);
  data.writeUInt32BE(serial, 2);
  const record = Buffer.concat([Buffer.from([0xc0, 12, 0, 6, 0, 1, 0, 0, 0, 0]), word(data.length), data]);
  const whole = Buffer.concat([packet, record]);
  whole.writeUInt16BE(1, 8);
  return whole;
}

/** A question signed as RFC 8945 §4.3 says, with its MAC. */
export function signed(question: QuestionText, signing: Signing): { packet: Buffer; mac: Buffer } {
  const { key, fast = 0, fudge = 300, algorithm = 'hmac-sha256', length = 32 } = signing;
  const asked = packetOf(question);
  const plain = signing.serial === undefined ? asked : withSerial(asked, signing.serial);
  const timers = [seconds(Math.floor(Date.now() / 1000) + fast), word(fudge)];
  const nothing = [word(0), word(0)];
  const whole = mac(key.secret, plain, variables(key.name, algorithm, [...timers, ...nothing]));
  const sent = whole.subarray(0, length);
  const data = Buffer.concat([
    ...[wire(algorithm), ...timers, word(sent.length), sent],
    ...[plain.subarray(0, 2), ...nothing],
  ]);
  const packet = Buffer.concat([plain, wire(key.name), FIXED, word(data.length), data]);
  packet.writeUInt16BE(plain.readUInt16BE(10) + 1, 10);
  signing.spoil?.(packet);
  return { packet, mac: sent };
}

/** Reads the TSIG record that ends a message; throws where there is none of that key. */
export function readSigned(message: Buffer, keyName: string): Read {
  const at = message.lastIndexOf(Buffer.concat([wire(keyName), FIXED]));
  if (at === -1) throw new Error('the answer has no TSIG record');
  const plain = Buffer.from(message.subarray(0, at));
  plain.writeUInt16BE(message.readUInt16BE(10) - 1, 10);
  const data = message.subarray(at + wire(keyName).length + FIXED.length + 2);
  const time = data.indexOf(0) + 1;
  const macAt = time + 10;
  const end = macAt + data.readUInt16BE(macAt - 2);
  return {
    message: plain,
    time: data.readUIntBE(time, 6),
    mac: data.subarray(macAt, end),
    error: data.readUInt16BE(end + 2),
    other: data.subarray(end + 6),
  };
}

/** Throws unless each message is signed after the one before it, the first after the question. */
export function assertSigned(messages: readonly Buffer[], key: Key, question: Buffer): void {
  let last = question;
  for (const [index, octets] of messages.entries()) {
    const { message, time, mac: found, error, other } = readSigned(octets, key.name);
    const timers = [seconds(time), word(300)];
    const rest = [word(error), word(other.length), other];
    const ends =
      index === 0 ? variables(key.name, 'hmac-sha256', [...timers, ...rest]) : Buffer.concat(timers);
    const expected = mac(key.secret, word(last.length), last, message, ends);
    if (!expected.equals(found)) throw new Error(`message ${index} of ${messages.length} is not signed`);
    last = found;
  }
}

/** The records of all messages. */
export function answersOf(messages: readonly Buffer[]): Answer[] {
  return messages.flatMap((message) => decode(message).answers ?? []);
}
