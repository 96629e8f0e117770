import { setTimeout as wait } from 'node:timers/promises';
import { atomically } from '@nephos/db';
import { sql } from 'kysely';
import { archiveOf, isFree } from './archives.ts';
import { keepLog, NotNow } from './keep-log.ts';
import type { PastParts } from './parts.ts';
import type { PastWork } from './work.ts';

export interface ArchiverTimes {
  /** Milliseconds between two looks at servers that run. */
  lookEvery: number;
  /** Milliseconds for which a database has run before its first backup. */
  firstAfter: number;
}

const TIMES: ArchiverTimes = { lookEvery: 5000, firstAfter: 20_000 };
/** Milliseconds between two looks at a server that sleeps: it may have run meanwhile. */
const ASLEEP_EVERY = 60_000;
/** Milliseconds after a first backup that failed. */
const FIRST_AGAIN = 15 * 60_000;

/** What keeps the past of the databases of this machine, as long as the process runs. */
export interface Archiver {
  start(): void;
  stop(): Promise<void>;
}

export function createArchiver(
  parts: PastParts,
  work: Pick<PastWork, 'backUp' | 'sweep'>,
  { lookEvery, firstAfter }: ArchiverTimes = TIMES,
): Archiver {
  const { db, past, log } = parts;
  const stopping = new AbortController();
  /** Of servers that slept: when they were looked at. */
  const asleep = new Map<string, number>();
  /** Since when servers run. */
  const awake = new Map<string, number>();
  /** Whether a database's log can be kept, as its archive says. */
  const wellKept = new Map<string, boolean>();
  /** When those are looked at again that had a backup, or were getting one. */
  const begun = new Map<string, number>();
  let running: Promise<void> = Promise.resolve();

  async function look(): Promise<void> {
    for (const { name, activity } of past?.list() ?? []) {
      if (stopping.signal.aborted) return;
      const now = performance.now();
      if (activity === 'asleep') {
        awake.delete(name);
        if (now - (asleep.get(name) ?? Number.NEGATIVE_INFINITY) < ASLEEP_EVERY) continue;
      } else if (!awake.has(name)) awake.set(name, now);
      const done = await keepWell(name);
      if (activity === 'asleep' && done) asleep.set(name, now);
      else asleep.delete(name);
    }
    await beginFirst();
    // Among those may be a database that somebody wants to be brought back once more.
    await work.sweep();
  }

  async function keepWell(name: string): Promise<boolean> {
    try {
      await keepLog(parts, name);
      if (!wellKept.get(name)) await say(name, true);
      return true;
    } catch (error) {
      if (error instanceof NotNow) return false;
      log.warn({ err: error, database: name }, 'the log of a database could not be kept');
      // Each time: what was said may have gone with a swap.
      await say(name, false);
      return false;
    }
  }

  async function say(name: string, well: boolean): Promise<void> {
    await db
      .updateTable('databaseArchives')
      .from('managedDatabases')
      .whereRef('managedDatabases.id', '=', 'databaseArchives.databaseId')
      .where('engineName', '=', name)
      .where('behindSince', well ? 'is not' : 'is', null)
      .set({ behindSince: well ? null : sql<string>`clock_timestamp()` })
      .execute();
    wellKept.set(name, well);
  }

  /** The first backup of databases that have none, once they have been running for a moment. */
  async function beginFirst(): Promise<void> {
    const now = performance.now();
    const names = [...awake].flatMap(([name, since]) =>
      now - since >= firstAfter && now > (begun.get(name) ?? 0) ? [name] : [],
    );
    if (names.length === 0) return;
    const rows = await db
      .selectFrom('managedDatabases')
      .select(['id', 'ownerId', 'engineName'])
      .where('engineName', 'in', names)
      .where('status', '=', 'available')
      .where('work', 'is', null)
      .execute();
    for (const { id: databaseId, ownerId, engineName } of rows) {
      await atomically(db, async (trx) => {
        if (!(await isFree(trx, databaseId))) return;
        const archiveId = await archiveOf(trx, { ownerId, databaseId });
        const { rows: recent } = await sql`
          select from database_backups
          where archive_id = ${archiveId}
            and (status <> 'failed' or started_at > clock_timestamp() - make_interval(secs => ${FIRST_AGAIN / 1000}))
          limit 1`.execute(trx);
        if (recent.length === 0) await work.backUp(trx, archiveId);
      });
      begun.set(engineName, now + FIRST_AGAIN);
    }
  }

  async function lookOn(): Promise<void> {
    while (!stopping.signal.aborted) {
      await look().catch((error) =>
        log.warn({ err: error }, 'the past of databases could not be looked after'),
      );
      await wait(lookEvery, undefined, { ref: false, signal: stopping.signal }).catch(() => {});
    }
  }

  return {
    start() {
      if (past) running = lookOn();
    },
    async stop() {
      stopping.abort();
      await running;
    },
  };
}
