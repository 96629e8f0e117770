import type pg from 'pg';
import { createPlaces } from '../places.ts';
import type { Clusters } from './clusters/clusters.ts';

/** What a database's server says of it. Counters only grow, until it counts anew. */
export interface Counters {
  /** Of the database at its server. */
  name: string;
  /** Bytes on disk; null where our role may not ask. */
  size: number | null;
  /** Clients that are connected now. */
  connections: number;
  commits: number;
  rollbacks: number;
  /** Pages that were found in the server's memory, and those that were not. */
  pagesHit: number;
  pagesRead: number;
}

/** Looks at PostgreSQL databases as the administrator of their servers. */
export interface PostgresObserver {
  /** Of all whose servers run: those that sleep are left asleep. What does not answer is told to `failed`. */
  counters(failed: (error: unknown) => void): Promise<Counters[]>;
  /** Whether a database has a server for itself. */
  hasOwnServer(name: string): Promise<boolean>;
  /** Asks a database's server where it runs, which does not keep it awake. Resolves with undefined where it sleeps. */
  look<T>(name: string, work: (administrator: Administrator) => Promise<T>): Promise<T | undefined>;
  /** Does something there, for which a server that sleeps is started. */
  during<T>(name: string, work: (administrator: Administrator) => Promise<T>): Promise<T>;
}

/** What can be asked as the administrator. */
export type Administrator = Pick<pg.ClientBase, 'query'>;

/** Connections that are made at once: each is a process of its server. */
const AT_ONCE = 4;

/** As the pools of administrators read them: large numbers as text. */
type CountersRow = Record<keyof Counters, string>;

/** Of the databases of people at a server, or of one of them. */
export async function countersOf(administrator: Administrator, name?: string): Promise<Counters[]> {
  const { rows } = await administrator.query<CountersRow & { size: string | null }>(
    `select datname as name,
       case when has_database_privilege(datid, 'connect') or pg_has_role('pg_read_all_stats', 'usage')
         then pg_database_size(datid) end as size,
       (select count(*) from pg_stat_activity
        where datid = stat.datid and backend_type = 'client backend') as connections,
       xact_commit as commits, xact_rollback as rollbacks, blks_hit as "pagesHit", blks_read as "pagesRead"
     from pg_stat_database stat
     where datname like 'db\\_%' and ($1::text is null or datname = $1)`,
    [name],
  );
  return rows.map((row) => ({
    name: row.name,
    size: row.size === null ? null : Number(row.size),
    connections: Number(row.connections),
    commits: Number(row.commits),
    rollbacks: Number(row.rollbacks),
    pagesHit: Number(row.pagesHit),
    pagesRead: Number(row.pagesRead),
  }));
}

/** Of databases on one server, which is absent where it holds none. */
export function sharedObserver(open: () => Promise<pg.Pool | undefined>): PostgresObserver {
  async function during<T>(name: string, work: (administrator: Administrator) => Promise<T>): Promise<T> {
    const pool = await open();
    if (!pool) throw new Error(`There is no database ${name}.`);
    return work(pool);
  }
  return {
    async counters(failed) {
      try {
        const pool = await open();
        return pool ? await countersOf(pool) : [];
      } catch (error) {
        failed(error);
        return [];
      }
    },
    hasOwnServer: async () => false,
    look: during,
    during,
  };
}

interface ClustersObserverParts {
  clusters: Pick<Clusters, 'all' | 'find'>;
  /** Resolves once it is known which there are. */
  begun(): Promise<void>;
  /** Of databases that have no server of their own. */
  shared: PostgresObserver;
}

/** Of databases with servers of their own, and those on the one that is shared by older ones. */
export function clustersObserver({ clusters, begun, shared }: ClustersObserverParts): PostgresObserver {
  const inPlace = createPlaces(AT_ONCE);

  async function find(name: string) {
    await begun();
    return clusters.find(name);
  }

  return {
    async counters(failed) {
      const own = [...clusters.all()].map(([name, cluster]) =>
        inPlace(() => cluster.observe((client) => countersOf(client, name))).catch((error) => {
          failed(error);
          return undefined;
        }),
      );
      const all = await Promise.all([...own, shared.counters(failed)]);
      return all.flatMap((some) => some ?? []);
    },
    hasOwnServer: async (name) => (await find(name)) !== undefined,
    async look(name, work) {
      const cluster = await find(name);
      return cluster ? cluster.observe(work) : shared.look(name, work);
    },
    async during(name, work) {
      const cluster = await find(name);
      return cluster ? cluster.during(work) : shared.during(name, work);
    },
  };
}
