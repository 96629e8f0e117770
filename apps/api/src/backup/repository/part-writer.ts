import { createHash } from 'node:crypto';
import type { Bytes } from '../../platform/object-store/object-store.ts';
import { createLanes } from '../lanes.ts';
import { CHUNK_BYTES, type Chunks, ZEROS } from './chunks.ts';
import { createLines } from './list-lines.ts';
import type { Entry, Part, Place } from './manifest.ts';

/** Bytes below which things share a chunk. */
const SMALL = 512 * 1024;
/** Bytes that such a chunk has at least before a name may end it. */
const LEAST = 256 * 1024;
/** One name of so many ends it: so what comes or goes changes the chunk around it, and no other. */
const CUT_EVERY = 32;
/** Chunks that are squeezed and written at once. */
const AT_ONCE = 4;
/** Entries and places after which those that have theirs go to the part's list, so that memory does not grow with them. */
const MOST_WAITING = 8192;

/** Writes one part of a backup. */
export interface PartWriter {
  /** Adds what `source` yields; `entry` gets its places by the time of `end`. */
  add(entry: Stored, source: Bytes): Promise<void>;
  /** Adds what has no bytes, or has them from an earlier backup. */
  note(entry: Entry): Promise<void>;
  /** Begins what may have to be taken back; these may be within each other. */
  attempt(): Attempt;
  /** Bytes that the repository grew by so far. */
  added(): number;
  end(): Promise<Part>;
}

export interface Attempt {
  /** Forgets what was added since. */
  undo(): Promise<void>;
  /** What was added since stays. */
  end(): void;
}

/** Where an attempt began: by what waits, or once some of that was listed, by the part's list. */
interface Begun {
  waiting: number;
  bytes: number;
  list?: { index: number; listed: number };
}

type Stored = Extract<Entry, { at: Place[] }>;

