import {
  DEFAULT_TTL,
  MAX_RECORDS_PER_ZONE,
  NewDnsRecord,
  RECORD_TYPES,
  type RecordType,
  withHost,
} from '@nephos/contracts';
import type { ZoneRecord } from '../zone-rules.ts';
import { entriesOf, type FileEntry } from './zone-file-entries.ts';

/** A record of a zone file, in its canonical form. */
export interface FileRecord extends ZoneRecord {
  line: number;
  text: string;
}

/** A line that is left out, and why, in one sentence. */
export interface RefusedLine {
  line: number;
  /** The beginning of what is written there. */
  text: string;
  reason: string;
}

export interface ReadZoneFile {
  records: FileRecord[];
  refused: RefusedLine[];
}

/** Entries that are read of one file: twice what a zone may hold. What follows is refused with one sentence. */
const MAX_ENTRIES = 2 * MAX_RECORDS_PER_ZONE;
const TEXT_MAX = 120;

const UNIT_SECONDS: Readonly<Record<string, number>> = { '': 1, s: 1, m: 60, h: 3600, d: 86_400, w: 604_800 };
/** Seconds, or with units as in BIND's files: `1h30m`. */
const TTL = /^(?:\d+|(?:\d+[smhdw])+)$/i;
const CLASSES: ReadonlySet<string> = new Set(['IN', 'CH', 'HS', 'CS']);

function secondsOf(word: string): number {
  return [...word.toLowerCase().matchAll(/(\d+)([smhdw]?)/g)].reduce(
    (sum, [, count, unit = '']) => sum + Number(count) * (UNIT_SECONDS[unit] ?? 1),
    0,
  );
}

/** What earlier lines leave to later ones. */
interface Context {
  domain: string;
  /** With its final dot. */
  origin: string;
  /** Of `$TTL`, RFC 2308 §4. */
  defaultTtl: number | undefined;
  /** Of the record before. */
  lastTtl: number | undefined;
  /** With its final dot, RFC 1035 §5.1. */
  lastOwner: string | undefined;
}

/** A name with its final dot. */
function absolute(name: string, origin: string): string {
  if (name === '@') return origin;
  if (name.endsWith('.')) return name;
  return origin === '.' ? `${name}.` : `${name}.${origin}`;
}

/** Takes a directive in; what keeps it from that is its answer. */
function takeDirective(context: Context, [directive = '', ...values]: readonly string[]): string | undefined {
  const [value = ''] = values;
  switch (directive.toUpperCase()) {
    case '$ORIGIN':
      if (values.length !== 1) return '$ORIGIN takes one name.';
      context.origin = absolute(value, context.origin).toLowerCase();
      return undefined;
    case '$TTL':
      if (values.length !== 1 || !TTL.test(value)) return '$TTL takes one number of seconds.';
      context.defaultTtl = secondsOf(value);
      return undefined;
    case '$INCLUDE':
    case '$GENERATE':
      return `${directive.toUpperCase()} isn't supported. Put the records themselves into the file.`;
    default:
      return `${directive} is no directive of zone files.`;
  }
}

interface Head {
  ttl: number | undefined;
  class: string;
  type: string;
  data: readonly string[];
}

/** TTL and class stand before the type in any order, and may each be left out. */
function headOf(words: readonly string[]): Head {
  let ttl: number | undefined;
  let recordClass: string | undefined;
  let at = 0;
  for (; at < words.length; at += 1) {
    const word = words[at] ?? '';
    if (ttl === undefined && TTL.test(word)) ttl = secondsOf(word);
    else if (recordClass === undefined && CLASSES.has(word.toUpperCase())) recordClass = word.toUpperCase();
    else break;
  }
  return { ttl, class: recordClass ?? 'IN', type: words[at]?.toUpperCase() ?? '', data: words.slice(at + 1) };
}

function isRecordType(type: string): type is RecordType {
  return RECORD_TYPES.some((known) => known === type);
}

function textOfData(type: RecordType, data: readonly string[], origin: string): string {
  if (type !== 'TXT') return withHost(type, data.join(' '), (host) => absolute(host, origin));
  return data.map((word) => (word.startsWith('"') ? word : `"${word.replaceAll('"', '\\"')}"`)).join(' ');
}

type Read = { record: ZoneRecord } | { reason: string } | 'passed over';

/** Reads a record, in the rules of those that people add. Its owner and TTL are kept for later lines in any case. */
function readRecord(context: Context, { words, isIndented }: FileEntry): Read {
  const [first = '', ...rest] = words;
  const owner = isIndented ? context.lastOwner : absolute(first, context.origin).toLowerCase();
  if (owner === undefined) return { reason: 'The first record needs a name.' };
  context.lastOwner = owner;
  const head = headOf(isIndented ? words : rest);
  const ttl = head.ttl ?? context.defaultTtl ?? context.lastTtl ?? DEFAULT_TTL;
  context.lastTtl = ttl;
  if (head.type === '') return { reason: 'The record has no type.' };
  if (head.class !== 'IN') return { reason: `Only records of class IN are served, not ${head.class}.` };
  // It is ours, and made anew with each change.
  if (head.type === 'SOA') return 'passed over';
  if (!isRecordType(head.type)) {
    return {
      reason: `The type ${head.type.slice(0, TEXT_MAX)} isn't supported. Types are ${RECORD_TYPES.join(', ')}.`,
    };
  }
  const value = textOfData(head.type, head.data, context.origin);
  const { domain } = context;
  const parsed = NewDnsRecord.safeParse({ domain, recordType: head.type, name: owner, value, ttl });
  if (!parsed.success) return { reason: parsed.error.issues[0]?.message ?? 'The record is not valid.' };
  const { name, recordType } = parsed.data;
  return { record: { name, recordType, value: parsed.data.value, ttl: parsed.data.ttl } };
}

/**
 * The records of a zone file for `domain` (RFC 1035 §5, RFC 2308 §4), which is its first origin, in their canonical form
 * and the file's order. Its SOA record is passed over, as are lines that say again what another says.
 */
export function readZoneFile(file: string, domain: string): ReadZoneFile {
  const context: Context = {
    domain,
    origin: `${domain}.`,
    defaultTtl: undefined,
    lastTtl: undefined,
    lastOwner: undefined,
  };
  const records = new Map<string, FileRecord>();
  const refused: RefusedLine[] = [];
  let count = 0;
  for (const entry of entriesOf(file)) {
    const { line, words } = entry;
    const text = words.join(' ').slice(0, TEXT_MAX);
    count += 1;
    if (count > MAX_ENTRIES) {
      refused.push({
        line,
        text,
        reason: `A file can have at most ${MAX_ENTRIES} records. The rest is left out.`,
      });
      break;
    }
    const read = readEntry(context, entry);
    if (read === 'passed over') continue;
    if ('reason' in read) refused.push({ line, text, reason: read.reason });
    else {
      const { name, recordType, value, ttl } = read.record;
      const key = JSON.stringify([name, recordType, value, ttl]);
      if (!records.has(key)) records.set(key, { ...read.record, line, text });
    }
  }
  return { records: [...records.values()], refused };
}

function readEntry(context: Context, entry: FileEntry): Read {
  if (entry.problem !== undefined) return { reason: entry.problem };
  if (entry.isIndented || !entry.words[0]?.startsWith('$')) return readRecord(context, entry);
  const reason = takeDirective(context, entry.words);
  return reason === undefined ? 'passed over' : { reason };
}
