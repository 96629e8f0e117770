import type { Database } from '@nephos/db';
import { type Kysely, sql } from 'kysely';

/** Milliseconds between two signs of life. */
const BEAT_MS = 2000;
/** What is said of a run whose process was killed. */
export const CUT_SHORT = 'It was cut short.';

/** A run that is going on, as the admin page shows it. */
export interface RunRecord {
  step(words: string): void;
  /** Told of bytes as they are read. */
  told(bytes: number): void;
  /** Aborts when somebody cancelled it. */
  signal: AbortSignal;
  done(result: { bytes: number; added: number; missing: string[] }): Promise<void>;
  failed(error: unknown): Promise<void>;
}

/** Somebody does not want it any more. Its message is for people. */
export class Cancelled extends Error {
  override readonly name = 'Cancelled';
}

/** Notes that a backup or a proof goes on. No other of its kind does, by its lock: what still says so was cut short. */
export async function beginRecord(
  db: Kysely<Database>,
  kind: 'backup' | 'proof',
  expected: number | null,
): Promise<RunRecord> {
  await db
    .updateTable('installationBackups')
    .set({ status: 'failed', error: CUT_SHORT, endedAt: sql`clock_timestamp()` })
    .where('status', '=', 'running')
    .where('kind', '=', kind)
    .execute();
  const { id } = await db
    .insertInto('installationBackups')
    .values({ kind, expected })
    .returning('id')
    .executeTakeFirstOrThrow();
  const controller = new AbortController();
  let [step, done] = ['', 0];
  const beat = async () => {
    const row = await db
      .updateTable('installationBackups')
      .set({ step, done, seenAt: sql`clock_timestamp()` })
      .where('id', '=', id)
      .returning('isCancelled')
      .executeTakeFirst();
    if (row?.isCancelled) controller.abort(new Cancelled('It was cancelled.'));
  };
  // The database may be away for a moment: what counts is written at the end.
  const timer = setInterval(() => void beat().catch(() => {}), BEAT_MS);
  const end = async (values: {
    status: 'done' | 'failed' | 'cancelled';
    bytes?: number;
    added?: number;
    missing?: string[];
    error?: string;
  }) => {
    clearInterval(timer);
    await db
      .updateTable('installationBackups')
      .set({ ...values, done, seenAt: sql`clock_timestamp()`, endedAt: sql`clock_timestamp()` })
      .where('id', '=', id)
      .where('status', '=', 'running')
      .execute();
  };
  return {
    signal: controller.signal,
    step(words) {
      step = words;
    },
    told(bytes) {
      done += bytes;
    },
    done: (result) => end({ status: 'done', ...result }),
    failed: (error) =>
      controller.signal.aborted
        ? end({ status: 'cancelled' })
        : end({ status: 'failed', error: wordsOf(error) }),
  };
}

/** What an error says. */
export function wordsOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
