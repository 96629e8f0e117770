import { z } from 'zod';
import { MAX_DNS_CHANGES_PAGE } from './constants.ts';
import { DnsDomain, DnsEdits, DnsRecord, ZoneRecord } from './dns-records.ts';
import { mutation, query } from './kit.ts';
import { ById, Id, Page, pageLimit } from './page.ts';

/** One save of a domain's records. */
export const DnsChange = z.object({
  id: Id,
  domain: z.string(),
  /** `follow`: the address of an app changed, and records followed it. */
  kind: z.enum(['edit', 'import', 'revert', 'follow']),
  /** The zone's serial after it. */
  serial: z.int(),
  /** Email address of who did it; null for what nobody did, and once that account is gone. */
  by: z.string().nullable(),
  createdAt: z.iso.datetime(),
  /**
   * The first 50 of what it added, values cut to 200 characters; a record that got another TTL was removed and
   * added.
   */
  added: z.array(ZoneRecord),
  /** How many it added. */
  addedCount: z.int(),
  /** What it removed, in the same way. */
  removed: z.array(ZoneRecord),
  removedCount: z.int(),
});
export type DnsChange = z.output<typeof DnsChange>;

/** All records of a domain at one moment. */
export const DnsZoneRecords = z.object({
  /** The zone's serial then. */
  serial: z.int(),
  /** By name and type. */
  records: z.array(DnsRecord),
});
export type DnsZoneRecords = z.output<typeof DnsZoneRecords>;

/** Bytes of a call that saves edits, each of which may have a long value. */
const EDITS_LIMIT = 1024 * 1024;

/** Rows of the domain `dns` that are about what changed. */
export const dnsChanges = {
  zoneRecords: query({
    summary: 'All records of a domain with its serial, to edit several of them at once',
    route: 'GET /api/dns-zones/{domain}/records',
    input: z.object({ domain: DnsDomain }),
    output: DnsZoneRecords,
  }),
  edit: mutation({
    summary: "Add, edit and delete several of a domain's records in one change, all of it or nothing",
    route: 'POST /api/dns-zones/{domain}/edits',
    perMinute: 30,
    bodyLimit: EDITS_LIMIT,
    // What is looked up on the internet precedes the transaction in which a key is kept.
    keepsKeys: true,
    input: DnsEdits,
    output: DnsChange,
  }),
  changes: query({
    summary:
      'Changes of your DNS records, newest first: who changed what; the newest 500 are kept, up to 32 MB',
    route: 'GET /api/dns-changes',
    input: Page.extend({
      /** Fewer than of other lists, since each has many records. */
      limit: pageLimit(MAX_DNS_CHANGES_PAGE).optional(),
      /** Only those of this domain. */
      domain: DnsDomain.optional(),
    }).optional(),
    output: z.array(DnsChange),
  }),
  revertChange: mutation({
    summary: 'Undo a change, as a new one: removes what it added and adds what it removed',
    route: 'POST /api/dns-changes/{id}/revert',
    perMinute: 30,
    // What is looked up on the internet precedes the transaction in which a key is kept.
    keepsKeys: true,
    input: ById,
    output: DnsChange,
  }),
};
