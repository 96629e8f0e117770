import type { DnsImportPlan } from '@nephos/contracts';
import { Refusal } from '../../../core/errors.ts';
import { differenceOf, keyOf, type StoredRecord } from '../changes/difference.ts';
import { assertRoom } from '../zone-room.ts';
import { assertZone, type ZoneRecord } from '../zone-rules.ts';
import type { FileRecord, ReadZoneFile, RefusedLine } from './read-zone-file.ts';

/** What an import does to the records of a zone. */
export interface ImportPlan
  extends ReturnType<typeof differenceOf>,
    Pick<DnsImportPlan, 'unchanged' | 'refused'> {}

export interface ImportOptions {
  domain: string;
  mode: 'merge' | 'replace';
  /** Hosts of the NS records that every apex has, which are nobody's to import. */
  nameServers: readonly string[];
  /** Targets of ALIAS records that are not served here, with the sentence that refuses them. */
  refusedAliases: ReadonlyMap<string, string>;
}

/** Conflicts that are told apart: each takes several looks at the whole zone. */
const MAX_CONFLICTS = 20;
const TOO_MANY = 'Not checked, because there are too many conflicts before it. Resolve those first.';

const sameSet = ({ name, recordType }: ZoneRecord) => `${name} ${recordType}`;

/** What is against these records as one zone; undefined where nothing is. */
function problemOf(domain: string, records: readonly ZoneRecord[]): string | undefined {
  try {
    assertZone(domain, records);
    assertRoom(domain, records);
    return undefined;
  } catch (error) {
    if (error instanceof Refusal) return error.message;
    throw error;
  }
}

/** Name servers need their addresses, and DS records their delegations: so each joins a zone that has them. */
function rank({ recordType }: ZoneRecord): number {
  if (recordType === 'A' || recordType === 'AAAA') return 0;
  return recordType === 'DS' ? 2 : 1;
}

/** How many of `records` can join `zone` together, from the first on; `records` as a whole cannot. */
function joinable(domain: string, zone: readonly ZoneRecord[], records: readonly ZoneRecord[]): number {
  let fits = 0;
  let fails = records.length;
  while (fails - fits > 1) {
    const middle = Math.floor((fits + fails) / 2);
    if (problemOf(domain, [...zone, ...records.slice(0, middle)]) === undefined) fits = middle;
    else fails = middle;
  }
  return fits;
}

/** Those that can join the zone, and why the others cannot. */
function join(domain: string, zone: readonly ZoneRecord[], records: readonly FileRecord[]) {
  let rest = records.toSorted((a, b) => rank(a) - rank(b));
  const joined: FileRecord[] = [];
  const refused: RefusedLine[] = [];
  for (;;) {
    if (problemOf(domain, [...zone, ...joined, ...rest]) === undefined)
      return { joined: [...joined, ...rest], refused };
    const fits = joinable(domain, [...zone, ...joined], rest);
    joined.push(...rest.slice(0, fits));
    const [next, ...others] = rest.slice(fits);
    if (next) {
      const reason = problemOf(domain, [...zone, ...joined, next]) ?? '';
      refused.push({ line: next.line, text: next.text, reason });
    }
    rest = others;
    if (refused.length < MAX_CONFLICTS) continue;
    refused.push(...rest.map(({ line, text }) => ({ line, text, reason: TOO_MANY })));
    rest = [];
  }
}

/** Why a record is not imported, whatever else is in the zone. */
function reasonAgainst(
  { nameServers, refusedAliases }: ImportOptions,
  known: ReadonlyMap<string, StoredRecord>,
  record: FileRecord,
): string | undefined {
  const { name, recordType, value } = record;
  if (recordType === 'ALIAS') return refusedAliases.get(value);
  if (name !== '@' || recordType !== 'NS' || known.has(keyOf(record))) return undefined;
  if (nameServers.includes(value)) return '';
  return "Name servers of the domain itself aren't imported, since they are mostly those of the provider before. Add them as records if you need them.";
}

/**
 * What importing `file` does to a zone that has the records `existing`. Merged, records stay that the file does not
 * have, and a set has the file's TTL; otherwise the zone is the file. What the rules of zones refuse is left out, line by
 * line.
 */
export function planImport(
  existing: readonly StoredRecord[],
  file: ReadZoneFile,
  options: ImportOptions,
): ImportPlan {
  const { domain, mode } = options;
  const known = new Map(existing.map((record) => [keyOf(record), record]));
  const refused = [...file.refused];
  const wanted = file.records.filter((record) => {
    const reason = reasonAgainst(options, known, record);
    // The console's own name servers are there already.
    if (reason) refused.push({ line: record.line, text: record.text, reason });
    return reason === undefined;
  });
  const ttls = new Map<string, number>();
  for (const record of wanted) {
    if (!ttls.has(sameSet(record))) ttls.set(sameSet(record), record.ttl);
  }
  const isMerged = mode === 'merge';
  const kept = isMerged
    ? existing.map((record) => ({ ...record, ttl: ttls.get(sameSet(record)) ?? record.ttl }))
    : [];
  const candidates = isMerged ? wanted.filter((record) => !known.has(keyOf(record))) : wanted;
  const { joined, refused: conflicts } = join(domain, kept, candidates);
  const after = [...kept, ...joined];
  const difference = differenceOf(existing, after);
  return {
    ...difference,
    unchanged: after.length - difference.added.length - difference.changed.length,
    refused: [...refused, ...conflicts].sort((a, b) => a.line - b.line),
  };
}
