import { type DnsRecord, wholeName } from '@nephos/contracts';

/** What a record is called on buttons: its type and the name that it answers for. */
export function recordTitle({ recordType, name, domain }: DnsRecord): string {
  return `${recordType} ${wholeName(name, domain)}`;
}