/** `told` is told of bytes as they are read. Throws what `signal` was aborted with. */
export function createPartWriter(
  chunks: Chunks,
  name: string,
  { told, signal }: { told: (bytes: number) => void; signal: AbortSignal },
): PartWriter {
  let waiting: Entry[] = [];
  let listed = 0;
  /** Of `waiting`, the places of their bytes. */
  let places = 0;
  /** Those under way, the outermost first. */
  const attempts: Begun[] = [];
  const index: string[] = [];
  const lines = createLines(async (chunk) => {
    const at = index.push('') - 1;
    await write(chunk, (chunkName) => {
      index[at] = chunkName;
    });
  });
  const writing = createLanes(AT_ONCE);
  let added = 0;
  let bytes = 0;
  let shared: Buffer | undefined;
  let sharedSize = 0;
  let sharers: { entry: Stored; offset: number; size: number }[] = [];

  /** Rooms of chunks that are written: a new one for each costs more than filling it does. */
  const spare: Buffer[] = [];
  const room = () => spare.pop() ?? Buffer.allocUnsafeSlow(CHUNK_BYTES);

  /** Has a chunk written beside others; `placed` gets its name. Its room is used again after that. */
  async function write(chunk: Uint8Array, placed: (name: string) => void): Promise<void> {
    signal.throwIfAborted();
    await writing.add(async () => {
      const stored = await chunks.put(chunk);
      added += stored.added;
      placed(stored.name);
      if (chunk !== ZEROS && chunk.buffer.byteLength === CHUNK_BYTES) spare.push(Buffer.from(chunk.buffer));
    });
  }

  async function flushShared(): Promise<void> {
    if (!shared) return;
    const [chunk, whose] = [shared.subarray(0, sharedSize), sharers];
    [shared, sharedSize, sharers] = [undefined, 0, []];
    await write(chunk, (chunkName) => {
      for (const { entry, offset, size } of whose) entry.at = [[chunkName, offset, size]];
    });
  }

  async function share(entry: Stored, pieces: readonly Uint8Array[], size: number): Promise<void> {
    if (sharedSize + size > CHUNK_BYTES) await flushShared();
    sharers.push({ entry, offset: sharedSize, size });
    shared ??= room();
    fill(shared, pieces, sharedSize);
    sharedSize += size;
    if (sharedSize >= LEAST && endsChunk(entry.path)) await flushShared();
  }

  async function store(entry: Stored, source: Bytes): Promise<void> {
    waiting.push(entry);
    // What is small waits in pieces, what is not in the chunk that it becomes.
    let pieces: Uint8Array[] = [];
    let chunk: Buffer | undefined;
    let size = 0;
    let chunkCount = 0;
    const flush = async (all: Uint8Array) => {
      const at = chunkCount;
      chunkCount += 1;
      // The place is kept for it while others are written.
      entry.at[at] = ['', 0, all.length];
      await write(all, (chunkName) => {
        entry.at[at] = [chunkName, 0, all.length];
      });
    };
    for await (const piece of source) {
      signal.throwIfAborted();
      told(piece.length);
      bytes += piece.length;
      // Terabytes of them are not worth a copy.
      if (piece === ZEROS && size === 0) {
        await flush(ZEROS);
        continue;
      }
      // The source may use its buffer again.
      for (let taken = 0; taken < piece.length; ) {
        const part = piece.subarray(taken, taken + CHUNK_BYTES - size);
        if (!chunk && size + part.length >= SMALL) chunk = fill(room(), pieces, 0);
        if (chunk) chunk.set(part, size);
        else pieces.push(Buffer.from(part));
        size += part.length;
        taken += part.length;
        if (size < CHUNK_BYTES || !chunk) continue;
        await flush(chunk);
        [pieces, chunk, size] = [[], undefined, 0];
      }
    }
    // It may have grown since it was looked at.
    if ('size' in entry) entry.size = chunkCount * CHUNK_BYTES + size;
    if (size === 0) return;
    if (chunkCount === 0 && !chunk) await share(entry, pieces, size);
    else await flush((chunk ?? fill(room(), pieces, 0)).subarray(0, size));
  }

  /** Lists what waits, with a new chunk where an attempt began: so that can be forgotten as a whole. */
  async function list(): Promise<void> {
    await flushShared();
    await writing.done();
    const ready = waiting;
    let from = 0;
    const listUntil = async (end: number) => {
      for (; from < end; from += 1) await lines.add(Buffer.from(`${JSON.stringify(ready[from])}\n`));
    };
    for (const attempt of attempts) {
      if (attempt.list) continue;
      await listUntil(attempt.waiting);
      await lines.end();
      attempt.list = { index: index.length, listed: listed + attempt.waiting };
    }
    await listUntil(ready.length);
    listed += ready.length;
    [waiting, places] = [[], 0];
  }

  /** Where a name has ended the shared chunk, so that this ends none itself. */
  async function listSome(): Promise<void> {
    if (waiting.length + places >= MOST_WAITING * (shared ? 4 : 1)) await list();
  }

  return {
    async add(entry, source) {
      await store(entry, source);
      places += entry.at.length;
      await listSome();
    },
    async note(entry) {
      waiting.push(entry);
      if ('at' in entry) {
        bytes += sizeOf(entry);
        places += entry.at.length;
      }
      await listSome();
    },
    attempt() {
      const begun: Begun = { waiting: waiting.length, bytes };
      attempts.push(begun);
      return {
        async undo() {
          bytes = begun.bytes;
          if (!begun.list) {
            waiting.length = begun.waiting;
            return;
          }
          // Whose chunk is written yet would come to the list again.
          await writing.done();
          lines.forget();
          [waiting, places] = [[], 0];
          ({ listed } = begun.list);
          index.length = begun.list.index;
        },
        end() {
          attempts.splice(attempts.indexOf(begun), 1);
        },
      };
    },
    added: () => added,
    async end() {
      await list();
      await lines.end();
      await writing.done();
      return { name, index, entries: listed, bytes };
    },
  };
}

export function sizeOf({ at }: { at: Place[] }): number {
  return at.reduce((sum, [, , size]) => sum + size, 0);
}

function endsChunk(path: string): boolean {
  return createHash('sha256').update(path).digest().readUInt32BE() % CUT_EVERY === 0;
}

function fill(room: Buffer, pieces: readonly Uint8Array[], from: number): Buffer {
  let at = from;
  for (const piece of pieces) {
    room.set(piece, at);
    at += piece.length;
  }
  return room;
}
