import { type DecodedPacket, decode } from 'dns-packet';
import type { Responder } from '../../src/domains/dns/server/responder.ts';
import {
  makeZoneKey,
  type ZoneKey,
  type ZoneKeyState,
} from '../../src/domains/dns/server/signing/zone-key.ts';
import { buildZone, type ZoneData, type ZoneRecord } from '../../src/domains/dns/server/zone.ts';
import { createZoneSet, type ZoneSet } from '../../src/domains/dns/server/zone-set.ts';
import { responderFor } from './dns-responder.ts';
import { NAME_SERVERS, packetOf, type QuestionText, type RecordText } from './dns-world.ts';

export const DNSSEC_OK = 0x8000;

export function newKey(state: ZoneKeyState = 'active'): ZoneKey {
  return { ...makeZoneKey(), state };
}

/** A zone of records as the tables of tests have them. */
export function zoneDataOf(
  domain: string,
  records: readonly RecordText[],
  keys: readonly ZoneKey[],
): ZoneData {
  const recordOf = (text: RecordText) => {
    const [name = '', ttl, type, ...value] = text.split(' ');
    const owner = name === '@' ? domain : `${name}.${domain}`;
    return { owner, ttl: Number(ttl), type, value: value.join(' ') } as ZoneRecord;
  };
  return { domain, serial: 1, records: records.map(recordOf), keys };
}

/** Answers from zones without a server around it; `now` is in milliseconds since 1970. */
export function serveZones(
  zones: readonly ZoneData[],
  now?: () => number,
): { zones: ZoneSet; responder: Responder; ask(question: QuestionText, dnssecOk?: boolean): DecodedPacket } {
  const served = createZoneSet();
  for (const zone of zones) served.put(buildZone(zone, NAME_SERVERS, now));
  const responder = responderFor(served);
  return {
    zones: served,
    responder,
    ask(question, dnssecOk = true) {
      const packet = packetOf(question, { edns: { size: 1232, flags: dnssecOk ? DNSSEC_OK : 0 } });
      const answer = responder.respond(packet, { transport: 'tcp', address: '127.0.0.1' });
      return decode(answer ?? Buffer.alloc(0));
    },
  };
}
