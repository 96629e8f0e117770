import type { BytesAnswer } from '@nephos/contracts/kit';
import type { Database } from '@nephos/db';
import { type Kysely, type Selectable, sql } from 'kysely';
import { csvRecord, csvText } from '../../platform/csv.ts';
import { GENESIS, textOf } from './canonical.ts';
import { IS_KEPT } from './sweep.ts';

/** Records that are read at once. */
const PAGE = 1000;

type RecordRow = Selectable<Database['auditRecords']>;
/** A place in a chain, with the hash of what stands there. */
interface Place {
  position: number;
  hash: Uint8Array;
}

/** What is exported: from what comes after one place to another one. */
interface Extent {
  after: Place;
  head: Place;
}

const NONE: Extent = { after: { position: 0, hash: GENESIS }, head: { position: 0, hash: GENESIS } };

/**
 * All sealed records of a chain, oldest first, made as they are read. Of JSON lines the first says where the chain
 * begins and ends, and each other one has a record as it is hashed, with its hash.
 */
export async function exportChain(
  db: Kysely<Database>,
  chain: string,
  format: 'jsonl' | 'csv',
): Promise<BytesAnswer> {
  const extent = await readExtent(db, chain);
  return format === 'csv'
    ? {
        type: 'text/csv; charset=utf-8',
        fileName: 'activity.csv',
        body: () => linesOf(db, chain, extent, csvRecord(COLUMNS), csvLine),
      }
    : {
        type: 'application/x-ndjson; charset=utf-8',
        fileName: 'activity.jsonl',
        body: () => linesOf(db, chain, extent, firstLine(chain, extent), jsonLine),
      };
}

/** In one statement, whose snapshot no sweep changes. What is a year old is left out: the sweep may take it meanwhile. */
async function readExtent(db: Kysely<Database>, chain: string): Promise<Extent> {
  const { rows } = await sql<{ position: number; hash: Buffer; startPosition: number; startHash: Buffer }>`
    select head.position, head.hash, coalesce(former.position, head.swept_position) as "startPosition",
      coalesce(former.hash, head.swept_hash) as "startHash"
    from audit_chains head
    left join lateral (
      select position from audit_records where chain = head.chain and position is not null and ${IS_KEPT}
      order by position limit 1
    ) kept on true
    left join audit_records former
      on former.chain = head.chain and former.position = coalesce(kept.position - 1, head.position)
    where head.chain = ${chain}`.execute(db);
  const [row] = rows;
  if (!row) return NONE;
  const { position, hash, startPosition, startHash } = row;
  return { after: { position: startPosition, hash: startHash }, head: { position, hash } };
}

function firstLine(chain: string, { after, head }: Extent): string {
  const shown = ({ position, hash }: Place) => ({ position, hash: Buffer.from(hash).toString('hex') });
  return `${JSON.stringify({ chain, after: shown(after), head: shown(head) })}\n`;
}

/** Sealed records never change, so pages read one after the other fit together. Throws where one is missing. */
async function* linesOf(
  db: Kysely<Database>,
  chain: string,
  { after, head: { position: last } }: Extent,
  first: string,
  lineOf: (record: RecordRow) => string,
): AsyncGenerator<string> {
  yield first;
  for (let { position } = after; position < last; ) {
    const records = await db
      .selectFrom('auditRecords')
      .selectAll()
      .where('chain', '=', chain)
      .where('position', '>', position)
      .where('position', '<=', last)
      .orderBy('position')
      .limit(PAGE)
      .execute();
    if (records[0]?.position !== position + 1)
      throw new Error('records were deleted while they were exported');
    yield records.map(lineOf).join('');
    position = records.at(-1)?.position ?? last;
  }
}

function jsonLine(record: RecordRow): string {
  const hash = record.hash?.toString('hex') ?? '';
  return `{"hash":"${hash}","record":${textOf(record, record.position ?? 0)}}\n`;
}

const COLUMNS = [
  ...['Position', 'Time', 'Person', 'Via', 'Token', 'Address', 'Request', 'Procedure', 'Result'],
  ...['Kind', 'ID', 'Name', 'Before', 'After', 'Hash'],
];

function csvLine(record: RecordRow): string {
  const { position, at, actorEmail, via, tokenName, ip, requestId, procedure, result } = record;
  const { subjectKind, subjectId, subjectName, before, after, hash } = record;
  const json = (side: unknown) => (side === null ? '' : csvText(JSON.stringify(side)));
  return csvRecord([
    ...[String(position), at, csvText(actorEmail), via, csvText(tokenName ?? ''), csvText(ip ?? '')],
    ...[
      requestId ?? '',
      procedure,
      result,
      subjectKind,
      csvText(subjectId ?? ''),
      csvText(subjectName ?? ''),
    ],
    ...[json(before), json(after), hash?.toString('hex') ?? ''],
  ]);
}
