import type { Logger } from 'pino';
import type { SettingsRecords } from '../../../database-settings.ts';
import type { Cluster } from './cluster.ts';
import type { Clusters } from './clusters.ts';
import { CLOSED, closedRefusal, type Fullness, fullHint, fullnessOf, NEARLY } from './fullness.ts';

export interface StorageGuardParts {
  clusters: Pick<Clusters, 'find' | 'all' | 'size'>;
  records: SettingsRecords;
  log: Logger;
  /** Milliseconds between two looks at what may soon be full; by default 2 s. */
  lookEvery?: number | undefined;
}

/** Sees to it that no database grows beyond what its owner chose. */
export interface StorageGuard {
  start(): void;
  stop(): void;
  /** Why nobody is let in to a database, as far as that is known; its server need not be woken for them. */
  refusalFor(name: string): string | undefined;
  /** Before a client of a database that is awake is let in: what holds for it holds from its first statement. */
  settled(name: string): Promise<void>;
  /** What a client has to do where a statement of its may not write; undefined while it may. */
  hintFor(name: string): string | undefined;
  /** Looks at one now, since something was chosen for it. It is not woken for that. */
  look(name: string): Promise<void>;
  /** What was known of one does not hold any more: there is something else in it. */
  forget(name: string): void;
}

const LOOK = 2000;
const LONGEST_PAUSE = 60_000;
/** Bytes in a millisecond: faster than that, nothing fills a disk. */
const FASTEST = 500_000;

interface Held {
  found?: Fullness;
  /** Whether the server has been told to be read-only; undefined: not known. */
  told?: boolean;
  /** When it became so. */
  since: Date;
  /** When to look again, by `performance.now()`. */
  dueAt: number;
  looking: Promise<unknown>;
}

export function createStorageGuard({
  clusters,
  records,
  log,
  lookEvery = LOOK,
}: StorageGuardParts): StorageGuard {
  const known = new WeakMap<Cluster, Held>();
  let timer: NodeJS.Timeout | undefined;
  let stopped = false;

  function heldOf(cluster: Cluster): Held {
    const held = known.get(cluster) ?? { since: new Date(0), dueAt: 0, looking: Promise.resolve() };
    known.set(cluster, held);
    return held;
  }

  function foundOf(name: string): Fullness | undefined {
    const cluster = clusters.find(name);
    return cluster && known.get(cluster)?.found;
  }

  function failed(name: string, error: unknown): void {
    log.warn({ err: error, database: name }, 'the storage of a database could not be looked at');
  }

  /** One after the other. Resolves once the server is told. */
  function lookAt(name: string, cluster: Cluster, isAsked = false): Promise<void> {
    const held = heldOf(cluster);
    const looking = held.looking.then(() => measure(name, cluster, { held, isAsked }));
    held.looking = looking.catch(() => {});
    return looking;
  }

  async function measure(
    name: string,
    cluster: Cluster,
    { held, isAsked }: { held: Held; isAsked: boolean },
  ): Promise<void> {
    held.dueAt = performance.now() + lookEvery;
    const settings = await records.settingsOf(name);
    if (!settings) return;
    const before = held.found;
    const found = fullnessOf(await clusters.size(name), settings, before);
    held.found = found;
    held.dueAt = performance.now() + pauseAfter(found);
    if (isAsked || found.state !== before?.state) await records.storageBecame(name, found.state);
    if (cluster.activity !== 'awake') return;
    await tell(cluster, held, found.readOnly);
    await endSessions(cluster, held, found);
  }

  function pauseAfter({ size, limit, state, ceiling }: Fullness): number {
    if (ceiling !== undefined || state === 'full' || state === 'closed') return lookEvery;
    const next = [NEARLY, 1, CLOSED].map((share) => share * limit).find((bytes) => bytes > size) ?? size;
    return Math.max(lookEvery, Math.min(LONGEST_PAUSE, (next - size) / FASTEST));
  }

  /** Its sessions follow at their next transaction, but for those that said otherwise themselves. */
  async function tell(cluster: Cluster, held: Held, readOnly: boolean): Promise<void> {
    if (held.told === readOnly) return;
    await cluster.during(async (pool) => {
      // Its turn may have come after it was forgotten.
      if (known.get(cluster) !== held) return;
      const { rowCount } = await pool.query(
        "select from pg_file_settings where name = 'default_transaction_read_only' and setting = 'on'",
      );
      if ((rowCount ?? 0) > 0 !== readOnly) {
        await pool.query(`alter system ${readOnly ? 'set default_transaction_read_only = on' : RESET}`);
        await pool.query('select pg_reload_conf()');
      }
    });
    held.told = readOnly;
    held.since = new Date();
  }

  /** Those of a closed database; of a read-only one, those that began before and do nothing, since they have no hint. */
  async function endSessions(cluster: Cluster, held: Held, { state, readOnly }: Fullness): Promise<void> {
    if (!readOnly || cluster.connections === 0) return;
    await cluster.during((pool) =>
      pool.query(
        `select pg_terminate_backend(pid) from pg_stat_activity
         where backend_type = 'client backend' and usename <> 'postgres'
           and ($1 or (state = 'idle' and backend_start < $2))`,
        [state === 'closed', held.since],
      ),
    );
  }

  async function lookAround(): Promise<void> {
    for (const [name, cluster] of clusters.all()) {
      if (cluster.activity !== 'awake') continue;
      if (stopped) return;
      if (heldOf(cluster).dueAt > performance.now()) continue;
      await lookAt(name, cluster).catch((error) => failed(name, error));
    }
  }

  function lookOn(): void {
    timer = setTimeout(async () => {
      await lookAround();
      if (!stopped) lookOn();
    }, lookEvery).unref();
  }

  return {
    start: lookOn,
    stop() {
      stopped = true;
      clearTimeout(timer);
    },
    refusalFor(name) {
      const found = foundOf(name);
      return found?.state === 'closed' ? closedRefusal(found) : undefined;
    },
    async settled(name) {
      const cluster = clusters.find(name);
      if (!cluster) return;
      const { found, told } = heldOf(cluster);
      if (found && told === found.readOnly) return;
      // Where our own data is away, nobody is kept from theirs.
      await lookAt(name, cluster).catch((error) => failed(name, error));
    },
    hintFor(name) {
      const found = foundOf(name);
      return found?.readOnly ? fullHint(found) : undefined;
    },
    async look(name) {
      const cluster = clusters.find(name);
      if (cluster) await lookAt(name, cluster, true);
    },
    forget(name) {
      const cluster = clusters.find(name);
      if (cluster) known.delete(cluster);
    },
  };
}

const RESET = 'reset default_transaction_read_only';
