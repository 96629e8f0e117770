import { z } from 'zod';
import { DnsDomain, ZoneRecord } from './dns-records.ts';
import { mutation, query } from './kit.ts';
import { ById, Id, Page } from './page.ts';

/** One save of a domain's records. */
export const DnsChange = z.object({
  id: Id,
  domain: z.string(),
  kind: z.enum(['edit', 'import', 'revert']),
  /** The zone's serial after it. */
  serial: z.int(),
  /** Email address of who did it; null once that account is gone. */
  by: z.string().nullable(),
  createdAt: z.iso.datetime(),
  /** The first 50 of what it added; a record that got another TTL was removed and added. */
  added: z.array(ZoneRecord),
  /** How many it added. */
  addedCount: z.int(),
  /** The first 50 of what it removed. */
  removed: z.array(ZoneRecord),
  removedCount: z.int(),
});
export type DnsChange = z.output<typeof DnsChange>;

/** Rows of the domain `dns` that are about what changed. */
export const dnsChanges = {
  changes: query({
    summary: 'Changes of your DNS records, newest first: who changed what; the newest 500 are kept',
    route: 'GET /api/dns-changes',
    input: Page.extend({
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
