import type { RecordType } from '@nephos/contracts';
import { type Answer, encode } from 'dns-packet';
import { type Name, nameOf } from './names.ts';
import { HEADER_BYTES, MAX_MESSAGE, TYPE } from './protocol.ts';

/** All records of one name and type, which only ever travel together (RFC 2181 §5). */
export interface RecordSet {
  type: number;
  /** Type, class, TTL, length and data of each record, in wire form; its names are not yet compressed. */
  records: readonly Buffer[];
  /** Hosts that its data name, and whose addresses are worth adding. */
  targets: readonly Name[];
}

/** A set under the name that it answers for, which of a wildcard is the name asked. */
export interface OwnedSet {
  owner: Name;
  set: RecordSet;
}

export interface RecordData {
  type: RecordType;
  /** Canonical text; of TXT the plain text. */
  value: string;
  /** Seconds. */
  ttl: number;
}

export interface SoaData {
  /** Host names without final dots. */
  mname: string;
  rname: string;
  serial: number;
  refresh: number;
  retry: number;
  expire: number;
  minimum: number;
}

/** Octets of one string of a TXT record, RFC 1035 §3.3.14. */
const TXT_STRING = 255;
/** RFC 8482 §4.2 leaves it to us; long enough to spare us the next question. */
const HINFO_TTL = 3600;

/** The owner under which records are encoded: the root, whose name is a single octet. */
const ROOT_OWNER = { name: '.' };

/** Holds any record while it is encoded. */
const scratch = Buffer.alloc(2 * MAX_MESSAGE);

/**
 * Encoded by the library under `ROOT_OWNER`, which is then left out. The copy lies in memory that many share: one
 * buffer's own would be several times its octets.
 */
function encodeRecord(record: Answer): Buffer {
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

/** Preference and host of an MX record's value. */
export function mailExchange(value: string): { preference: number; exchange: string } {
  const [preference = '', exchange = ''] = value.split(' ');
  return { preference: Number(preference), exchange };
}

function encodeData({ type, value, ttl }: RecordData): Buffer {
  switch (type) {
    case 'TXT':
      return encodeRecord({ ...ROOT_OWNER, type, ttl, data: textStrings(value) });
    case 'MX':
      return encodeRecord({ ...ROOT_OWNER, type, ttl, data: mailExchange(value) });
    default:
      return encodeRecord({ ...ROOT_OWNER, type, ttl, data: value });
  }
}

function targetOf({ type, value }: RecordData): Name[] {
  if (type === 'MX') return [nameOf(mailExchange(value).exchange)];
  return type === 'NS' || type === 'CNAME' ? [nameOf(value)] : [];
}

/** Most sets name no host: these share one list. */
const NO_TARGETS: readonly Name[] = [];

/** Throws where a value is not what its type asks for. */
export function recordSetOf(type: RecordType, records: readonly RecordData[]): RecordSet {
  const targets = new Set(records.flatMap(targetOf));
  return {
    type: TYPE[type],
    records: records.map(encodeData),
    targets: targets.size > 0 ? [...targets] : NO_TARGETS,
  };
}

export function soaSetOf(data: SoaData, ttl: number): RecordSet {
  return {
    type: TYPE.SOA,
    records: [encodeRecord({ ...ROOT_OWNER, type: 'SOA', ttl, data })],
    targets: NO_TARGETS,
  };
}

/** What stands for all types of a name that is asked for ANY, RFC 8482 §4.2. */
export const ANY_SET: RecordSet = {
  type: TYPE.HINFO,
  records: [encodeRecord({ ...ROOT_OWNER, type: 'HINFO', ttl: HINFO_TTL, data: { cpu: 'RFC8482', os: '' } })],
  targets: NO_TARGETS,
};
