import { createHmac, timingSafeEqual } from 'node:crypto';
import { type Name, nameOf } from '../names.ts';
import { CLASS_ANY, TSIG_ERROR, TYPE } from '../protocol.ts';

/** A secret that two servers have in common. */
export interface TsigKey {
  name: Name;
  secret: Buffer;
}

/** What the TSIG record of a message says, RFC 8945 §4.2. */
export interface Tsig {
  keyName: Name;
  algorithm: Name;
  /** Seconds since 1970. */
  time: number;
  /** Seconds by which clocks may differ. */
  fudge: number;
  mac: Buffer;
  originalId: number;
  error: number;
  /** Says something in answers alone. */
  other: Buffer;
}

/** The one algorithm that RFC 8945 §6 asks everybody to have, and that is not broken. */
const ALGORITHM = nameOf('hmac-sha256');
/** Seconds by which clocks may differ, whatever a question says. */
const FUDGE = 300;

const DIGEST = 'sha256';
const MAC_BYTES = 32;
/** RFC 8945 §5.2.2.1: a shorter one is malformed. */
const MIN_MAC = 16;
/** Type, class, TTL and length. */
const FIXED_BYTES = 10;
/** Time, fudge and length of the MAC. */
const TIMERS_BYTES = 8;
/** Original id, error and length of other data, behind the MAC. */
const END_BYTES = 6;
const TIME_BYTES = 6;
const MAX_LABEL = 63;
const COUNT_OFFSET = 10;

function u16(value: number): Buffer {
  const octets = Buffer.allocUnsafe(2);
  octets.writeUInt16BE(value);
  return octets;
}

function u48(value: number): Buffer {
  const octets = Buffer.allocUnsafe(TIME_BYTES);
  octets.writeUIntBE(value, 0, TIME_BYTES);
  return octets;
}

function octetsOf(name: Name): Buffer {
  return Buffer.from(name, 'latin1');
}

/** A name that nothing compresses; undefined where it is none, or a pointer. */
function readName(packet: Buffer, begin: number): { name: Name; end: number } | undefined {
  for (let at = begin; ; ) {
    const length = packet[at];
    if (length === undefined || length > MAX_LABEL) return undefined;
    at += length + 1;
    if (length > 0) continue;
    const name = packet.toString('latin1', begin, at).replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase());
    return { name, end: at };
  }
}

/** The record at `begin`, which is known to end where the packet does; undefined where it is malformed. */
export function readTsig(packet: Buffer, begin: number): Tsig | undefined {
  const key = readName(packet, begin);
  if (!key || packet.readUInt16BE(key.end + 2) !== CLASS_ANY || packet.readUInt32BE(key.end + 4) !== 0) {
    return undefined;
  }
  const algorithm = readName(packet, key.end + FIXED_BYTES);
  if (!algorithm) return undefined;
  const mac = algorithm.end + TIMERS_BYTES + 2;
  if (mac > packet.length) return undefined;
  const macEnd = mac + packet.readUInt16BE(mac - 2);
  const other = macEnd + END_BYTES;
  if (other > packet.length || other + packet.readUInt16BE(other - 2) !== packet.length) return undefined;
  return {
    keyName: key.name,
    algorithm: algorithm.name,
    time: packet.readUIntBE(algorithm.end, TIME_BYTES),
    fudge: packet.readUInt16BE(algorithm.end + TIME_BYTES),
    mac: packet.subarray(mac, macEnd),
    originalId: packet.readUInt16BE(macEnd),
    error: packet.readUInt16BE(macEnd + 2),
    other: packet.subarray(other),
  };
}

/** The message without the TSIG record that begins at `at`. */
export function withoutTsig(packet: Buffer, at: number): Buffer {
  const message = Buffer.from(packet.subarray(0, at));
  message.writeUInt16BE(packet.readUInt16BE(COUNT_OFFSET) - 1, COUNT_OFFSET);
  return message;
}

type Variables = Omit<Tsig, 'mac' | 'originalId'>;

/** RFC 8945 §4.3.3. */
function digestVariables({ keyName, algorithm, time, fudge, error, other }: Variables): Buffer {
  return Buffer.concat([
    ...[octetsOf(keyName), u16(CLASS_ANY), Buffer.alloc(4), octetsOf(algorithm)],
    ...[u48(time), u16(fudge), u16(error), u16(other.length), other],
  ]);
}

function hmac(secret: Buffer, ...parts: Buffer[]): Buffer {
  const digest = createHmac(DIGEST, secret);
  for (const part of parts) digest.update(part);
  return digest.digest();
}

function withLength(mac: Buffer): Buffer {
  return Buffer.concat([u16(mac.length), mac]);
}

