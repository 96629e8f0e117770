import { setTimeout as wait } from 'node:timers/promises';
import type Docker from 'dockerode';
import type { Daemon } from './daemon.ts';

/** What a container wrote at once: `at` is Docker's time of it, RFC 3339 with nanoseconds. */
export interface LogPiece {
  stream: 'stdout' | 'stderr';
  at: string;
  text: string;
}

/** Whatever has a log of its own: a container, or a service of a swarm. */
interface Logged {
  logs(options: Docker.ContainerLogsOptions & { follow: true }): Promise<NodeJS.ReadableStream>;
  /** What has no state is read once. */
  inspect(): Promise<{ State?: { Running: boolean } }>;
}

export interface FollowOptions {
  /** Where an earlier reading was: the mark of its last piece; '' for the beginning. */
  after: string;
  /** `mark` tells a later reading that it goes on behind this piece. */
  onPiece(piece: LogPiece, mark: string): void;
}

export interface FollowedLog {
  /** Resolves when all that it wrote was read, after its end, or `close`. */
  ended: Promise<void>;
  close(): void;
}

const HEADER = 8;
/** Milliseconds that output may keep us busy before all else gets its turn, and how often as long that turn is. */
const BUSY_MS = 4;
const REST = 3;

/** Reads a container's log until its end, for a quarter of our time at most; again where the daemon went away. */
export function followLog(daemon: Daemon, container: Logged, { after, onPiece }: FollowOptions): FollowedLog {
  const closing = new AbortController();
  const [at = '', count] = after.split(' ');
  const place = createPlace(at, Number(count ?? 0));
  const read = async () => {
    const { at: last } = place;
    const isNew = place.begin();
    const stream = await container.logs({
      ...{ follow: true, stdout: true, stderr: true, timestamps: true },
      ...(last && { since: secondsOf(last) as unknown as number }),
      abortSignal: daemon.present(closing.signal),
    });
    let begun = performance.now();
    for await (const piece of readPieces(stream as unknown as AsyncIterable<Buffer>)) {
      if (!isNew(piece.at)) continue;
      onPiece(piece, place.note(piece.at));
      const busy = performance.now() - begun;
      if (busy < BUSY_MS) continue;
      await wait(busy * REST);
      begun = performance.now();
    }
  };
  const readAll = async () => {
    do await read();
    while ((await container.inspect()).State?.Running);
  };
  // Whoever closed it does not want the rest, and a container that is gone has none.
  const ended = daemon.patiently(readAll, closing.signal).catch(() => {});
  return { ended, close: () => closing.abort() };
}

/**
 * How far a log was read: up to a time, and so many pieces of it. Docker gives all parts of a line the same time, and
 * takes lines apart at 16 KiB.
 */
export function createPlace(at: string, count: number) {
  return {
    at,
    /** Begins a reading: answers whether a piece, by its time, is behind this place. */
    begin() {
      const { at: from } = this;
      let known = count;
      return (time: string) => {
        if (time !== from) return time > from;
        known -= 1;
        return known < 0;
      };
    },
    /** Moves on by a piece, and answers the mark of it. What came from two streams at once may be out of order. */
    note(time: string): string {
      if (time > this.at) {
        this.at = time;
        count = 0;
      }
      if (time === this.at) count += 1;
      return `${this.at} ${count}`;
    },
  };
}

/** As Docker's API takes it: seconds since 1970, with nine decimals. */
export function secondsOf(at: string): string {
  const [, second = '', fraction = ''] = /^(.*?)(?:\.(\d+))?Z$/.exec(at) ?? [];
  return `${Date.parse(`${second}Z`) / 1000}.${fraction.padEnd(9, '0')}`;
}

/**
 * Takes apart Docker's stream of a container without a terminal: frames of a header of 8 bytes (the stream, and the
 * length), each with a time before its text (docs.docker.com/engine/api, ContainerAttach and ContainerLogs).
 */
export async function* readPieces(chunks: AsyncIterable<Buffer>): AsyncGenerator<LogPiece> {
  const decoders = { stdout: new TextDecoder(), stderr: new TextDecoder() };
  let rest: Buffer = Buffer.alloc(0);
  for await (const chunk of chunks) {
    rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    while (rest.length >= HEADER) {
      const end = HEADER + rest.readUInt32BE(4);
      if (rest.length < end) break;
      const stream = rest[0] === 2 ? 'stderr' : 'stdout';
      const frame = rest.subarray(HEADER, end);
      rest = rest.subarray(end);
      const space = frame.indexOf(' ');
      const at = frame.subarray(0, space).toString('latin1');
      yield { stream, at, text: decoders[stream].decode(frame.subarray(space + 1), { stream: true }) };
    }
  }
}
