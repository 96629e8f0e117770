import { setTimeout as wait } from 'node:timers/promises';
import {
  type databaseContents,
  KEPT_STATEMENTS,
  type KeptStatement,
  type StatementResult,
} from '@nephos/contracts';
import { Earlier, type Once } from '@nephos/contracts/implement';
import type { Database } from '@nephos/db';
import type { Kysely } from 'kysely';
import pg from 'pg';
import type { z } from 'zod';
import type { UserContext } from '../../core/context.ts';
import { conflict } from '../../core/errors.ts';
import type { SecretsBox } from '../../platform/secrets-box.ts';
import { asOwnUser, type ContentsParts, Ended, findPostgres } from './own-connection.ts';

type Run = z.output<typeof databaseContents.run.input>;
type Explain = z.output<typeof databaseContents.explain.input>;

/** In the place of a result that is not there yet. */
const UNTOLD: StatementResult = {
  ...{ columns: [], rows: [], more: false, command: '', milliseconds: 0, error: null },
};

const CANCEL_SECONDS = 5;
/** Values of a result: a short one takes many times its bytes in memory. */
const MAX_CELLS = 200_000;
/** How often, and after how many milliseconds, a run is looked for that is to be cancelled. */
const LOOKS = 30;
const PAUSE_MS = 100;

/** By what the server lists a run, so that any process of ours can cancel it. */
const runName = (runId: string) => `nephos ${runId}`;

/**
 * Runs one statement, at most once for a key: what a key keeps is that it was run, not what came of it. Throws as
 * `asOwnUser` does, and 409 ALREADY_RUN.
 */
export async function runStatement(
  ctx: UserContext,
  parts: ContentsParts,
  input: Run,
  once: Once<UserContext>,
): Promise<StatementResult> {
  const wanted = await once(async ({ db, ownerId, audit }) => {
    const { name } = await findPostgres(db, ownerId, input.id);
    audit.note({ subject: { name }, after: { write: input.write } });
    return UNTOLD;
  });
  if (wanted instanceof Earlier) {
    throw conflict(
      'ALREADY_RUN',
      'A statement was sent with this Idempotency-Key already. The list of your statements says what became of it.',
    );
  }
  const result = await inOwnSession(ctx, parts, input, (client) => runIn(client, input));
  await keep(ctx, parts.secrets, input, result);
  return result;
}

/** How the server would run a statement, or did where it is analyzed. Throws as `asOwnUser` does. */
export async function explainStatement(ctx: UserContext, parts: ContentsParts, input: Explain) {
  const asked = {
    ...input,
    sql: `explain (format json, verbose${input.analyze ? ', analyze, buffers' : ''}) ${input.sql}`,
    ...{ write: false, limit: 1 },
  };
  const { rows, error, milliseconds } = await inOwnSession(ctx, parts, asked, (client) =>
    runIn(client, asked),
  );
  // Of the text that was sent, not of what stands before it.
  const before = asked.sql.length - input.sql.length;
  return {
    plan: rows[0]?.[0] ?? '',
    milliseconds,
    error: error && { ...error, position: error.position === null ? null : error.position - before },
  };
}

/** Ends a run of theirs, which may be about to begin. Throws as `asOwnUser` does. */
export function cancelStatement(
  ctx: UserContext,
  parts: ContentsParts,
  { id, runId }: { id: string; runId: string },
): Promise<{ cancelled: boolean }> {
  return asOwnUser(ctx, parts, { id, seconds: CANCEL_SECONDS, whenFull: 'goAhead' }, async (client) => {
    for (let look = 0; look < LOOKS; look += 1) {
      if (look > 0) await wait(PAUSE_MS);
      // Within a transaction, the server shows who was there at the first look.
      await client.query('select pg_stat_clear_snapshot()');
      const { rowCount } = await client.query(
        `select pg_cancel_backend(pid) from pg_stat_activity
         where application_name = $1 and usename = current_user and datname = current_database()
           and state = 'active'`,
        [runName(runId)],
      );
      if (rowCount) return { cancelled: true };
    }
    return { cancelled: false };
  });
}

async function inOwnSession(
  ctx: UserContext,
  parts: ContentsParts,
  { id, seconds, runId, write }: Pick<Run, 'id' | 'seconds' | 'runId' | 'write'>,
  work: (client: pg.Client) => Promise<StatementResult>,
): Promise<StatementResult> {
  const start = performance.now();
  const since = () => Math.round(performance.now() - start);
  try {
    const result = await asOwnUser(
      ctx,
      parts,
      { id, seconds, write, ...(runId && { applicationName: runName(runId) }) },
      work,
    );
    return { ...result, milliseconds: since() };
  } catch (error) {
    return { ...UNTOLD, milliseconds: since(), error: errorOf(error) };
  }
}

/** What a person is told of a failure at the server; anything else is thrown on. */
function errorOf(error: unknown): NonNullable<StatementResult['error']> {
  if (error instanceof Ended) {
    return { message: error.message, detail: '', hint: '', sqlState: '', position: null };
  }
  if (!(error instanceof pg.DatabaseError)) throw error;
  const { message, detail = '', hint = '', code = '', position } = error;
  return { message, detail, hint, sqlState: code, position: position ? Number(position) : null };
}

