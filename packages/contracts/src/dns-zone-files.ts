import { z } from 'zod';
import { IMPORT_MODES, MAX_ZONE_FILE } from './constants.ts';
import { DnsDomain, ZoneRecord } from './dns-records.ts';
import { bytes, mutation } from './kit.ts';

/** Bytes of a call that imports a file: JSON writes some characters as two, and UTF-8 may take more than one. */
const BODY_LIMIT = 2 * MAX_ZONE_FILE;

/** A large file with many conflicts takes a good part of a second of the processor. */
const IMPORTS_PER_MINUTE = 6;

/** A zone file (RFC 1035 §5) for a domain. */
const ZoneImport = z.object({
  domain: DnsDomain,
  file: z
    .string('Choose a zone file.')
    .min(1, 'The zone file is empty.')
    .max(MAX_ZONE_FILE, `A zone file can have at most ${MAX_ZONE_FILE} characters.`),
  /** Whether records stay that the file does not have. */
  mode: z.enum(IMPORT_MODES, `Mode must be one of ${IMPORT_MODES.join(', ')}.`).default('merge'),
});

/** What an import changes, by record. */
export const DnsImportPlan = z.object({
  /** The zone's serial that this was found for; 0 where the domain is new. */
  serial: z.int(),
  added: z.array(ZoneRecord),
  removed: z.array(ZoneRecord),
  /** Records that get another TTL. */
  changed: z.array(ZoneRecord.extend({ formerTtl: z.int() })),
  /** How many records stay as they are. */
  unchanged: z.int(),
  /** Lines of the file that are left out. */
  refused: z.array(
    z.object({
      /** Counted from 1; where an entry has several lines, its first. */
      line: z.int(),
      /** The beginning of what is written there. */
      text: z.string(),
      /** One sentence. */
      reason: z.string(),
    }),
  ),
});
export type DnsImportPlan = z.output<typeof DnsImportPlan>;

/** Rows of the domain `dns` that are about whole zones as files. */
export const dnsZoneFiles = {
  zoneFile: bytes({
    summary: 'A domain as a zone file (RFC 1035), as it is served; ALIAS records are written as such',
    route: 'GET /api/dns-zones/{domain}/zone-file',
    perMinute: 60,
    input: z.object({ domain: DnsDomain }),
    gives: { type: 'text/dns', what: 'The zone file' },
  }),
  planImport: mutation({
    summary: 'What importing a zone file would change; changes nothing',
    route: 'POST /api/dns-zones/{domain}/import-plan',
    perMinute: IMPORTS_PER_MINUTE,
    bodyLimit: BODY_LIMIT,
    changesNothing: true,
    input: ZoneImport,
    output: DnsImportPlan,
  }),
  importZone: mutation({
    summary: 'Import a zone file, all of it in one change, but for the lines that are refused',
    route: 'POST /api/dns-zones/{domain}/import',
    perMinute: IMPORTS_PER_MINUTE,
    bodyLimit: BODY_LIMIT,
    // What is looked up on the internet precedes the transaction in which a key is kept.
    keepsKeys: true,
    input: ZoneImport.extend({
      /** The serial of the plan that was looked at: after another change, nothing is imported. */
      serial: z.int().min(0),
    }),
    output: DnsImportPlan,
  }),
};
