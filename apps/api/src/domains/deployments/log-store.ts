import { setTimeout as sleep } from 'node:timers/promises';
import { MAX_LOG_BYTES } from '@nephos/contracts';
import type { Database } from '@nephos/db';
import { type Kysely, sql } from 'kysely';
import type { Logger } from 'pino';
import { DEPLOYMENT_LOG } from './channels.ts';
import type { LogWriter } from './engine/engine.ts';
import { createLogText, fitInto, PIECE_LENGTH, type Piece, type Stream, TRUNCATED } from './log-text.ts';

const BATCH_MS = 100;
const RETRY_MS = 1000;
/** How long `close` waits for a database that is away. */
const CLOSE_MS = 30_000;

interface Masked {
  log: Logger;
  /** Values that must not be readable in the log; asked for once, before anything is stored. */
  secrets(): Promise<string[]>;
}

export interface LogOptions extends Masked {
  db: Kysely<Database>;
  deploymentId: string;
  /** Bytes of UTF-8 that the log can have. */
  limit?: number;
}

/** Where a log's pieces go. */
export interface PieceStore {
  /** Bytes that it holds; undefined where what the log is of is gone. */
  size(): Promise<number | undefined>;
  /** Appends pieces of so many bytes; false where what the log is of is gone. */
  append(pieces: Piece[], bytes: number): Promise<boolean>;
}

interface BoundedOptions extends Masked {
  limit: number;
  /** What it ends with when it is full. */
  marker: string;
  pieces: PieceStore;
}

/** A writer that appends to one deployment's log. */
export function createLogWriter({ db, deploymentId, limit = MAX_LOG_BYTES, ...masked }: LogOptions) {
  const size = async () => {
    const query = db.selectFrom('deployments').select('logBytes').where('id', '=', deploymentId);
    return (await query.executeTakeFirst())?.logBytes;
  };
  const append: PieceStore['append'] = (pieces, bytes) => appendPieces(db, deploymentId, pieces, bytes);
  return createBoundedWriter({ ...masked, limit, marker: TRUNCATED, pieces: { size, append } });
}

/**
 * A writer that appends to a log in batches. It never throws and never holds more than the log may have; while the
 * database is away it waits, and only when that outlasts `close` is text lost.
 */
export function createBoundedWriter(options: BoundedOptions): LogWriter {
  const { limit } = options;
  const store = createStore(options);
  const pending: Piece[] = [];
  let pendingLength = 0;
  let timer: NodeJS.Timeout | undefined;
  let stored: Promise<void> = Promise.resolve();
  let closeBy: number | undefined;

  function accept(stream: Stream, text: string): void {
    // What is too much for the log even before it is stored is not kept in memory either.
    if (closeBy !== undefined || pendingLength > limit || store.isFull()) return;
    pending.push({ stream, text });
    pendingLength += text.length;
    if (pendingLength >= PIECE_LENGTH) flush();
    else timer ??= setTimeout(flush, BATCH_MS);
  }

  function flush(): void {
    clearTimeout(timer);
    timer = undefined;
    stored = stored.then(() => store.append(takePending, () => closeBy));
  }

  function takePending(): Piece[] {
    pendingLength = 0;
    return pending.splice(0);
  }

  return {
    write: accept,
    system: (text) => accept('system', `${text}\n`),
    close() {
      if (closeBy === undefined) {
        closeBy = Date.now() + CLOSE_MS;
        flush();
      }
      return stored;
    },
  };
}

/** A stored log, masked, within its bound. */
function createStore({ log, secrets, limit, marker, pieces: stored }: BoundedOptions) {
  /** Bytes that are left. Below 0: the log is full, and says so. */
  let room = 0;
  let textOf: ReturnType<typeof createLogText> | undefined;

  async function prepare(): Promise<void> {
    const size = await stored.size();
    room = size === undefined ? -1 : limit - size;
    textOf = createLogText(await secrets());
  }

  /** Goes on trying until it succeeds, or the instant is past that `until` names. */
  async function stubbornly(work: () => Promise<void>, until: () => number | undefined): Promise<void> {
    for (;;) {
      try {
        return await work();
      } catch (error) {
        log.warn({ err: error }, 'a log could not be stored yet');
        const end = until();
        if (end !== undefined && Date.now() > end) return;
      }
      await sleep(RETRY_MS);
    }
  }

  return {
    isFull: () => textOf !== undefined && room < 0,
    /** Appends what is pending by then. Once `closeBy` names an instant nothing follows, and that ends all attempts. */
    async append(pending: () => Piece[], closeBy: () => number | undefined): Promise<void> {
      if (!textOf) await stubbornly(prepare, closeBy);
      if (!textOf || room < 0) return;
      const pieces = textOf(pending(), closeBy() !== undefined);
      if (pieces.length === 0) return;
      const fitting = fitInto(room, pieces, marker);
      const bytes = fitting.bytes + (fitting.truncated ? 1 : 0);
      let isThere = false;
      await stubbornly(async () => {
        isThere = await stored.append(fitting.pieces, bytes);
      }, closeBy);
      room = isThere ? room - bytes : -1;
    },
  };
}

/** One statement, so that pieces of several writers are numbered without gaps; false when the deployment is gone. */
async function appendPieces(
  db: Kysely<Database>,
  deploymentId: string,
  pieces: Piece[],
  bytes: number,
): Promise<boolean> {
  const streams = pieces.map(({ stream }) => stream);
  const texts = pieces.map(({ text }) => text);
  const { rows } = await sql`
    with log as (
      update deployments set log_seq = log_seq + ${pieces.length}, log_bytes = log_bytes + ${bytes}
      where id = ${deploymentId}
      returning id, log_seq - ${pieces.length} as seq
    ), stored as (
      insert into deployment_log (deployment_id, seq, stream, text)
      select log.id, log.seq + piece.n, piece.stream, piece.text
      from log, unnest(${streams}::text[], ${texts}::text[]) with ordinality as piece (stream, text, n)
    )
    select pg_notify(${DEPLOYMENT_LOG}, log.id::text) from log`.execute(db);
  return rows.length > 0;
}