async function runIn(client: pg.Client, { sql: text, write, limit }: Pick<Run, 'sql' | 'write' | 'limit'>) {
  const { fields, ...answer } = await ask(client, text, { limit, write });
  const names = await typeNames(client, fields, write);
  return {
    ...answer,
    milliseconds: 0,
    error: null,
    columns: fields.map(({ name }, place) => ({ name, type: names[place] ?? '' })),
  };
}

interface Answer {
  fields: readonly pg.FieldDef[];
  rows: (string | null)[][];
  more: boolean;
  command: string;
}

/** Asks for no more rows than it is given, and so lets a `select` end early. */
class FirstRows extends pg.Query<(string | null)[]> {
  handlePortalSuspended(connection: pg.Connection & { sync(): void }) {
    connection.sync();
  }
}

/** A write goes to its end: rows beyond those that are kept are let go as they come. */
function ask(
  client: pg.Client,
  text: string,
  { limit, write }: Pick<Run, 'limit' | 'write'>,
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const config = { text, rowMode: 'array', queryMode: 'extended', ...(!write && { rows: limit + 1 }) };
    // The types of `pg` do not know all of its options.
    const query = new FirstRows(config as pg.QueryConfig);
    const rows: (string | null)[][] = [];
    let cells = 0;
    let more = false;
    query.on('row', (row) => {
      cells += row.length;
      if (rows.length < limit && cells <= MAX_CELLS) rows.push(row);
      else more = true;
    });
    query.on('error', reject);
    query.on('end', ({ fields, command, rowCount }) => {
      // A `select` that was ended early has no name.
      const isSelect = command === null || command === 'SELECT';
      const count = isSelect ? rows.length : rowCount;
      const done = [isSelect ? 'SELECT' : command, count].filter((part) => part !== null).join(' ');
      resolve({ fields, rows, more, command: done });
    });
    client.query(query);
  });
}

/** What the types of columns are called. */
async function typeNames(
  client: pg.Client,
  fields: readonly pg.FieldDef[],
  write: boolean,
): Promise<string[]> {
  if (fields.length === 0) return [];
  // What was asked may have ended the transaction, or been its end.
  if (!write) await client.query('rollback');
  const { rows } = await client.query<{ name: string }>(
    `select format_type(type, modifier) as name
     from unnest($1::oid[], $2::int[]) with ordinality as field (type, modifier, n) order by n`,
    [fields.map(({ dataTypeID }) => dataTypeID), fields.map(({ dataTypeModifier }) => dataTypeModifier)],
  );
  return rows.map(({ name }) => name);
}

const contextOf = (databaseId: string, userId: string) => `database_statements ${databaseId} ${userId}`;

/** Adds to somebody's own list, of which the last ones are kept. */
async function keep(
  { db, ownerId, user }: UserContext,
  secrets: SecretsBox,
  { id: databaseId, sql: text, write }: Run,
  { command, error, milliseconds }: StatementResult,
): Promise<void> {
  const context = contextOf(databaseId, user.id);
  await db
    .insertInto('databaseStatements')
    .columns([
      'ownerId',
      'databaseId',
      'userId',
      'sealedSql',
      'sealedError',
      'write',
      'command',
      'milliseconds',
    ])
    // The database may be gone by now.
    .expression(
      db
        .selectFrom('managedDatabases')
        .select(({ val }) => [
          ...['ownerId' as const, 'id' as const],
          ...[val(user.id).as('userId'), val(secrets.seal(text, context)).as('sealedSql')],
          val(error ? secrets.seal(error.message, context) : null).as('sealedError'),
          ...[val(write).as('write'), val(command).as('command'), val(milliseconds).as('milliseconds')],
        ])
        .where('ownerId', '=', ownerId)
        .where('id', '=', databaseId),
    )
    .execute();
  await db
    .deleteFrom('databaseStatements')
    .where('databaseId', '=', databaseId)
    .where('userId', '=', user.id)
    .where(
      'id',
      '<',
      db
        .selectFrom('databaseStatements')
        .select('id')
        .where('databaseId', '=', databaseId)
        .where('userId', '=', user.id)
        .orderBy('id', 'desc')
        .offset(KEPT_STATEMENTS - 1)
        .limit(1),
    )
    .execute();
}

/** Somebody's own statements at a database of theirs, newest first. Throws 404. */
export async function listStatements(
  { db, ownerId, user }: { db: Kysely<Database>; ownerId: string; user: { id: string } },
  { secrets }: Pick<ContentsParts, 'secrets'>,
  { id }: { id: string },
): Promise<KeptStatement[]> {
  await findPostgres(db, ownerId, id);
  const rows = await db
    .selectFrom('databaseStatements')
    .selectAll()
    .where('ownerId', '=', ownerId)
    .where('databaseId', '=', id)
    .where('userId', '=', user.id)
    .orderBy('id', 'desc')
    .limit(KEPT_STATEMENTS)
    .execute();
  const context = contextOf(id, user.id);
  return rows.map(({ sealedSql, sealedError, id: rowId, write, command, milliseconds, createdAt }) => ({
    ...{ id: rowId, write, command, milliseconds, createdAt },
    sql: secrets.open(sealedSql, context),
    error: sealedError ? secrets.open(sealedError, context) : '',
  }));
}
