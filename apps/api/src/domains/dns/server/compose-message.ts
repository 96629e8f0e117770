import type { PreparedAnswer } from './prepare-answer.ts';
import { FLAG, HEADER_BYTES, MAX_UDP, OPT_BYTES, TYPE } from './protocol.ts';
import type { Query } from './query.ts';

const OPCODE = 0x7800;
const RCODE_BITS = 4;
const DNSSEC_OK = 0x80;

interface Opt {
  rcode: number;
  dnssecOk: boolean;
  options: Buffer;
}

const NO_BODY = { length: 0, additionals: 0 };

/** What of a question's second word goes into the answer's: the operation, and of QUERY RD and CD. */
function keptFlags(packet: Buffer): number {
  const flags = packet.readUInt16BE(2);
  return (flags & OPCODE) === 0 ? flags & (FLAG.RD | FLAG.CD) : flags & OPCODE;
}

/** An answer that is only a header, for what could not be read; `packet` has at least a header. */
export function composeHeader(packet: Buffer, rcode: number): Buffer {
  const message = Buffer.alloc(HEADER_BYTES);
  packet.copy(message, 0, 0, 2);
  message.writeUInt16BE(FLAG.QR | keptFlags(packet) | rcode, 2);
  return message;
}

/** The answer's OPT record: our version is 0, and the upper bits of the code are here. */
function writeOpt(message: Buffer, at: number, { rcode, dnssecOk, options }: Opt): void {
  message.fill(0, at, at + OPT_BYTES);
  message.writeUInt16BE(TYPE.OPT, at + 1);
  message.writeUInt16BE(MAX_UDP, at + 3);
  message[at + 5] = rcode >> RCODE_BITS;
  if (dnssecOk) message[at + 7] = DNSSEC_OK;
  message.writeUInt16BE(options.length, at + OPT_BYTES - 2);
  options.copy(message, at + OPT_BYTES);
}

/**
 * The message that answers `query`, the question copied as it was spelled, in at most `limit` octets: additional
 * sets are left out as need be, and where that is not enough, everything, with TC set. `options` are those of its OPT
 * record, which it has where the question had one.
 */
export function composeAnswer(
  packet: Buffer,
  query: Query,
  prepared: PreparedAnswer,
  { limit, options }: { limit: number; options: Buffer },
): Buffer {
  const { end, edns } = query;
  const opt = edns ? OPT_BYTES + options.length : 0;
  const available = limit - end - opt;
  const whole = prepared.ends.find(({ length }) => length <= available);
  const { length, additionals } = whole ?? NO_BODY;
  const message = Buffer.allocUnsafe(end + length + opt);
  packet.copy(message, 0, 0, end);
  const flags = prepared.flags | (whole ? 0 : FLAG.TC) | (prepared.rcode & 0xf);
  message.writeUInt16BE(FLAG.QR | keptFlags(packet) | flags, 2);
  message.writeUInt16BE(whole ? prepared.answers : 0, 6);
  message.writeUInt16BE(whole ? prepared.authorities : 0, 8);
  message.writeUInt16BE(additionals + (edns ? 1 : 0), 10);
  prepared.body.copy(message, end, 0, length);
  if (edns) writeOpt(message, end + length, { rcode: prepared.rcode, dnssecOk: edns.dnssecOk, options });
  return message;
}
