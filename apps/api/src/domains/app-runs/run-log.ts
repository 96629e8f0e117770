import { type appRuns, type LogChunk, MAX_RUN_LOG_BYTES } from '@nephos/contracts';
import type { BytesAnswer, Tracked } from '@nephos/contracts/kit';
import type { Database } from '@nephos/db';
import { type Kysely, sql } from 'kysely';
import type { Logger } from 'pino';
import type { z } from 'zod';
import type { UserContext } from '../../core/context.ts';
import type { Notifications } from '../../platform/notifications.ts';
import type { LogWriter } from '../deployments/engine/engine.ts';
import { createBoundedWriter, type PieceStore } from '../deployments/log-store.ts';
import { followPieces, type LogPages, textOf } from '../deployments/stored-log.ts';
import { APP_RUN_CHANGED, APP_RUN_LOG } from './channels.ts';
import { findRun, UNFINISHED } from './read.ts';

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

function pagesOf(db: Kysely<Database>, runId: string): LogPages {
  return (after, limit) =>
    db
      .selectFrom('appRunLog')
      .select(['seq', 'stream', 'text', 'at'])
      .where('runId', '=', runId)
      .where('seq', '>', after)
      .orderBy('seq')
      .limit(limit)
      .execute();
}

/** A run's output as plain text; a file to save where `download` is `1`. Throws 404. */
export async function readRunText(
  { db, ownerId }: UserContext,
  input: z.output<typeof appRuns.logText.input>,
): Promise<BytesAnswer> {
  const { id } = await findRun(db, ownerId, input.id);
  return textOf(pagesOf(db, id), input.download === '1' ? `run-${id}.log` : undefined);
}

/** A run's output: what there is after the event `lastEventId`, then what comes, until it has ended. */
export async function* followRunLog(
  { db, ownerId, signal }: UserContext,
  notifications: Notifications,
  { id, lastEventId }: { id: string; lastEventId: string | undefined },
): AsyncGenerator<Tracked<LogChunk>> {
  await findRun(db, ownerId, id);
  yield* followPieces(notifications, {
    ...{ id, lastEventId, signal, pages: pagesOf(db, id) },
    channels: [APP_RUN_LOG, APP_RUN_CHANGED],
    isOpen: () => isUnfinished(db, id),
  });
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
