import { rateLimited } from '../core/errors.ts';

/** Streams that one person may have open at once on one replica. */
const MOST_STREAMS = 32;
/** Seconds after which a refused stream may be asked for again. */
const RETRY_SECONDS = 10;

export interface StreamReader {
  userId: string;
  /** The workspace that it is read in. */
  workspaceId: string | null;
  /** When it has to end at the latest, in milliseconds since 1970. */
  until?: number | null | undefined;
  /** Ends the connection. */
  hangUp(): void;
  /** Aborts when the stream is over, however it ends. */
  signal: AbortSignal | undefined;
}

/** Streams of events that are being read, so that nobody holds the server's memory and database for themselves. */
export interface Streams {
  /** Counts one until it is over. Throws 429 when the person has as many as allowed. */
  begin(reader: StreamReader): void;
  /** Hangs up on a person, of one workspace or altogether; who still may read comes back, and is asked again. */
  endOf(reader: { userId: string; workspaceId?: string }): void;
  /** Hangs up on every reader; they would otherwise hold the server open for as long as they read. */
  endAll(): void;
}

export function createStreams(): Streams {
  const readers = new Map<string, Set<StreamReader>>();
  return {
    begin(reader) {
      const { userId, until, signal } = reader;
      const theirs = readers.get(userId) ?? new Set();
      if (theirs.size >= MOST_STREAMS) throw rateLimited(RETRY_SECONDS);
      if (!signal || signal.aborted) return;
      readers.set(userId, theirs.add(reader));
      const timer = until && setTimeout(reader.hangUp, until - Date.now()).unref();
      const end = () => {
        if (timer) clearTimeout(timer);
        theirs.delete(reader);
        if (theirs.size === 0 && readers.get(userId) === theirs) readers.delete(userId);
      };
      signal.addEventListener('abort', end, { once: true });
    },
    endOf({ userId, workspaceId }) {
      for (const reader of [...(readers.get(userId) ?? [])]) {
        if (workspaceId === undefined || reader.workspaceId === workspaceId) reader.hangUp();
      }
    },
    endAll() {
      for (const { hangUp } of [...readers.values()].flatMap((theirs) => [...theirs])) hangUp();
    },
  };
}
