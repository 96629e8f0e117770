import { type Name, parentOf, ROOT } from './names.ts';
import { HEADER_BYTES, MAX_MESSAGE, TYPE } from './protocol.ts';
import type { OwnedSet } from './record-set.ts';

/** Largest offset that a pointer of RFC 1035 §4.1.4 can hold. */
const MAX_POINTER = 0x3fff;
const POINTER = 0xc000;
/** Type, class, TTL and length: what precedes a record's data. */
const FIXED_BYTES = 10;
const LENGTH_OFFSET = 8;

/** Where the names are in a record's data: octets before the first, and how many follow. Only RFC 1035's own types. */
const NAMES_IN_DATA: ReadonlyMap<number, { before: number; count: number }> = new Map([
  [TYPE.NS, { before: 0, count: 1 }],
  [TYPE.CNAME, { before: 0, count: 1 }],
  [TYPE.MX, { before: 2, count: 1 }],
  [TYPE.SOA, { before: 0, count: 2 }],
]);

/** Writes what follows a message's question, with names compressed. */
export interface MessageWriter {
  /** Begins anew behind a question for `name`. */
  begin(name: Name, questionEnd: number): void;
  /** Adds a whole set; its number of records. */
  add(owned: OwnedSet): number;
  /** Octets since the question; too many for any message where `isFull`. */
  length(): number;
  isFull(): boolean;
  /** A copy of what was written. */
  take(): Buffer;
}

/** Notes where a name, and each name above it, can be pointed to; the first place of a name stays. */
function remember(offsets: Map<Name, number>, name: Name, offset: number): void {
  for (let rest = name, to = offset; rest !== ROOT; ) {
    if (!offsets.has(rest)) offsets.set(rest, to);
    to += rest.charCodeAt(0) + 1;
    rest = parentOf(rest);
  }
}

export function createMessageWriter(): MessageWriter {
  const octets = Buffer.allocUnsafe(MAX_MESSAGE);
  const offsets = new Map<Name, number>();
  let start = 0;
  let at = 0;
  let full = false;

  function writeName(name: Name): void {
    for (let rest = name; rest !== ROOT; rest = parentOf(rest)) {
      const known = offsets.get(rest);
      if (known !== undefined) {
        at = octets.writeUInt16BE(POINTER | known, at);
        return;
      }
      if (at <= MAX_POINTER) offsets.set(rest, at);
      at += octets.write(rest.slice(0, rest.charCodeAt(0) + 1), at, 'latin1');
    }
    at = octets.writeUInt8(0, at);
  }

  function writeRecord(type: number, record: Buffer): void {
    const begun = at;
    const names = NAMES_IN_DATA.get(type);
    let from = FIXED_BYTES + (names?.before ?? record.length - FIXED_BYTES);
    at += record.copy(octets, at, 0, from);
    if (!names) return;
    for (let count = 0; count < names.count; count += 1) {
      const end = record.indexOf(0, from) + 1;
      writeName(record.toString('latin1', from, end));
      from = end;
    }
    at += record.copy(octets, at, from);
    octets.writeUInt16BE(at - begun - FIXED_BYTES, begun + LENGTH_OFFSET);
  }

  return {
    begin(name, questionEnd) {
      offsets.clear();
      full = false;
      start = questionEnd;
      at = questionEnd;
      remember(offsets, name, HEADER_BYTES);
    },
    add({ owner, set }) {
      for (const record of set.records) {
        // The length is judged before compression, which only ever makes it shorter.
        full ||= at + owner.length + record.length > octets.length;
        if (full) break;
        writeName(owner);
        writeRecord(set.type, record);
      }
      return set.records.length;
    },
    length: () => at - start,
    isFull: () => full,
    take: () => Buffer.from(octets.subarray(start, at)),
  };
}
