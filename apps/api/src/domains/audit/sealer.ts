import type { Database } from '@nephos/db';
import { type Kysely, sql } from 'kysely';
import type { Platform } from '../../platform/platform.ts';
import { linkTransactions } from '../ledger/chain.ts';
import { sealRecords } from './seal.ts';

/** Milliseconds between two looks for what waits. */
const PAUSE = 1000;

async function hasWork(db: Kysely<Database>): Promise<boolean> {
  const { rows } = await sql<{ waits: boolean }>`
    select exists (select from audit_records where position is null)
      or exists (select from ledger_unlinked) as waits`.execute(db);
  return rows[0]?.waits ?? false;
}

/** Seals records and links the ledger's transactions within seconds of their commit, one replica at a time. */
export function createSealer({ db, log }: Pick<Platform, 'db' | 'log'>) {
  let timer: NodeJS.Timeout | undefined;
  let working = Promise.resolve();
  let ended = false;

  async function look(): Promise<void> {
    try {
      if (!(await hasWork(db))) return;
      await sealRecords(db);
      await linkTransactions(db);
    } catch (error) {
      if (!ended) log.warn({ err: error }, 'records could not be sealed, and are tried again');
    }
  }

  function wait(): void {
    if (ended) return;
    timer = setTimeout(() => {
      working = look().then(wait);
    }, PAUSE).unref();
  }

  return {
    start: () => wait(),
    async stop() {
      ended = true;
      clearTimeout(timer);
      await working;
    },
  };
}
