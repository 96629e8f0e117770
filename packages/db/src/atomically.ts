import type { Kysely } from 'kysely';
import type { Database } from './schema/database.ts';

const MAX_ATTEMPTS = 5;
/** SQLSTATEs of a transaction that lost against another and may be tried again as it is. */
const RETRYABLE = new Set(['40001', '40P01']);

/** Whether PostgreSQL ended a transaction that may be tried again as it is. */
export function isRetryable(error: unknown): boolean {
  return error instanceof Error && 'code' in error && RETRYABLE.has(String(error.code));
}

/**
 * Runs `work` in the transaction that `db` already is, or in a new one. A new one that PostgreSQL ends for a
 * deadlock or a serialization conflict is tried up to five times, so `work` must do nothing outside of it.
 */
export async function atomically<T>(
  db: Kysely<Database>,
  work: (trx: Kysely<Database>) => Promise<T>,
): Promise<T> {
  if (db.isTransaction) return work(db);
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await db.transaction().execute(work);
    } catch (error) {
      if (attempt === MAX_ATTEMPTS || !isRetryable(error)) throw error;
      await new Promise((resolve) => setTimeout(resolve, Math.random() * 20 * attempt));
    }
  }
}
