import { composeAnswer } from '../compose-message.ts';
import { createMessageWriter } from '../message-writer.ts';
import { FLAG, MAX_MESSAGE, RCODE } from '../protocol.ts';
import type { Query } from '../query.ts';
import type { OwnedSet } from '../record-set.ts';
import { servedSets } from '../signing/signed-sets.ts';
import type { Zone } from '../zone.ts';
import type { ZoneSet } from '../zone-set.ts';
import { sizeOf, soaOfZone } from './served-sets.ts';
import type { Difference } from './zone-history.ts';

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
export function wholeZone(zones: ZoneSet, zone: Zone): OwnedSet[] {
  return [...servedSets(zones, zone), soaOfZone(zone)];
}

/**
 * What is sent to one who has an older version, RFC 1995 §4: the differences, or the whole zone where these are not
 * known or would be longer.
 */
export function zoneSince(
  zones: ZoneSet,
  zone: Zone,
  differences: readonly Difference[] | undefined,
): OwnedSet[] {
  const whole = wholeZone(zones, zone);
  const size = (sets: readonly OwnedSet[]) => sets.reduce((sum, set) => sum + sizeOf(set), 0);
  if (!differences || differences.reduce((sum, one) => sum + one.size, 0) > size(whole)) return whole;
  const soa = soaOfZone(zone);
  const steps = differences.flatMap(({ fromSoa, removed, toSoa, added }) => [
    ...[fromSoa, ...removed],
    ...[toSoa, ...added],
  ]);
  return [soa, ...steps, soa];
}

/** All of one question's records, one after another. */
function* recordsOf(sets: readonly OwnedSet[]): Generator<OwnedSet> {
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

/** The messages that hold these sets, each made when it is asked for; each has the question (RFC 5936 §2.2). */
export function* transferMessages(asked: Asked, sets: readonly OwnedSet[]): Generator<Buffer> {
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
