import { atomically, type Database } from '@nephos/db';
import { type Selectable, sql, type Updateable } from 'kysely';
import pg from 'pg';
import { addressHere } from '../databases/address.ts';
import { endWork, WorkCancelled } from '../databases/long-work.ts';
import type { DatabaseRow } from '../databases/read.ts';
import { assertHere, Elsewhere } from '../databases/server-place.ts';
import { createWorkTeller } from '../databases/work-teller.ts';
import { DumpRefused } from './dump-refused.ts';
import { type DumpSession, openDumpSession } from './dump-session.ts';
import { openSource } from './open-source.ts';
import type { ImportParts } from './parts.ts';
import { plainSql } from './plain-sql.ts';
import { withoutValues } from './refusal-words.ts';
import { type RunResult, runDump } from './run-dump.ts';

type ImportRow = Selectable<Database['databaseImports']>;
type Ended = Pick<
  Updateable<Database['databaseImports']>,
  'status' | 'error' | 'size' | 'statements' | 'skipped'
>;

const THIS_MACHINE = '127.0.0.1';
/** Bytes of a dump, as it comes and unpacked. */
const MAX_BYTES = 200 * 1024 ** 3;
const TRANSACTION = 'select pg_catalog.pg_current_xact_id()::text';
const TOO_MUCH = 'The dump is larger than 200 GB.';
const LOST = 'The connection to the database was lost. Import the dump again.';
const FAILED = 'The dump could not be imported. See the Nephos log, and import it again.';

/** Whether the import was committed is not known now: it is asked again. */
class NotKnown extends Error {
  override readonly name = 'NotKnown';
}

/** Imports the dump of a row that is `running`, and says in the row what became of it. May be repeated. */
export async function importDump(parts: ImportParts, id: string, signal: AbortSignal): Promise<void> {
  const { db, log } = parts;
  const row = await db
    .selectFrom('databaseImports')
    .selectAll()
    .where('id', '=', id)
    .where('status', '=', 'running')
    .executeTakeFirst();
  const database =
    row &&
    (await db.selectFrom('managedDatabases').selectAll().where('id', '=', row.databaseId).executeTakeFirst());
  if (!row || !database) return;
  try {
    await assertHere(parts.servers, database);
    const result = await carryOut(parts, { row, database, signal });
    await conclude(parts, row, { status: 'done', ...result });
  } catch (error) {
    if (error instanceof WorkCancelled) return await conclude(parts, row, { status: 'cancelled' });
    if (signal.aborted || error instanceof NotKnown || error instanceof Elsewhere) throw error;
    if (!(error instanceof DumpRefused)) {
      // The driver's own errors may have values of rows in them.
      const { name, code } = error as { name?: string; code?: string };
      log.error({ import: id, name, code }, 'a dump could not be imported');
    }
    await conclude(parts, row, { status: 'failed', error: reasonOf(error) });
  }
}

function reasonOf(error: unknown): string {
  if (error instanceof DumpRefused) return error.message;
  return error instanceof Error && /^Connection terminated/.test(error.message) ? LOST : FAILED;
}

interface Wanted {
  row: ImportRow;
  database: DatabaseRow;
  signal: AbortSignal;
}

async function carryOut(parts: ImportParts, { row, database, signal }: Wanted): Promise<Ended> {
  const tell = createWorkTeller(parts, database.id, null);
  const ended = AbortSignal.any([signal, tell.cancelled]);
  try {
    const { url } = await addressHere(parts, database, THIS_MACHINE);
    const session = await openDumpSession(url);
    // What it is in the midst of rejects then.
    ended.addEventListener('abort', session.leave);
    if (ended.aborted) session.leave();
    try {
      return await inTransaction(parts, { row, session, tell, signal: ended });
    } finally {
      ended.removeEventListener('abort', session.leave);
      session.leave();
    }
  } catch (error) {
    throw tell.cancelled.aborted ? tell.cancelled.reason : error;
  } finally {
    await tell.end();
  }
}

interface Doing {
  row: ImportRow;
  session: DumpSession;
  tell: { note(percent: number | null): void };
  signal: AbortSignal;
}

async function inTransaction(
  parts: ImportParts,
  { row: { id }, session, tell, signal }: Doing,
): Promise<Ended> {
  // Another run of this import may be under way: it lasts as long as its session.
  const [isAlone] = await session.ask(
    `select pg_catalog.pg_try_advisory_lock(pg_catalog.hashtextextended('${id}', 0))`,
  );
  if (isAlone !== 'true') throw new NotKnown('the import is under way');
  const row = await parts.db
    .selectFrom('databaseImports')
    .selectAll()
    .where('id', '=', id)
    .where('status', '=', 'running')
    .executeTakeFirst();
  if (!row) throw new NotKnown('the import is over');
  if (row.xactId !== null && (await wasCommitted(session, row.xactId))) {
    const { size, statements, skipped } = row;
    return { size, statements, skipped };
  }
  await session.run('begin');
  const [begun] = await session.ask(TRANSACTION);
  const source = await openSource(parts, row, signal);
  const counted = { size: 0 };
  let result: RunResult;
  try {
    const bytes = counting(source.bytes, (size) => {
      counted.size = size;
      if (source.size) tell.note(Math.min((size / source.size) * 100, 99));
    });
    const plain = await plainSql(bytes, { program: parts.pgRestore(), signal });
    result = await runDump(
      session,
      counting(plain, () => {}),
    );
  } finally {
    source.bytes.destroy();
  }
  const [xactId] = await session.ask(TRANSACTION);
  if (xactId !== begun) {
    throw new DumpRefused(
      'The dump ended the transaction in which it is imported: some of it may be in the database.',
    );
  }
  // Who repeats this after a stop learns by it whether the transaction was committed.
  await parts.db
    .updateTable('databaseImports')
    .set({ xactId: xactId ?? null, ...counted, ...result })
    .where('id', '=', row.id)
    .execute();
  signal.throwIfAborted();
  await commit(session);
  return { ...counted, ...result };
}

/** Constraints that wait for the end are looked at here. */
async function commit(session: DumpSession): Promise<void> {
  try {
    await session.run('commit');
  } catch (error) {
    if (!(error instanceof pg.DatabaseError)) throw new NotKnown('the server was lost', { cause: error });
    throw new DumpRefused(`At the end of the dump: ${withoutValues(error)}`);
  }
}

/** Throws while it is still going on: it is asked again later. */
async function wasCommitted(session: DumpSession, xactId: string): Promise<boolean> {
  const [status] = await session.ask(`select pg_catalog.pg_xact_status('${BigInt(xactId)}'::xid8)`);
  if (status === 'in progress') throw new NotKnown('the transaction is still going on');
  return status === 'committed';
}

async function* counting(
  source: AsyncIterable<Uint8Array>,
  tell: (size: number) => void,
): AsyncGenerator<Uint8Array> {
  let size = 0;
  for await (const bytes of source) {
    size += bytes.byteLength;
    if (size > MAX_BYTES) throw new DumpRefused(TOO_MUCH);
    tell(size);
    yield bytes;
  }
}

function conclude({ db }: ImportParts, { id, databaseId }: ImportRow, end: Ended): Promise<void> {
  return atomically(db, async (trx) => {
    await trx
      .updateTable('databaseImports')
      .set({ ...end, sealedUrl: null, endedAt: sql<string>`clock_timestamp()` })
      .where('id', '=', id)
      .where('status', '=', 'running')
      .execute();
    await endWork(trx, databaseId);
  });
}