const NOTHING = Buffer.alloc(0);

/** The message with a TSIG record at its end. */
function append(message: Buffer, mac: Buffer, variables: Variables): Buffer {
  const { keyName, algorithm, time, fudge, error, other } = variables;
  const data = Buffer.concat([
    ...[octetsOf(algorithm), u48(time), u16(fudge), withLength(mac)],
    ...[message.subarray(0, 2), u16(error), u16(other.length), other],
  ]);
  const record = Buffer.concat([
    ...[octetsOf(keyName), u16(TYPE.TSIG), u16(CLASS_ANY), Buffer.alloc(4), u16(data.length), data],
  ]);
  const whole = Buffer.concat([message, record]);
  whole.writeUInt16BE(message.readUInt16BE(COUNT_OFFSET) + 1, COUNT_OFFSET);
  return whole;
}

/** What is wrong with a signature, or nothing: `FORMERR`, or an error of TSIG. */
export type Fault = 'malformed' | 'BADKEY' | 'BADSIG' | 'BADTIME' | 'BADTRUNC' | undefined;

/**
 * Judges a question's signature in the order of RFC 8945 §5.2: key, MAC, time. `message` is the question without it,
 * `now` in seconds since 1970.
 */
export function judge(message: Buffer, tsig: Tsig, key: TsigKey | undefined, now: number): Fault {
  if (!key || tsig.algorithm !== ALGORITHM) return 'BADKEY';
  const { mac, originalId } = tsig;
  if (mac.length < MIN_MAC || mac.length > MAC_BYTES) return 'malformed';
  const signed = Buffer.from(message);
  signed.writeUInt16BE(originalId);
  const expected = hmac(key.secret, signed, digestVariables(tsig));
  if (!timingSafeEqual(expected.subarray(0, mac.length), mac)) return 'BADSIG';
  // A longer time would let whoever overheard a question repeat it.
  if (Math.abs(now - tsig.time) > Math.min(tsig.fudge, FUDGE)) return 'BADTIME';
  return mac.length < MAC_BYTES ? 'BADTRUNC' : undefined;
}

/** The refusal of a question whose signature is at fault, signed where RFC 8945 §5.3.2 has it so. */
export function refuse(
  answer: Buffer,
  tsig: Tsig,
  fault: 'BADKEY' | 'BADSIG' | 'BADTIME' | 'BADTRUNC',
  { key, now }: { key: TsigKey | undefined; now: number },
): Buffer {
  const { keyName, algorithm } = tsig;
  const isLate = fault === 'BADTIME';
  const variables: Variables = {
    ...{ keyName, algorithm, fudge: FUDGE, error: TSIG_ERROR[fault] },
    // Whoever has a wrong clock can only check what is signed with its own time; it is told ours.
    ...{ time: isLate ? tsig.time : now, other: isLate ? u48(now) : NOTHING },
  };
  const isSigned = key && (isLate || fault === 'BADTRUNC');
  const mac = isSigned ? hmac(key.secret, withLength(tsig.mac), answer, digestVariables(variables)) : NOTHING;
  return append(answer, mac, variables);
}

/** Signs the answers to one question, each message after the other. */
export interface Signer {
  /** Octets that each grows by. */
  size: number;
  sign(message: Buffer): Buffer;
}

/**
 * For the question whose MAC is `before` (RFC 8945 §5.3, and §5.3.1 for those that follow the first). Each message has
 * its own time, by `clock` in seconds since 1970: one who copies a large zone slowly would refuse the first one's.
 */
export function createSigner(
  { name: keyName, secret }: TsigKey,
  before: Buffer,
  clock: () => number,
): Signer {
  let last = before;
  let isFirst = true;
  return {
    size: keyName.length + FIXED_BYTES + ALGORITHM.length + TIMERS_BYTES + 2 + MAC_BYTES + END_BYTES,
    sign(message) {
      const time = clock();
      const variables = { keyName, algorithm: ALGORITHM, time, fudge: FUDGE, error: 0, other: NOTHING };
      const rest = isFirst ? digestVariables(variables) : Buffer.concat([u48(time), u16(FUDGE)]);
      last = hmac(secret, withLength(last), message, rest);
      isFirst = false;
      return append(message, last, variables);
    },
  };
}

/** A message of ours that asks somebody, signed. */
export function signQuestion(message: Buffer, { name: keyName, secret }: TsigKey, now: number): Buffer {
  const variables = { keyName, algorithm: ALGORITHM, time: now, fudge: FUDGE, error: 0, other: NOTHING };
  return append(message, hmac(secret, message, digestVariables(variables)), variables);
}
