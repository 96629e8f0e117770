import { createAnswerCache } from './answer-cache.ts';
import { composeAnswer, composeHeader } from './compose-message.ts';
import { CLIENT_COOKIE_BYTES, type Cookies, type SeenCookie } from './cookies.ts';
import { writeOptions } from './edns.ts';
import { createMessageWriter } from './message-writer.ts';
import { type PreparedAnswer, prepareAnswer } from './prepare-answer.ts';
import {
  CLASS_IN,
  EXTENDED_ERROR,
  FLAG,
  HEADER_BYTES,
  MAX_MESSAGE,
  PLAIN_UDP,
  RCODE,
  TYPE,
} from './protocol.ts';
import { type Query, readQuery } from './query.ts';
import { resolve } from './resolve.ts';
import { signAnswer } from './signing/sign-answer.ts';
import type { SignedAnswers } from './transfer/signed-answers.ts';
import type { ZoneSet } from './zone-set.ts';

export type Transport = 'udp' | 'tcp';

/** Who asks. */
export interface Asker {
  transport: Transport;
  /** IP address, which by UDP may be forged. */
  address: string;
  /**
   * Counts an answer to it; whether it is one too many. Then it is hardly longer than the question, and whoever asked
   * comes again by TCP. Not asked of those whose cookie shows that their address is theirs.
   */
  isOverLimit?(): boolean;
  /** Octets that are kept free behind an answer by UDP. */
  reserved?: number;
  /** Takes the messages that follow the first one of an answer. Only by TCP. */
  sendMore?(messages: Iterator<Buffer>): void;
}

export interface Responder {
  /** The answer to a packet, whatever is in it; undefined where there is nobody to answer. Never throws. */
  respond(packet: Buffer, asker: Asker): Buffer | undefined;
}

export interface ResponderDeps {
  zones: ZoneSet;
  cookies: Cookies;
  /** What answers questions that are signed. */
  signed: SignedAnswers;
  /** Tells this server from others of the same names (RFC 5001). */
  serverId: Buffer;
  /** Milliseconds that a connection may be idle. */
  idleTime: number;
  /** Told of the code of each answer. */
  onAnswer: (transport: Transport, rcode: number) => void;
  onError: (error: unknown) => void;
}

const OPCODE_SHIFT = 11;
const OPCODE_MASK = 0xf;

function plainAnswer(rcode: number, extendedError?: number): PreparedAnswer {
  const ends = [{ length: 0, additionals: 0 }];
  return { rcode, flags: 0, answers: 0, authorities: 0, body: Buffer.alloc(0), ends, extendedError };
}

const NOT_OURS = plainAnswer(RCODE.REFUSED, EXTENDED_ERROR.NOT_AUTHORITATIVE);
const OTHER_CLASS = plainAnswer(RCODE.REFUSED, EXTENDED_ERROR.NOT_SUPPORTED);
const NO_TRANSFER = plainAnswer(RCODE.REFUSED, EXTENDED_ERROR.PROHIBITED);
const NOT_IMPLEMENTED = plainAnswer(RCODE.NOTIMP, EXTENDED_ERROR.NOT_SUPPORTED);
const MALFORMED = plainAnswer(RCODE.FORMERR);
const BAD_VERSION = plainAnswer(RCODE.BADVERS);
const FAILED = plainAnswer(RCODE.SERVFAIL);
const COOKIE_ALONE = plainAnswer(RCODE.NOERROR);
const BAD_COOKIE = plainAnswer(RCODE.BADCOOKIE);

/** The answer to a question that no zone answers, by its version, its class, or a type that is no data (RFC 6895 §3.1). */
function refusalOf({ type, class: questionClass, edns }: Query): PreparedAnswer | undefined {
  if (edns && edns.version > 0) return BAD_VERSION;
  if (questionClass !== CLASS_IN) return OTHER_CLASS;
  switch (type) {
    case TYPE.AXFR:
    case TYPE.IXFR:
      return NO_TRANSFER;
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

/** RFC 7873 §5.4: whether a server's part that came was ours. */
function cookieAnswer({ edns }: Query, seen: SeenCookie | undefined): PreparedAnswer {
  const isFirst = edns?.cookie?.length === CLIENT_COOKIE_BYTES;
  return isFirst || seen?.isKnown ? COOKIE_ALONE : BAD_COOKIE;
}

const NO_OPTIONS = Buffer.alloc(0);

/** Types that only a signed zone has: whoever asks for them is answered as who asks for signatures. */
const ABOUT_SIGNATURES: ReadonlySet<number> = new Set([TYPE.NSEC, TYPE.RRSIG]);

/** The whole of an answer to a question that was read. */
function compose(
  { serverId, idleTime }: ResponderDeps,
  packet: Buffer,
  { query, seen }: { query: Query; seen: SeenCookie | undefined },
  prepared: PreparedAnswer,
  asker: Asker,
): Buffer {
  const { edns } = query;
  const byTcp = asker.transport === 'tcp';
  const isShort = seen?.isKnown !== true && asker.isOverLimit?.() === true;
  const options = edns
    ? writeOptions({
        cookie: seen?.cookie,
        serverId: edns.asksForServer && !isShort ? serverId : undefined,
        idleTime: edns.asksForIdleTime && byTcp ? idleTime : undefined,
        extendedError: isShort ? undefined : prepared.extendedError,
      })
    : NO_OPTIONS;
  const limit = (byTcp ? MAX_MESSAGE : (edns?.size ?? PLAIN_UDP)) - (asker.reserved ?? 0);
  return composeAnswer(packet, query, prepared, { limit: isShort ? 0 : limit, options });
}

/** Answers packets from the zones, with the octets of frequent answers kept. */
export function createResponder(deps: ResponderDeps): Responder {
  const { zones, onAnswer, onError } = deps;
  const cache = createAnswerCache(zones);
  const writer = createMessageWriter();

  function prepare({ name, type, end, edns }: Query): PreparedAnswer {
    const question = { name, type, dnssecOk: edns?.dnssecOk === true };
    const kept = cache.get(question);
    if (kept) return kept;
    const plain = resolve(zones, name, type);
    if (!plain.zone) return NOT_OURS;
    const answer = question.dnssecOk || ABOUT_SIGNATURES.has(type) ? signAnswer(zones, plain, type) : plain;
    const prepared = prepareAnswer(writer, answer, { name, end });
    cache.put(question, answer, prepared);
    return prepared;
  }

  function answer(packet: Buffer, asker: Asker): Buffer | undefined {
    const { transport } = asker;
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
    const { signatureAt } = query;
    if (signatureAt !== undefined) return deps.signed.answer(packet, { query, signatureAt }, asker, answer);
    const cookie = query.edns?.cookie;
    const seen = cookie && deps.cookies.look(cookie, asker.address);
    let prepared = query.isEmpty ? cookieAnswer(query, seen) : (refusalOf(query) ?? prepare(query));
    // What no message can hold cannot be had by TCP either.
    if (transport === 'tcp' && prepared.ends.length === 0) prepared = FAILED;
    onAnswer(transport, prepared.rcode);
    return compose(deps, packet, { query, seen }, prepared, asker);
  }

  return {
    respond(packet, asker) {
      try {
        return answer(packet, asker);
      } catch (error) {
        onError(error);
        onAnswer(asker.transport, RCODE.SERVFAIL);
        return composeHeader(packet, RCODE.SERVFAIL);
      }
    },
  };
}
