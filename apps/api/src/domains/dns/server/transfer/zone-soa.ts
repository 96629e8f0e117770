import { TYPE } from '../protocol.ts';
import type { OwnedSet } from '../record-set.ts';
import type { Zone } from '../zone.ts';

/** The zone's SOA record. */
export function soaOfZone({ apex, nodes }: Zone): OwnedSet {
  const set = nodes.get(apex)?.get(TYPE.SOA);
  if (!set) throw new Error('A zone is served with its SOA record.');
  return { owner: apex, set };
}

/** Octets of the serial and the four times behind it, which end an SOA record. */
const SOA_END = 20;

/** The serial of an SOA record, in wire form or of a whole message's octets that end with it. */
export function readSerial(record: Buffer): number {
  return record.readUInt32BE(record.length - SOA_END);
}

export function serialOf(zone: Zone): number {
  return readSerial(soaOfZone(zone).set.records[0] ?? Buffer.alloc(SOA_END));
}

/** Octets of a set, its names not compressed. */
export function sizeOf({ owner, set }: OwnedSet): number {
  return set.records.reduce((sum, record) => sum + owner.length + record.length, 0);
}
