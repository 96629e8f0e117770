import { createAnswerCache } from './answer-cache.ts';
import { composeAnswer, composeHeader } from './compose-message.ts';
import { createMessageWriter } from './message-writer.ts';
import { type PreparedAnswer, prepareAnswer } from './prepare-answer.ts';
import { CLASS_IN, FLAG, HEADER_BYTES, MAX_MESSAGE, PLAIN_UDP, RCODE, TYPE } from './protocol.ts';
import { type Query, readQuery } from './query.ts';
import { resolve } from './resolve.ts';
import type { ZoneSet } from './zone-set.ts';

export type Transport = 'udp' | 'tcp';

export interface Responder {
  /**
   * The answer to a packet, whatever is in it; undefined where there is nobody to answer. Never throws.
   * `isShort` asks for an answer that is no longer than the question: whoever asked comes again by TCP.
   */
  respond(packet: Buffer, transport: Transport, isShort?: boolean): Buffer | undefined;
}

export interface ResponderDeps {
  zones: ZoneSet;
  /** Told of the code of each answer. */
  onAnswer: (transport: Transport, rcode: number) => void;
  onError: (error: unknown) => void;
}

const OPCODE_SHIFT = 11;
const OPCODE_MASK = 0xf;

function plainAnswer(rcode: number): PreparedAnswer {
  const ends = [{ length: 0, additionals: 0 }];
  return { rcode, flags: 0, answers: 0, authorities: 0, body: Buffer.alloc(0), ends };
}

const REFUSED = plainAnswer(RCODE.REFUSED);
const NOT_IMPLEMENTED = plainAnswer(RCODE.NOTIMP);
const MALFORMED = plainAnswer(RCODE.FORMERR);
const BAD_VERSION = plainAnswer(RCODE.BADVERS);
const FAILED = plainAnswer(RCODE.SERVFAIL);

/** Questions that no zone answers. Of the types, those that are no data (RFC 6895 §3.1). */
function refusalOf({ type, class: questionClass, edns }: Query): PreparedAnswer | undefined {
  if (edns && edns.version > 0) return BAD_VERSION;
  if (questionClass !== CLASS_IN) return REFUSED;
  switch (type) {
    case TYPE.AXFR:
    case TYPE.IXFR:
      return REFUSED;
    case TYPE.MAILA:
    case TYPE.MAILB:
      return NOT_IMPLEMENTED;
    case TYPE.OPT:
    case TYPE.TKEY:
    case TYPE.TSIG:
      return MALFORMED;
    default:
      return undefined;
  }
}

/** Answers packets from the zones, with the octets of frequent answers kept. */
export function createResponder({ zones, onAnswer, onError }: ResponderDeps): Responder {
  const cache = createAnswerCache(zones);
  const writer = createMessageWriter();

  function prepare({ name, type, end }: Query): PreparedAnswer {
    const kept = cache.get(name, type);
    if (kept) return kept;
    const answer = resolve(zones, name, type);
    if (!answer.zone) return REFUSED;
    const prepared = prepareAnswer(writer, answer, { name, end });
    cache.put(name, type, answer, prepared);
    return prepared;
  }

  function answer(packet: Buffer, transport: Transport, isShort: boolean): Buffer | undefined {
    const header = packet.length >= HEADER_BYTES ? packet.readUInt16BE(2) : FLAG.QR;
    // Answers are never answered: two servers would go on for ever.
    if (header & FLAG.QR) return undefined;
    const isQuery = ((header >> OPCODE_SHIFT) & OPCODE_MASK) === 0;
    const query = isQuery ? readQuery(packet) : undefined;
    if (!query) {
      const rcode = isQuery ? RCODE.FORMERR : RCODE.NOTIMP;
      onAnswer(transport, rcode);
      return composeHeader(packet, rcode);
    }
    let prepared = refusalOf(query) ?? prepare(query);
    // What no message can hold cannot be had by TCP either.
    if (transport === 'tcp' && prepared.ends.length === 0) prepared = FAILED;
    onAnswer(transport, prepared.rcode);
    const limit = transport === 'tcp' ? MAX_MESSAGE : (query.edns?.size ?? PLAIN_UDP);
    return composeAnswer(packet, query, prepared, isShort ? 0 : limit);
  }

  return {
    respond(packet, transport, isShort = false) {
      try {
        return answer(packet, transport, isShort);
      } catch (error) {
        onError(error);
        onAnswer(transport, RCODE.SERVFAIL);
        return composeHeader(packet, RCODE.SERVFAIL);
      }
    },
  };
}
