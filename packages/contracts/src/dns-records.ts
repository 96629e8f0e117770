import { z } from 'zod';
import {
  DEFAULT_RECORD_TYPE,
  DEFAULT_TTL,
  MAX_DNS_EDITS,
  MAX_TTL,
  MIN_TTL,
  RECORD_SORTS,
  RECORD_TYPES,
} from './constants.ts';
import { readDomain, readRecordName } from './dns-names.ts';
import { readValue, TXT_MAX } from './dns-values.ts';
import { Id, listPage } from './page.ts';
import { line, optionalLine } from './text.ts';

/** Characters of a domain or name as it may be written, before IDN becomes A-labels and a final dot goes. */
const DOMAIN_MAX = 254;

const TTL = `TTL must be a whole number of seconds from ${MIN_TTL} to ${MAX_TTL}.`;

/** Characters of a value as it may be written: in the quoted form of TXT, an octet may take four. */
const VALUE_MAX = 4 * TXT_MAX + 64;

/** A domain in its canonical form: lower case, A-labels, no final dot. */
export const DnsDomain = line(DOMAIN_MAX, 'Domain').check((ctx) => {
  if (ctx.issues.length > 0) return;
  const reading = readDomain(ctx.value);
  if (reading.ok) ctx.value = reading.text;
  else ctx.issues.push({ code: 'custom', input: ctx.value, message: reading.problem });
});

export const RecordType = z.enum(RECORD_TYPES, `Type must be one of ${RECORD_TYPES.join(', ')}.`);
export type RecordType = z.output<typeof RecordType>;

export const Ttl = z.int(TTL).min(MIN_TTL, TTL).max(MAX_TTL, TTL);

/** A DNS record. */
export const DnsRecord = z.object({
  id: Id,
  /** The zone it is in: lower case, A-labels (RFC 5890), no final dot. */
  domain: z.string(),
  recordType: RecordType,
  /** `@` for the domain itself, else relative to it, for example `www` or `*.dev`. */
  name: z.string(),
  /** Canonical, as the type's text form is (RFC 1035 §5, RFC 5952); of TXT the plain text, without quotes. */
  value: z.string(),
  /** Seconds. */
  ttl: z.int(),
  /** The project whose app's address it follows until it is edited; null for any other record. */
  projectId: Id.nullable(),
  /** The bucket whose site's address it follows until it is edited; null for any other record. */
  bucketId: Id.nullable(),
  createdAt: z.iso.datetime(),
});
export type DnsRecord = z.output<typeof DnsRecord>;

/** A record of a zone that is known. */
export const ZoneRecord = DnsRecord.pick({ name: true, recordType: true, value: true, ttl: true });

/** What one writes of a record in a domain that is known. */
const RecordFields = z.object({
  recordType: RecordType.default(DEFAULT_RECORD_TYPE),
  /** `@` (or nothing), relative, or the whole name inside the domain. */
  name: optionalLine(DOMAIN_MAX, 'Name').default('@'),
  /** A TXT record has plain text, or nothing but quoted strings as a zone file has them. */
  value: line(VALUE_MAX, 'Value'),
  ttl: Ttl.default(DEFAULT_TTL),
});

/** Reads a record's name and value into their canonical form; what they break is told by field. */
function readFields(record: z.output<typeof RecordFields>, domain: string) {
  const { recordType, name, value } = record;
  const readings = { name: readRecordName(name, domain), value: readValue(recordType, value) };
  return Object.entries(readings).flatMap(([field, reading]) => {
    if (!reading.ok) return [{ field, message: reading.problem }];
    Object.assign(record, { [field]: reading.text });
    return [];
  });
}

/** Whether DNS records that lead to what is removed are deleted along with it. */
export const DeleteRecords = z.boolean().default(false);

/** A name that is to lead to an app. */
export const AppName = z.object({
  /** The whole name, in a domain that is served here. */
  name: DnsDomain,
  ttl: Ttl.default(DEFAULT_TTL),
});

/** A record as one writes it; what comes out of its validation is canonical, see `DnsRecord`. */
export const NewDnsRecord = z.object({ domain: DnsDomain, ...RecordFields.shape }).check((ctx) => {
  if (ctx.issues.length > 0) return;
  for (const { field, message } of readFields(ctx.value, ctx.value.domain)) {
    ctx.issues.push({ code: 'custom', input: ctx.value, path: [field], message });
  }
});
export type NewDnsRecord = z.input<typeof NewDnsRecord>;

/** A record stays in its domain and keeps its type; anything else of it can change. */
export const DnsRecordChange = z.object({
  id: Id,
  name: optionalLine(DOMAIN_MAX, 'Name').optional(),
  value: line(VALUE_MAX, 'Value').optional(),
  ttl: Ttl.optional(),
});

export const DnsRecordPage = listPage(RECORD_SORTS)
  .extend({
    /** Only the records of this domain. */
    domain: DnsDomain.optional(),
  })
  .optional();

/** One edit of several that are saved at once. */
const RecordEdit = z.discriminatedUnion(
  'action',
  [
    RecordFields.extend({ action: z.literal('add') }),
    DnsRecordChange.extend({ action: z.literal('change') }),
    z.object({ action: z.literal('delete'), id: Id }),
  ],
  'Action must be one of add, change, delete.',
);
export type RecordEdit = z.output<typeof RecordEdit>;

const EDITS = `Save from 1 to ${MAX_DNS_EDITS} edits at once.`;

/** Edits of a domain that are saved together or not at all; new records come out in their canonical form. */
export const DnsEdits = z
  .object({
    domain: DnsDomain,
    /** The zone's serial when the edits were made, 0 for a new domain: after another change, nothing is saved. */
    serial: z.int().min(0),
    edits: z.array(RecordEdit, EDITS).min(1, EDITS).max(MAX_DNS_EDITS, EDITS),
  })
  .check((ctx) => {
    if (ctx.issues.length > 0) return;
    const { domain, edits } = ctx.value;
    const edited = new Set<string>();
    for (const [index, edit] of edits.entries()) {
      const refuse = (field: string, message: string) =>
        ctx.issues.push({ code: 'custom', input: edit, path: ['edits', index, field], message });
      if (edit.action === 'add') {
        for (const { field, message } of readFields(edit, domain)) refuse(field, message);
      } else if (edited.has(edit.id)) {
        refuse('id', 'A record can only be edited once.');
      } else edited.add(edit.id);
    }
  });
