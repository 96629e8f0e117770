import type { CountedStatement, CountedStatements, StatementSort } from '@nephos/contracts';
import type { Once } from '@nephos/contracts/implement';
import pg from 'pg';
import type { UserContext } from '../../core/context.ts';
import { conflict } from '../../core/errors.ts';
import type { Administrator } from '../databases/engines/postgres/observer.ts';
import { asked } from '../databases/server-failure.ts';
import { type FiguresParts, findObserved, observerOf } from './find-observed.ts';

/** Statements that are answered. */
const MOST = 100;
/** Characters of each. */
const LENGTH = 2000;
/** SQLSTATEs of a second one that makes the extension at the same time. */
const MADE_MEANWHILE = new Set(['23505', '42710']);
const NOT_COUNTED = 'Statements are counted only where a PostgreSQL database has a server of its own.';

const NONE = { since: null, statements: [] };

/**
 * What took most of a database's server; one that sleeps is left asleep. Throws 404, 409 NOT_POSTGRESQL and
 * NOT_AVAILABLE, and 503.
 */
export async function listStatements(
  { db, ownerId }: UserContext,
  parts: FiguresParts,
  { id, sort }: { id: string; sort: StatementSort },
): Promise<CountedStatements> {
  const { engineName: name } = await findObserved(db, ownerId, id);
  const observer = observerOf(parts);
  const found = await asked({ engine: parts.servers.postgresql, log: parts.log }, async () =>
    (await observer.hasOwnServer(name))
      ? ((await observer.look(name, (server) => readStatements(server, name, sort))) ?? 'asleep')
      : 'shared',
  );
  if (found === 'asleep' || found === 'shared') return { state: found, ...NONE };
  return { state: 'asked', ...found };
}

interface Row extends Record<Exclude<keyof CountedStatement, 'id' | 'text'>, string> {
  id: string;
  text: string;
  since: Date;
}

async function readStatements(
  server: Administrator,
  name: string,
  sort: StatementSort,
): Promise<Omit<CountedStatements, 'state'>> {
  await makeExtension(server);
  const { rows } = await server.query<Row>(
    `with counted as (
       select queryid::text as id, left(min(query), ${LENGTH}) as text, sum(calls) as calls,
         sum(total_exec_time) as total, sum(total_exec_time) / sum(calls) as mean, max(max_exec_time) as longest,
         sum(rows) as rows, min(stats_since) as since
       from pg_stat_statements
       join pg_database on pg_database.oid = dbid and datname = $1
       join pg_roles on pg_roles.oid = userid and not rolsuper
       where calls > 0 group by queryid
     )
     select id, text, calls, total, mean, longest, rows, coalesce(total / nullif(sum(total) over (), 0), 0) as share,
       min(since) over () as since
     from counted order by ${pg.escapeIdentifier(sort)} desc, id limit ${MOST}`,
    [name],
  );
  return {
    since: rows[0]?.since.toISOString() ?? null,
    statements: rows.map((row) => ({
      id: row.id,
      text: withoutValues(row.text),
      calls: Number(row.calls),
      total: Number(row.total),
      mean: Number(row.mean),
      longest: Number(row.longest),
      rows: Number(row.rows),
      share: Number(row.share),
    })),
  };
}

/** The server counts without it: it is what shows that to the administrator, of all databases. */
async function makeExtension(server: Administrator): Promise<void> {
  const { rows } = await server.query<{ made: boolean }>(
    "select to_regclass('pg_stat_statements') is not null as made",
  );
  if (rows[0]?.made) return;
  try {
    await server.query('create extension if not exists pg_stat_statements');
  } catch (error) {
    if (!(error instanceof pg.DatabaseError && MADE_MEANWHILE.has(error.code ?? ''))) throw error;
  }
}

/**
 * PostgreSQL takes the values out, but not where it forgot the statement while that ran: from a quote on, the rest may
 * be somebody's secret.
 */
export function withoutValues(text: string): string {
  const at = text.search(/'|\$(?!\d)/);
  return at < 0 ? text : `${text.slice(0, at)}…`;
}

/** Throws as `listStatements`, and 409 SHARED_SERVER. */
export async function resetStatements(
  ctx: UserContext,
  parts: FiguresParts,
  { id }: { id: string },
  once: Once<UserContext>,
): Promise<{ success: true }> {
  const { engineName: name, name: subject } = await findObserved(ctx.db, ctx.ownerId, id);
  const observer = observerOf(parts);
  const engine = { engine: parts.servers.postgresql, log: parts.log };
  if (!(await asked(engine, () => observer.hasOwnServer(name)))) throw conflict('SHARED_SERVER', NOT_COUNTED);
  // Whoever repeats it wants it as much.
  await once(async ({ audit }) => {
    audit.note({ subject: { name: subject } });
    return { success: true as const };
  });
  await asked(engine, () =>
    observer.during(name, async (server) => {
      await makeExtension(server);
      await server.query('select pg_stat_statements_reset(dbid => oid) from pg_database where datname = $1', [
        name,
      ]);
    }),
  );
  return { success: true };
}

/** Starts a database's server where it sleeps. Throws as `listStatements`. */
export async function wake(
  { db, ownerId }: UserContext,
  parts: FiguresParts,
  { id }: { id: string },
): Promise<{ success: true }> {
  const { engineName: name } = await findObserved(db, ownerId, id);
  const observer = observerOf(parts);
  await asked({ engine: parts.servers.postgresql, log: parts.log }, () =>
    observer.during(name, async () => {}),
  );
  return { success: true };
}
