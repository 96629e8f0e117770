import { hostText, lineOf, stringsText } from './presentation.ts';
import { mailExchange, textStrings } from './record-set.ts';
import { recordsOf, soaOf, type ZoneData, type ZoneRecord } from './zone.ts';

function dataText({ type, value }: ZoneRecord): string {
  if (type === 'TXT') return stringsText(textStrings(value));
  if (type === 'A' || type === 'AAAA') return value;
  if (type !== 'MX') return hostText(value);
  const { preference, exchange } = mailExchange(value);
  return `${preference} ${hostText(exchange)}`;
}

/** The zone as it is served, as a master file (RFC 1035 §5), a line per record. */
export function zoneFile(zone: ZoneData, nameServers: readonly string[]): string {
  const { mname, rname, serial, refresh, retry, expire, minimum, ttl } = soaOf(zone, nameServers);
  const soa = [hostText(mname), hostText(rname), serial, refresh, retry, expire, minimum].join(' ');
  const records = recordsOf(zone, nameServers).map((record) =>
    lineOf({
      owner: record.owner,
      ttl: record.ttl,
      type: record.type,
      data: dataText(record),
    }),
  );
  return `${[lineOf({ owner: zone.domain, ttl, type: 'SOA', data: soa }), ...records].join('\n')}\n`;
}
