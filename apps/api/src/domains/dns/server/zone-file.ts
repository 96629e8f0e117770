import { dataText, hostText, lineOf } from './presentation.ts';
import { recordsOf, soaOf, type ZoneData } from './zone.ts';

/** The zone as it is served, as a master file (RFC 1035 §5), a line per record. */
export function zoneFile(zone: ZoneData, nameServers: readonly string[]): string {
  const { mname, rname, serial, refresh, retry, expire, minimum, ttl } = soaOf(zone, nameServers);
  const soa = [hostText(mname), hostText(rname), serial, refresh, retry, expire, minimum].join(' ');
  const records = recordsOf(zone, nameServers).map((record) =>
    lineOf({
      owner: record.owner,
      ttl: record.ttl,
      type: record.type,
      data: dataText(record.type, record.value),
    }),
  );
  return `${[lineOf({ owner: zone.domain, ttl, type: 'SOA', data: soa }), ...records].join('\n')}\n`;
}
