import { z } from 'zod';
import { dnsChanges } from './dns-changes.ts';
import { DnsDomain, DnsRecord, DnsRecordChange, DnsRecordPage, NewDnsRecord } from './dns-records.ts';
import { dnsSecondaries } from './dns-secondaries.ts';
import { dnsSigning } from './dns-signing.ts';
import { dnsZoneFiles } from './dns-zone-files.ts';
import { mutation, query } from './kit.ts';
import { ById, Id, Success } from './page.ts';

/** A domain with records of yours. */
export const DnsZone = z.object({
  id: Id,
  domain: z.string(),
  recordCount: z.int(),
  /** RFC 1982; grows with every change. */
  serial: z.int(),
  /** `pending` only where the server asks for proof: nothing of the zone is served until it is seen. */
  status: z.enum(['active', 'pending']),
  /**
   * Since when the proof of an active zone is held to be gone, else null. It is served all the same, but goes to whoever else
   * proves to own the domain.
   */
  unprovenSince: z.iso.datetime().nullable(),
  /** The TXT record that proves ownership; null of a zone that has nothing to prove. */
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
  ...dnsZoneFiles,
  ...dnsChanges,
  ...dnsSigning,
  ...dnsSecondaries,
  nameServer: query({
    summary: 'Address and state of the name server',
    route: 'GET /api/name-server',
    forAssistant: true,
    output: NameServer,
  }),
};
