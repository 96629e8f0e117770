import type { LogChunk } from '@nephos/contracts';
import type { BytesAnswer, Tracked } from '@nephos/contracts/kit';
import { follow } from '../../platform/follow.ts';
import type { Notifications } from '../../platform/notifications.ts';

/** Rows of a page: at most 16 Ki characters of text each, so that a page stays small. */
const PAGE_ROWS = 50;

/** Reads up to `limit` pieces of a log, those after the number `after`, in their order. */
export type LogPages = (after: number, limit: number) => Promise<LogChunk[]>;

/** A stored log after `seq`, read page by page. */
export async function* readPieces(pages: LogPages, seq = 0): AsyncGenerator<LogChunk> {
  let last = seq;
  for (;;) {
    const rows = await pages(last, PAGE_ROWS);
    yield* rows;
    last = rows.at(-1)?.seq ?? last;
    if (rows.length < PAGE_ROWS) return;
  }
}

/** A stored log as plain text, ANSI sequences kept; a file to save where it has a name. */
export function textOf(pages: LogPages, fileName: string | undefined): BytesAnswer {
  return {
    type: 'text/plain; charset=utf-8',
    ...(fileName !== undefined && { fileName }),
    async *body() {
      for await (const { text } of readPieces(pages)) yield text;
    },
  };
}

interface Following {
  id: string;
  /** Channels that tell of new pieces and of the end, by words that name the id. */
  channels: readonly [string, string];
  pages: LogPages;
  /** Whether more is written to it. */
  isOpen(): Promise<boolean>;
  /** Milliseconds that last words are waited for after an end; absent: they are there by then. */
  quiet?: number;
  lastEventId: string | undefined;
  signal: AbortSignal | undefined;
}

/** A log as it grows: what there is after the event `lastEventId`, then what comes, until it has ended. */
export async function* followPieces(
  notifications: Notifications,
  { id, channels, pages, isOpen, quiet, lastEventId, signal }: Following,
): AsyncGenerator<Tracked<LogChunk>> {
  const follower = follow(notifications, { channels, concerns: (about) => about.includes(id), signal });
  try {
    let seq = lastEventId !== undefined && /^\d{1,9}$/.test(lastEventId) ? Number(lastEventId) : 0;
    let sawItOpen = false;
    for (;;) {
      // Asked before reading: what an ended run wrote is all there by then.
      const isStillOpen = await isOpen();
      for await (const chunk of readPieces(pages, seq)) {
        if (signal?.aborted) return;
        seq = chunk.seq;
        yield { id: String(seq), data: chunk };
      }
      if (!isStillOpen && (quiet === undefined || !sawItOpen)) return;
      sawItOpen = true;
      if ((await follower.turn(isStillOpen ? undefined : quiet)) !== 'news') return;
    }
  } finally {
    follower.end();
  }
}
