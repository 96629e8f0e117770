import type { Database } from '@nephos/db';
import { type Kysely, sql } from 'kysely';
import type { Platform } from '../../platform/platform.ts';
import { linkTransactions } from '../ledger/chain.ts';
import { createUnsealable, type Sealing, sealRecords } from './seal.ts';

/** Milliseconds between two looks for what waits. */
const PAUSE = 1000;

async function hasWork(db: Kysely<Database>): Promise<boolean> {
  const { rows } = await sql<{ waits: boolean }>`
    select exists (select from audit_log where position is null)
      or exists (select from ledger_unlinked) as waits`.execute(db);
  return rows[0]?.waits ?? false;
}

/** Seals records and links the ledger's transactions within seconds of their commit, one replica at a time. */
export function createSealer({ db, log }: Pick<Platform, 'db' | 'log'>) {
  let timer: NodeJS.Timeout | undefined;
  let working = Promise.resolve();
  const ending = new AbortController();
  const { signal } = ending;
  // They are tried again after the next start.
  const unsealable = createUnsealable();

  const onUnsealable: NonNullable<Sealing['onUnsealable']> = ({ id, chain }, error, isWhole) => {
    const what = isWhole
      ? 'records of a workspace cannot be sealed: no more of them are tried before the next start'
      : 'a record of who did what cannot be sealed: the others are';
    log.error({ err: error, record: id, workspace: chain }, what);
  };

  /** One of them is done though the other fails. */
  async function attempt(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      if (!signal.aborted) log.warn({ err: error }, 'records could not be sealed, and are tried again');
    }
  }

  async function look(): Promise<void> {
    await attempt(async () => {
      if (!(await hasWork(db))) return;
      await attempt(() => sealRecords(db, { unsealable, onUnsealable, signal }));
      await attempt(() => linkTransactions(db, signal));
    });
  }

  function wait(): void {
    if (signal.aborted) return;
    timer = setTimeout(() => {
      working = look().then(wait);
    }, PAUSE).unref();
  }

  return {
    start: () => wait(),
    async stop() {
      ending.abort();
      clearTimeout(timer);
      await working;
    },
  };
}
