import { composeAnswer, composeHeader } from '../compose-message.ts';
import type { PreparedAnswer } from '../prepare-answer.ts';
import { CLASS_IN, MAX_MESSAGE, RCODE, TYPE } from '../protocol.ts';
import type { Query } from '../query.ts';
import type { Asker, Transport } from '../responder.ts';
import type { Zone } from '../zone.ts';
import type { ZoneSet } from '../zone-set.ts';
import { type Asked, transferMessages, wholeZone, zoneSince } from './transfer-messages.ts';
import type { TransferSource, TransferSources } from './transfer-sources.ts';
import { createSigner, judge, readTsig, refuse, withoutTsig } from './tsig.ts';
import { readSerial, serialOf, soaOfZone } from './zone-soa.ts';

/** Answers to questions that are signed (RFC 8945), and transfers of zones, which nobody gets without a signature. */
export interface SignedAnswers {
  /**
   * The answer to a question whose TSIG record begins at `signatureAt`; `plain` answers what is in it. More messages
   * than one go to the asker's `sendMore`.
   */
  answer(
    packet: Buffer,
    question: { query: Query; signatureAt: number },
    asker: Asker,
    plain: (message: Buffer, asker: Asker) => Buffer | undefined,
  ): Buffer | undefined;
}

export interface SignedAnswersDeps {
  zones: ZoneSet;
  sources: Pick<TransferSources, 'find' | 'history'>;
  onAnswer: (transport: Transport, rcode: number) => void;
}

const SECOND = 1000;
/** Seconds since 1970. */
const clock = () => Math.floor(Date.now() / SECOND);
const NOTHING = Buffer.alloc(0);
const NOT_AUTHENTIC: PreparedAnswer = {
  ...{ rcode: RCODE.NOTAUTH, flags: 0, answers: 0, authorities: 0, body: NOTHING },
  ends: [{ length: 0, additionals: 0 }],
};
/** Octets of a compressed name, and of what stands between a name and the data of its record. */
const POINTER_BYTES = 2;
const FIXED_BYTES = 10;
const POINTER = 0xc0;

/** Where a socket for both families took the connection by IPv4, it says so in front of the address. */
function canonical(address: string): string {
  return address.replace(/^::ffff:(?=\d+\.)/, '');
}

/**
 * The zone that a question asks to copy. The address alone would not do, since many share one and UDP forges it; the
 * key alone would make a leaked one good from everywhere. What is not allowed is refused as any transfer is, so that a
 * refusal tells nobody which zones there are.
 */
function zoneToCopy(
  zones: ZoneSet,
  { apex, addresses }: TransferSource,
  query: Query,
  asker: Asker,
): Zone | undefined {
  const isTransfer = query.type === TYPE.IXFR || (query.type === TYPE.AXFR && asker.transport === 'tcp');
  const isPlain = query.class === CLASS_IN && (query.edns?.version ?? 0) === 0;
  if (!isTransfer || !isPlain || query.name !== apex || !addresses.has(canonical(asker.address))) {
    return undefined;
  }
  const zone = zones.authorityOf(apex);
  return zone?.apex === apex ? zone : undefined;
}

/** The serial that the asker has (RFC 1995 §3): of the one SOA record in the authority section. */
function serialHeld(message: Buffer, { end }: Query): number | undefined {
  if (message.readUInt16BE(6) !== 0 || message.readUInt16BE(8) !== 1) return undefined;
  let at = end;
  for (let length = message[at]; length; length = message[at]) {
    if (length >= POINTER) {
      at += POINTER_BYTES - 1;
      break;
    }
    at += length + 1;
  }
  const fixed = at + 1;
  const data = fixed + FIXED_BYTES;
  if (message.readUInt16BE(fixed) !== TYPE.SOA) return undefined;
  const dataEnd = data + message.readUInt16BE(data - 2);
  return dataEnd - data < 22 ? undefined : readSerial(message.subarray(data, dataEnd));
}

/** RFC 1982 §3.2. */
function isOlder(serial: number, than: number): boolean {
  return ((serial - than) | 0) < 0;
}

export function createSignedAnswers({ zones, sources, onAnswer }: SignedAnswersDeps): SignedAnswers {
  /** The messages of a transfer; undefined where the question is malformed. */
  function transfer(asked: Asked, zone: Zone, { transport }: Asker): Iterator<Buffer> | undefined {
    if (asked.query.type === TYPE.AXFR) return transferMessages(asked, wholeZone(zones, zone));
    const serial = serialHeld(asked.packet, asked.query);
    if (serial === undefined) return undefined;
    const alone = [soaOfZone(zone)];
    // RFC 1995 §2: who has the present version, or cannot be sent more than a message, is told which one it is.
    if (transport === 'udp' || !isOlder(serial, serialOf(zone))) return transferMessages(asked, alone);
    return transferMessages(asked, zoneSince(zones, zone, sources.history.since(zone, serial)));
  }

  return {
    answer(packet, { query, signatureAt }, asker, plain) {
      const tsig = readTsig(packet, signatureAt);
      const malformed = () => {
        onAnswer(asker.transport, RCODE.FORMERR);
        return composeHeader(packet, RCODE.FORMERR);
      };
      if (!tsig) return malformed();
      const now = clock();
      const message = withoutTsig(packet, signatureAt);
      const source = sources.find(tsig.keyName);
      const fault = judge(message, tsig, source?.key, now);
      if (fault === 'malformed') return malformed();
      if (fault || !source) {
        onAnswer(asker.transport, RCODE.NOTAUTH);
        const limits = { limit: MAX_MESSAGE, options: NOTHING };
        const refusal = composeAnswer(message, query, NOT_AUTHENTIC, limits);
        return refuse(refusal, tsig, fault ?? 'BADKEY', { key: source?.key, now });
      }
      const { size, sign } = createSigner(source.key, tsig.mac, clock);
      const zone = zoneToCopy(zones, source, query, asker);
      if (!zone) {
        const answer = plain(message, { ...asker, reserved: size });
        return answer && sign(answer);
      }
      const messages = transfer({ packet: message, query, sign }, zone, asker);
      const first = messages?.next().value;
      if (!messages || !first) return sign(malformed());
      onAnswer(asker.transport, RCODE.NOERROR);
      asker.sendMore?.(messages);
      return first;
    },
  };
}
