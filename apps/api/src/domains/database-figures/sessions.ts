import type { DatabaseSession, DatabaseSessions } from '@nephos/contracts';
import { Earlier, type Once } from '@nephos/contracts/implement';
import type { UserContext } from '../../core/context.ts';
import type { Administrator } from '../databases/engines/postgres/observer.ts';
import { asked } from '../databases/server-failure.ts';
import { type FiguresParts, findObserved, observerOf } from './find-observed.ts';

/** Sessions that are answered, and characters of what each runs. */
const MOST = 100;
const LENGTH = 2000;

/** Tells a session from a later one whose process has the same number. */
const ID = `activity.pid || '-' || (extract(epoch from backend_start) * 1000000)::bigint`;
/** Sessions of clients at one database whose users are not the administrator. */
const OF_USERS = `pg_stat_activity activity join pg_roles on pg_roles.oid = usesysid and not rolsuper
  and rolname <> current_user
  where backend_type = 'client backend' and datname = $1`;

/** Throws 404, 409 NOT_POSTGRESQL and NOT_AVAILABLE, and 503. */
export async function listSessions(
  { db, ownerId }: UserContext,
  parts: FiguresParts,
  { id }: { id: string },
): Promise<DatabaseSessions> {
  const { engineName: name } = await findObserved(db, ownerId, id);
  const sessions = await asked({ engine: parts.servers.postgresql, log: parts.log }, () =>
    observerOf(parts).look(name, (server) => readSessions(server, name)),
  );
  return sessions ? { state: 'asked', sessions } : { state: 'asleep', sessions: [] };
}

interface Row extends Omit<DatabaseSession, 'since' | 'transactionSince' | 'waitsFor' | 'waitsSince'> {
  since: Date;
  transactionSince: Date | null;
  waitsSince: Date | null;
  pid: number;
  blockers: number[];
}

/** Those that wait first, then who works longest. */
async function readSessions(server: Administrator, name: string): Promise<DatabaseSession[]> {
  const { rows } = await server.query<Row>(
    `select ${ID} as id, activity.pid, usename as user, application_name as application, coalesce(state, '') as state,
       coalesce(state_change, backend_start) as since, xact_start as "transactionSince",
       left(query, ${LENGTH}) as statement,
       case when wait_event_type = 'Lock' then pg_blocking_pids(activity.pid) else '{}' end as blockers,
       case when wait_event_type = 'Lock' then coalesce(
         (select min(waitstart) from pg_locks where pg_locks.pid = activity.pid and not granted), query_start)
       end as "waitsSince"
     from ${OF_USERS}
     order by "waitsSince", xact_start nulls last, backend_start limit ${MOST}`,
    [name],
  );
  const ids = new Map(rows.map(({ pid, id }) => [pid, id]));
  return rows.map(({ pid: _, blockers, since, transactionSince, waitsSince, ...row }) => ({
    ...row,
    since: since.toISOString(),
    transactionSince: transactionSince?.toISOString() ?? null,
    waitsFor: [...new Set(blockers)].flatMap((pid) => ids.get(pid) ?? []),
    waitsSince: waitsSince?.toISOString() ?? null,
  }));
}

interface Signal {
  id: string;
  session: string;
  how: 'cancel' | 'terminate';
}

/** Cancels what a session runs, or ends it. One of a server that sleeps is gone. Throws as `listSessions`. */
export async function signalSession(
  ctx: UserContext,
  parts: FiguresParts,
  { id, session, how }: Signal,
  once: Once<UserContext>,
): Promise<{ found: boolean } | Earlier<{ found: boolean }>> {
  const { engineName: name, name: subject } = await findObserved(ctx.db, ctx.ownerId, id);
  const observer = observerOf(parts);
  const wanted = await once(async ({ audit }) => {
    audit.note({ subject: { name: subject } });
    return { found: true };
  });
  // The session may run something else by now. To end it twice is the same as once.
  if (wanted instanceof Earlier && how === 'cancel') return wanted;
  const signalled = await asked({ engine: parts.servers.postgresql, log: parts.log }, () =>
    observer.look(name, async (server) => {
      const { rowCount } = await server.query(
        `select pg_${how}_backend(activity.pid) from ${OF_USERS} and ${ID} = $2`,
        [name, session],
      );
      return rowCount ?? 0;
    }),
  );
  return { found: Boolean(signalled) };
}
