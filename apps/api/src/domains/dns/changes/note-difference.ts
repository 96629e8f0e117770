import type { CallAudit } from '../../../core/call-audit.ts';
import type { ZoneRecord } from '../zone-rules.ts';
import type { Difference } from './difference.ts';

function lineOf({ name, recordType, value, ttl }: ZoneRecord): string {
  return `${name} ${ttl} ${recordType} ${value}`;
}

/** Has the call's record tell which records of a domain went and came; a changed TTL is both. */
export function noteDifference(audit: CallAudit, domain: string, difference: Difference): void {
  const { added, removed, changed } = difference;
  const former = changed.map((record) => ({ ...record, ttl: record.formerTtl }));
  audit.note({
    subject: { kind: 'zone', id: domain, name: domain },
    before: { records: [...removed, ...former].map(lineOf) },
    after: { records: [...added, ...changed].map(lineOf) },
  });
}
