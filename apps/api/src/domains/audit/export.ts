import type { BytesAnswer } from '@nephos/contracts/kit';
import type { Database } from '@nephos/db';
import type { Kysely, Selectable } from 'kysely';
import { csvRecord, csvText } from '../../platform/csv.ts';
import { GENESIS, textOf } from './canonical.ts';

/** Records that are read at once. */
const PAGE = 1000;

type RecordRow = Selectable<Database['auditRecords']>;
type Head = Pick<Selectable<Database['auditChains']>, 'position' | 'hash' | 'sweptPosition' | 'sweptHash'>;

const NONE: Head = { position: 0, hash: GENESIS, sweptPosition: 0, sweptHash: GENESIS };

/**
 * All sealed records of a chain, oldest first, made as they are read. Of JSON lines the first says where the chain
 * begins and ends, and each other one has a record as it is hashed, with its hash.
 */
export async function exportChain(
  db: Kysely<Database>,
  chain: string,
  format: 'jsonl' | 'csv',
): Promise<BytesAnswer> {
  const head = await db
    .selectFrom('auditChains')
    .select(['position', 'hash', 'sweptPosition', 'sweptHash'])
    .where('chain', '=', chain)
    .executeTakeFirst();
  return format === 'csv'
    ? {
        type: 'text/csv; charset=utf-8',
        fileName: 'activity.csv',
        body: () => linesOf(db, chain, head ?? NONE, csvRecord(COLUMNS), csvLine),
      }
    : {
        type: 'application/x-ndjson; charset=utf-8',
        fileName: 'activity.jsonl',
        body: () => linesOf(db, chain, head ?? NONE, firstLine(chain, head ?? NONE), jsonLine),
      };
}

function firstLine(chain: string, { position, hash, sweptPosition, sweptHash }: Head): string {
  return `${JSON.stringify({
    chain,
    after: { position: sweptPosition, hash: sweptHash.toString('hex') },
    head: { position, hash: hash.toString('hex') },
  })}\n`;
}

/** Sealed records never change, so pages read one after the other fit together. */
async function* linesOf(
  db: Kysely<Database>,
  chain: string,
  { position: last, sweptPosition }: Head,
  first: string,
  lineOf: (record: RecordRow) => string,
): AsyncGenerator<string> {
  yield first;
  for (let position = sweptPosition; position < last; ) {
    const records = await db
      .selectFrom('auditRecords')
      .selectAll()
      .where('chain', '=', chain)
      .where('position', '>', position)
      .where('position', '<=', last)
      .orderBy('position')
      .limit(PAGE)
      .execute();
    if (records.length === 0) return;
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
