import { type Edns, readEdns } from './edns.ts';
import { type Name, ROOT } from './names.ts';
import { CLASS_IN, HEADER_BYTES, TYPE } from './protocol.ts';

export interface Query {
  /** Whether it has no question, and asks for a cookie alone (RFC 7873 §5.4): its name, type and class mean nothing. */
  isEmpty: boolean;
  name: Name;
  type: number;
  class: number;
  /** Where the question ends in the packet. */
  end: number;
  edns: Edns | undefined;
  /** Where its TSIG record begins (RFC 8945), the last of all; undefined where it is not signed. */
  signatureAt: number | undefined;
}

type Behind = Pick<Query, 'edns' | 'signatureAt'>;

const MAX_NAME = 255;
const MAX_LABEL = 63;
const POINTER = 0xc0;
/** Type, class, TTL and length of a record. */
const RECORD_BYTES = 10;
const QUESTION_BYTES = 4;
const UPPER_A = 65;
const UPPER_Z = 90;
const TO_LOWER = 32;

/** Only one is read at a time. */
const lowered = Buffer.alloc(MAX_NAME);

/** The name at `HEADER_BYTES`, in lower case; undefined where it is none. Nothing precedes it to point to. */
function readName(packet: Buffer): Name | undefined {
  let at = HEADER_BYTES;
  for (let length = packet[at]; length !== 0; length = packet[at]) {
    if (length === undefined || length > MAX_LABEL) return undefined;
    const end = at + 1 + length;
    // The root's octet follows the last label.
    if (end - HEADER_BYTES >= MAX_NAME || end >= packet.length) return undefined;
    lowered[at - HEADER_BYTES] = length;
    for (at += 1; at < end; at += 1) {
      const octet = packet[at] ?? 0;
      lowered[at - HEADER_BYTES] = octet >= UPPER_A && octet <= UPPER_Z ? octet + TO_LOWER : octet;
    }
  }
  lowered[at - HEADER_BYTES] = 0;
  return lowered.toString('latin1', 0, at - HEADER_BYTES + 1);
}

/** Where the name at `at` ends; undefined where it does not. Pointers are not followed: the name is not needed. */
function skipName(packet: Buffer, begin: number): number | undefined {
  for (let at = begin; ; ) {
    const length = packet[at];
    if (length === undefined) return undefined;
    if (length === 0) return at + 1;
    if (length >= POINTER) return at + 2;
    if (length > MAX_LABEL) return undefined;
    at += length + 1;
  }
}

/** Reads the records behind the question for OPT and TSIG; false where they do not end where the packet does. */
function readRecords(packet: Buffer, begin: number, count: number): Behind | false {
  let at = begin;
  let edns: Edns | undefined;
  let signatureAt: number | undefined;
  for (let left = count; left > 0; left -= 1) {
    const fixed = skipName(packet, at);
    if (fixed === undefined || fixed + RECORD_BYTES > packet.length) return false;
    const data = fixed + RECORD_BYTES;
    const end = data + packet.readUInt16BE(fixed + 8);
    if (end > packet.length) return false;
    const type = packet.readUInt16BE(fixed);
    if (type === TYPE.TSIG) {
      // RFC 8945 §5.1: the last record of the additional section.
      if (left > 1 || packet.readUInt16BE(10) === 0) return false;
      signatureAt = at;
    } else if (type === TYPE.OPT) {
      // A message has one OPT record at most, under the root (RFC 6891 §6.1).
      if (edns || fixed !== at + 1) return false;
      edns = readEdns(packet, fixed, data, end);
      if (!edns) return false;
    }
    at = end;
  }
  return at === packet.length && { edns, signatureAt };
}

/** Of all sections behind the question. */
function countRecords(packet: Buffer): number {
  return packet.readUInt16BE(6) + packet.readUInt16BE(8) + packet.readUInt16BE(10);
}

function readEmptyQuery(packet: Buffer): Query | undefined {
  const records = readRecords(packet, HEADER_BYTES, countRecords(packet));
  if (!records) return undefined;
  if (!records.edns?.cookie) return undefined;
  return { isEmpty: true, name: ROOT, type: 0, class: CLASS_IN, end: HEADER_BYTES, ...records };
}

/** The question of a packet of opcode QUERY, whose header is there and the rest anything; undefined where malformed. */
export function readQuery(packet: Buffer): Query | undefined {
  const questions = packet.readUInt16BE(4);
  if (questions === 0) return readEmptyQuery(packet);
  // More than one were never defined (RFC 9619).
  if (questions > 1) return undefined;
  const name = readName(packet);
  if (name === undefined) return undefined;
  const end = HEADER_BYTES + name.length + QUESTION_BYTES;
  const records = readRecords(packet, end, countRecords(packet));
  if (!records) return undefined;
  return {
    isEmpty: false,
    name,
    type: packet.readUInt16BE(end - QUESTION_BYTES),
    class: packet.readUInt16BE(end - 2),
    end,
    ...records,
  };
}
