import { z } from 'zod';
import {
  DEFAULT_RECORD_TYPE,
  DEFAULT_TTL,
  MAX_TTL,
  MIN_TTL,
  RECORD_SORTS,
  RECORD_TYPES,
} from './constants.ts';
import { readDomain, readRecordName } from './dns-names.ts';
import { readValue, TXT_MAX } from './dns-values.ts';
import { mutation, query } from './kit.ts';
import { ById, Id, listPage, Success } from './page.ts';
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
  createdAt: z.iso.datetime(),
});
export type DnsRecord = z.output<typeof DnsRecord>;

/** A record as one writes it; what comes out of its validation is canonical, see `DnsRecord`. */
export const NewDnsRecord = z
  .object({
    domain: DnsDomain,
    recordType: RecordType.default(DEFAULT_RECORD_TYPE),
    /** `@` (or nothing), relative, or the whole name inside the domain. */
    name: optionalLine(DOMAIN_MAX, 'Name').default('@'),
    /** A TXT record has plain text, or nothing but quoted strings as a zone file has them. */
    value: line(VALUE_MAX, 'Value'),
    ttl: Ttl.default(DEFAULT_TTL),
  })
  .check((ctx) => {
    if (ctx.issues.length > 0) return;
    const { domain, recordType, name, value } = ctx.value;
    const readings = { name: readRecordName(name, domain), value: readValue(recordType, value) };
    for (const [path, reading] of Object.entries(readings)) {
      if (reading.ok) Object.assign(ctx.value, { [path]: reading.text });
      else ctx.issues.push({ code: 'custom', input: ctx.value, path: [path], message: reading.problem });
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

/** A domain with records of yours. */
export const DnsZone = z.object({
  domain: z.string(),
  recordCount: z.int(),
  /** RFC 1982; grows with every change. */
  serial: z.int(),
  /** `pending` only where the server asks for proof: nothing of the zone is served until it is seen. */
  status: z.enum(['active', 'pending']),
  /** The TXT record that proves ownership; null unless pending. */
  verification: z.object({ name: z.string(), value: z.string() }).nullable(),
});
export type DnsZone = z.output<typeof DnsZone>;

/** What our own name server said when it was asked for a record's name and type over UDP. */
export const DnsAnswer = z.object({
  /** Whether the answer holds the record. */
  served: z.boolean(),
  /** From sending the question to reading the answer. */
  milliseconds: z.number(),
  /** For example `NOERROR`. */
  responseCode: z.string(),
  /** The answer section, a line per record as `dig` prints it. */
  answers: z.array(z.string()),
  /** One sentence, where it is not served, for example that the name server is off; '' otherwise. */
  reason: z.string(),
});
export type DnsAnswer = z.output<typeof DnsAnswer>;

/** Where the name server answers, for `dig` and for delegating a domain to it. */
export const NameServer = z.object({
  running: z.boolean(),
  /** One sentence that names the setting to change; '' when running. */
  reason: z.string(),
  host: z.string(),
  port: z.int(),
  /** Host names that the NS records at each apex give. */
  nameservers: z.array(z.string()),
});
export type NameServer = z.output<typeof NameServer>;

export const dns = {
  list: query({
    summary: 'Your DNS records, newest first; searched by whole name, type and value',
    route: 'GET /api/dns',
    forAssistant: true,
    input: DnsRecordPage,
    output: z.array(DnsRecord),
  }),
  create: mutation({
    summary: 'Add a record; the name server serves it within a second',
    route: 'POST /api/dns',
    status: 201,
    perMinute: 60,
    // What is looked up on the internet precedes the transaction in which a key is kept.
    keepsKeys: true,
    input: NewDnsRecord,
    output: DnsRecord,
  }),
  update: mutation({
    summary: "Edit a record's name, value or TTL; records with the same name and type share their TTL",
    route: 'PATCH /api/dns/{id}',
    perMinute: 60,
    input: DnsRecordChange,
    output: DnsRecord,
  }),
  remove: mutation({
    summary: "Delete a record; deleting a domain's last record releases the domain",
    route: 'DELETE /api/dns/{id}',
    perMinute: 60,
    input: ById,
    output: Success,
  }),
  answer: query({
    summary: "Query this installation's name server for a record",
    route: 'GET /api/dns/{id}/answer',
    perMinute: 120,
    forAssistant: true,
    input: ById,
    output: DnsAnswer,
  }),
  zones: query({
    summary: 'Domains you have records in',
    route: 'GET /api/dns-zones',
    forAssistant: true,
    output: z.array(DnsZone),
  }),
  verify: mutation({
    summary: 'Verify ownership of a pending domain by its TXT record',
    route: 'POST /api/dns-zones/{domain}/verify',
    perMinute: 10,
    keepsKeys: true,
    input: z.object({ domain: DnsDomain }),
    output: DnsZone,
  }),
  nameServer: query({
    summary: 'Address and state of the name server',
    route: 'GET /api/name-server',
    forAssistant: true,
    output: NameServer,
  }),
};
