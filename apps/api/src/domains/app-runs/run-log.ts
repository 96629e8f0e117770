import { type appRuns, type LogChunk, MAX_RUN_LOG_BYTES } from '@nephos/contracts';
import type { BytesAnswer, Tracked } from '@nephos/contracts/kit';
import type { Database } from '@nephos/db';
import { type Kysely, sql } from 'kysely';
import type { Logger } from 'pino';
import type { z } from 'zod';
import type { UserContext } from '../../core/context.ts';
import { follow } from '../../platform/follow.ts';
import type { Notifications } from '../../platform/notifications.ts';
import type { LogWriter } from '../deployments/engine/engine.ts';
import { createBoundedWriter, type PieceStore } from '../deployments/log-store.ts';
import { APP_RUN_CHANGED, APP_RUN_LOG } from './channels.ts';
import { findRun, UNFINISHED } from './read.ts';

/** Rows of a page: at most 16 Ki characters of text each. */
const PAGE_ROWS = 50;
const TRUNCATED = '[output truncated at 1 MB]';

/** A writer that appends to a run's log, without its app's secrets. */
export function createRunLog(
  { db, log }: { db: Kysely<Database>; log: Logger },
  runId: string,
  secrets: () => Promise<string[]>,
): LogWriter {
  const pieces: PieceStore = {
    async size() {
      const row = await db
        .selectFrom('appRuns')
        .select('logBytes')
        .where('id', '=', runId)
        .executeTakeFirst();
      return row?.logBytes;
    },
    async append(pieces, bytes) {
      const streams = pieces.map(({ stream }) => stream);
      const texts = pieces.map(({ text }) => text);
      const { rows } = await sql`
        with log as (
          update app_runs set log_seq = log_seq + ${pieces.length}, log_bytes = log_bytes + ${bytes}
          where id = ${runId}
          returning id, log_seq - ${pieces.length} as seq
        ), stored as (
          insert into app_run_log (run_id, seq, stream, text)
          select log.id, log.seq + piece.n, piece.stream, piece.text
          from log, unnest(${streams}::text[], ${texts}::text[]) with ordinality as piece (stream, text, n)
        )
        select pg_notify(${APP_RUN_LOG}, log.id::text) from log`.execute(db);
      return rows.length > 0;
    },
  };
  return createBoundedWriter({
    ...{ log, pieces, limit: MAX_RUN_LOG_BYTES, marker: TRUNCATED, secrets },
  });
}

/** A run's stored log after `seq`, read page by page. */
async function* readLog(db: Kysely<Database>, runId: string, seq = 0): AsyncGenerator<LogChunk> {
  let last = seq;
  for (;;) {
    const rows = await db
      .selectFrom('appRunLog')
      .select(['seq', 'stream', 'text', 'at'])
      .where('runId', '=', runId)
      .where('seq', '>', last)
      .orderBy('seq')
      .limit(PAGE_ROWS)
      .execute();
    yield* rows;
    last = rows.at(-1)?.seq ?? last;
    if (rows.length < PAGE_ROWS) return;
  }
}

/** A run's output as plain text; a file to save where `download` is `1`. Throws 404. */
export async function readRunText(
  { db, ownerId }: UserContext,
  input: z.output<typeof appRuns.logText.input>,
): Promise<BytesAnswer> {
  const { id } = await findRun(db, ownerId, input.id);
  return {
    type: 'text/plain; charset=utf-8',
    ...(input.download === '1' && { fileName: `run-${id}.log` }),
    async *body() {
      for await (const { text } of readLog(db, id)) yield text;
    },
  };
}

/** A run's output: what there is after the event `lastEventId`, then what comes, until it has ended. */
export async function* followRunLog(
  { db, ownerId, signal }: UserContext,
  notifications: Notifications,
  { id, lastEventId }: { id: string; lastEventId: string | undefined },
): AsyncGenerator<Tracked<LogChunk>> {
  await findRun(db, ownerId, id);
  const channels = [APP_RUN_LOG, APP_RUN_CHANGED];
  const follower = follow(notifications, { channels, concerns: (about) => about.includes(id), signal });
  try {
    let seq = lastEventId !== undefined && /^\d{1,9}$/.test(lastEventId) ? Number(lastEventId) : 0;
    for (;;) {
      // Asked before reading: what an ended run wrote is all there by then.
      const isOpen = await isUnfinished(db, id);
      for await (const chunk of readLog(db, id, seq)) {
        if (signal?.aborted) return;
        seq = chunk.seq;
        yield { id: String(seq), data: chunk };
      }
      if (!isOpen || (await follower.turn()) !== 'news') return;
    }
  } finally {
    follower.end();
  }
}

async function isUnfinished(db: Kysely<Database>, id: string): Promise<boolean> {
  const run = await db
    .selectFrom('appRuns')
    .select('id')
    .where('id', '=', id)
    .where('status', 'in', UNFINISHED)
    .executeTakeFirst();
  return run !== undefined;
}
