import { composeAnswer } from '../compose-message.ts';
import { createMessageWriter } from '../message-writer.ts';
import { FLAG, MAX_MESSAGE, RCODE } from '../protocol.ts';
import type { Query } from '../query.ts';
import type { OwnedSet } from '../record-set.ts';
import { servedSets } from '../signing/signed-sets.ts';
import type { Zone } from '../zone.ts';
import type { ZoneSet } from '../zone-set.ts';
import type { Difference } from './zone-history.ts';
import { sizeOf, soaOfZone } from './zone-soa.ts';

/** Octets after which the next message begins: names further behind could not be pointed to. */
const FULL = 16 * 1024;
const NO_OPTIONS = Buffer.alloc(0);

/** The question, and what signs each message. */
export interface Asked {
  packet: Buffer;
  query: Query;
  sign(message: Buffer): Buffer;
}

/** The whole zone between its SOA record twice, RFC 5936 §2.2. */
export function* wholeZone(zones: ZoneSet, zone: Zone): Generator<OwnedSet> {
  yield* servedSets(zones, zone);
  yield soaOfZone(zone);
}

/** Octets of the zone's own records. */
function sizeOfZone({ nodes }: Zone): number {
  let size = 0;
  for (const [owner, node] of nodes) for (const set of node.values()) size += sizeOf({ owner, set });
  return size;
}

/**
 * What is sent to one who has an older version, RFC 1995 §4: the differences, or the whole zone where these are not
 * known or would be longer.
 */
export function zoneSince(
  zones: ZoneSet,
  zone: Zone,
  differences: readonly Difference[] | undefined,
): Iterable<OwnedSet> {
  if (!differences || differences.reduce((sum, { size }) => sum + size, 0) > sizeOfZone(zone)) {
    return wholeZone(zones, zone);
  }
  const soa = soaOfZone(zone);
  const steps = differences.flatMap(({ fromSoa, removed, toSoa, added }) => [
    ...[fromSoa, ...removed],
    ...[toSoa, ...added],
  ]);
  return [soa, ...steps, soa];
}

/** The records of sets, one after another. */
function* recordsOf(sets: Iterable<OwnedSet>): Generator<OwnedSet> {
  for (const { owner, set } of sets) {
    for (const record of set.records) yield { owner, set: { ...set, records: [record] } };
  }
}

const writer = createMessageWriter();

function compose({ packet, query, sign }: Asked, answers: number): Buffer {
  const length = writer.length();
  const prepared = {
    ...{ rcode: RCODE.NOERROR, flags: FLAG.AA, answers, authorities: 0, body: writer.take() },
    ends: [{ length, additionals: 0 }],
  };
  return sign(composeAnswer(packet, query, prepared, { limit: MAX_MESSAGE, options: NO_OPTIONS }));
}

/** The messages that hold these sets, each made when it is asked for, of sets that are; each has the question (RFC 5936 §2.2). */
export function* transferMessages(asked: Asked, sets: Iterable<OwnedSet>): Generator<Buffer> {
  const { name, end } = asked.query;
  let waiting: OwnedSet[] = [];
  let octets = 0;
  // One writer serves all transfers, so that nothing is written while another one's message could be.
  const flush = () => {
    writer.begin(name, end);
    const answers = waiting.reduce((count, record) => count + writer.add(record), 0);
    waiting = [];
    octets = 0;
    return compose(asked, answers);
  };
  for (const record of recordsOf(sets)) {
    const size = sizeOf(record);
    if (octets > 0 && octets + size > FULL) yield flush();
    waiting.push(record);
    octets += size;
  }
  if (octets > 0) yield flush();
}
