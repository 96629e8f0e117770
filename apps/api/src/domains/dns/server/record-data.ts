import type { RecordType } from '@nephos/contracts';
import { type Answer, encode } from 'dns-packet';
import { HEADER_BYTES, MAX_MESSAGE, TYPE } from './protocol.ts';
import { encodeServiceBinding } from './service-binding.ts';

export interface RecordData {
  type: RecordType;
  /** Canonical text; of TXT the plain text. */
  value: string;
  /** Seconds. */
  ttl: number;
}

/** Octets of one string of a TXT record, RFC 1035 §3.3.14. */
const TXT_STRING = 255;
/** The owner under which records are encoded: the root, whose name is a single octet. */
export const ROOT_OWNER = { name: '.' };

/** Holds any record while it is encoded. */
const scratch = Buffer.alloc(2 * MAX_MESSAGE);

/**
 * Encoded by the library under `ROOT_OWNER`, which is then left out. The copy lies in memory that many share: one
 * buffer's own would be several times its octets.
 */
export function encodeRecord(record: Answer): Buffer {
  encode({ answers: [record] }, scratch);
  return Buffer.from(scratch.subarray(HEADER_BYTES + 1, encode.bytes));
}

/** The strings that a text is split into; an empty one is one empty string. */
export function textStrings(text: string): Buffer[] {
  const octets = Buffer.from(text);
  const strings: Buffer[] = [];
  for (let at = 0; at === 0 || at < octets.length; at += TXT_STRING) {
    strings.push(octets.subarray(at, at + TXT_STRING));
  }
  return strings;
}

/** Of a type that the library leaves as it is, or does not know. */
function encodeRaw(type: RecordType, ttl: number, data: Buffer): Buffer {
  const record = encodeRecord({ ...ROOT_OWNER, type: 'NULL', ttl, data });
  record.writeUInt16BE(TYPE[type]);
  return record;
}

const CAA = /^(\d+) (\S+) "(.*)"$/;

/** RFC 8659 §4.1; the library's types know three tags alone. */
function caaData(value: string): Buffer {
  const [, flags, tag = '', text = ''] = CAA.exec(value) ?? [];
  return Buffer.concat([Buffer.of(Number(flags), tag.length), Buffer.from(tag + text)]);
}

/** Type, class, TTL, length and data of a record in wire form. Throws where its value is not of its type. */
export function encodeData({ type, value, ttl }: RecordData): Buffer {
  const common = { ...ROOT_OWNER, ttl };
  const fields = value.split(' ');
  const number = (at: number) => Number(fields[at]);
  const digest = () => Buffer.from(fields.at(-1) ?? '', 'hex');
  switch (type) {
    case 'A':
    case 'AAAA':
    case 'CNAME':
    case 'NS':
    case 'PTR':
      return encodeRecord({ ...common, type, data: value });
    case 'TXT':
      return encodeRecord({ ...common, type, data: textStrings(value) });
    case 'MX':
      return encodeRecord({ ...common, type, data: { preference: number(0), exchange: fields[1] ?? '' } });
    case 'SRV': {
      const [priority, weight, port] = [number(0), number(1), number(2)];
      return encodeRecord({ ...common, type, data: { priority, weight, port, target: fields[3] ?? '' } });
    }
    case 'TLSA': {
      const [usage, selector, matchingType] = [number(0), number(1), number(2)];
      return encodeRecord({
        ...common,
        type,
        data: { usage, selector, matchingType, certificate: digest() },
      });
    }
    case 'SSHFP': {
      const [algorithm, hash] = [number(0), number(1)];
      return encodeRecord({ ...common, type, data: { algorithm, hash, fingerprint: fields[2] ?? '' } });
    }
    case 'DS': {
      const [keyTag, algorithm, digestType] = [number(0), number(1), number(2)];
      return encodeRecord({ ...common, type, data: { keyTag, algorithm, digestType, digest: digest() } });
    }
    case 'CAA':
      return encodeRaw(type, ttl, caaData(value));
    case 'HTTPS':
    case 'SVCB':
      return encodeRaw(type, ttl, encodeServiceBinding(value));
    case 'ALIAS':
      throw new TypeError('An alias that is ours alone has no wire form.');
  }
}
