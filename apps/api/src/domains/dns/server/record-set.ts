import { hostIn, type RecordType } from '@nephos/contracts';
import { type Name, nameOf } from './names.ts';
import { CLASS_IN, TYPE } from './protocol.ts';
import { encodeData, encodeRecord, type RecordData, ROOT_OWNER } from './record-data.ts';

/** All records of one name and type, which only ever travel together (RFC 2181 §5). */
export interface RecordSet {
  type: number;
  /** Seconds, of each of its records. */
  ttl: number;
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

/** RFC 8482 §4.2 leaves it to us; long enough to spare us the next question. */
const HINFO_TTL = 3600;

/** Most sets name no host: these share one list. */
const NO_TARGETS: readonly Name[] = [];

function targetOf({ type, value }: RecordData): Name[] {
  const host = hostIn(type, value);
  return host === undefined ? [] : [nameOf(host)];
}

/** Throws where a value is not what its type asks for. An alias that is ours alone has a target and no octets. */
export function recordSetOf(type: RecordType, records: readonly RecordData[]): RecordSet {
  const targets = new Set(records.flatMap(targetOf));
  // One TTL per set (RFC 2181 §5.2), which its signatures are of: challenges of certificates come with their own.
  const ttl = Math.min(...records.map((record) => record.ttl));
  return {
    type: TYPE[type],
    ttl,
    records: type === 'ALIAS' ? [] : records.map((record) => encodeData({ ...record, ttl })),
    targets: targets.size > 0 ? [...targets] : NO_TARGETS,
  };
}

export function soaSetOf(data: SoaData, ttl: number): RecordSet {
  return {
    type: TYPE.SOA,
    ttl,
    records: [encodeRecord({ ...ROOT_OWNER, type: 'SOA', ttl, data })],
    targets: NO_TARGETS,
  };
}

/** Where a record in wire form has its TTL and its length, and where its data begin. */
const TTL_OFFSET = 4;
const LENGTH_OFFSET = 8;
export const DATA_OFFSET = 10;

/** Records of any type, from their data in wire form. */
export function recordSetFrom(type: number, ttl: number, data: readonly Uint8Array[]): RecordSet {
  const records = data.map((octets) => {
    const record = Buffer.allocUnsafe(DATA_OFFSET + octets.length);
    record.writeUInt16BE(type);
    record.writeUInt16BE(CLASS_IN, 2);
    record.writeUInt32BE(ttl, TTL_OFFSET);
    record.writeUInt16BE(octets.length, LENGTH_OFFSET);
    record.set(octets, DATA_OFFSET);
    return record;
  });
  return { type, ttl, records, targets: NO_TARGETS };
}

/** The same records for `ttl` seconds. */
export function withTtl(set: RecordSet, ttl: number): RecordSet {
  if (set.ttl === ttl) return set;
  const records = set.records.map((record) => {
    const copy = Buffer.from(record);
    copy.writeUInt32BE(ttl, TTL_OFFSET);
    return copy;
  });
  return { ...set, ttl, records };
}

/** What stands for all types of a name that is asked for ANY, RFC 8482 §4.2. */
export const ANY_SET: RecordSet = {
  type: TYPE.HINFO,
  ttl: HINFO_TTL,
  records: [encodeRecord({ ...ROOT_OWNER, type: 'HINFO', ttl: HINFO_TTL, data: { cpu: 'RFC8482', os: '' } })],
  targets: NO_TARGETS,
};
