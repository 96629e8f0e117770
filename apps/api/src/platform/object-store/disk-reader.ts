import type { FileHandle } from 'node:fs/promises';
import { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import type { ByteRange } from './object-store.ts';

/** Bytes read at once: of half as many, an answer waits longer for the threads that read than for the reading. */
const PIECE = 512 * 1024;
const MAX_SPARE = 32;

/** Buffers between two answers: a new one for each piece costs more than reading it does. */
const spare: Buffer[] = [];

/**
 * Reads an open file and closes it. What is piped into an HTTP answer goes through buffers that are used again, which
 * is safe only there: it hands each piece to the kernel, and says when it has.
 */
export class DiskReader extends Readable {
  readonly #file: FileHandle;
  readonly #end: number;
  #position: number;
  #reading: Promise<unknown> = Promise.resolve();

  constructor(file: FileHandle, { start, end }: ByteRange) {
    super({ highWaterMark: PIECE });
    this.#file = file;
    this.#position = start;
    this.#end = end + 1;
  }

  /** Fills the buffer with what comes next; shorter at the end, empty after it. */
  async #readInto(buffer: Buffer): Promise<Buffer> {
    const length = Math.min(buffer.length, this.#end - this.#position);
    if (length <= 0) return buffer.subarray(0, 0);
    const reading = this.#file.read(buffer, 0, length, this.#position);
    this.#reading = reading.catch(() => {});
    const { bytesRead } = await reading;
    this.#position += bytesRead;
    return buffer.subarray(0, bytesRead);
  }

  override _read(): void {
    this.#readInto(Buffer.allocUnsafe(Math.min(PIECE, this.#end - this.#position))).then(
      (piece) => this.push(piece.length > 0 ? piece : null),
      (error: Error) => this.destroy(error),
    );
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    // A read under way still needs the file.
    this.#reading.then(() => this.#file.close()).then(() => done(error), done);
  }

  override pipe<T extends NodeJS.WritableStream>(sink: T, options?: { end?: boolean }): T {
    if (!(sink instanceof ServerResponse)) return super.pipe(sink, options);
    this.#send(sink, options?.end ?? true).catch((error: Error) => this.destroy(error));
    return sink;
  }

  /** Reads one piece while the one before is being sent. */
  async #send(response: ServerResponse, ends: boolean): Promise<void> {
    const gone = new Promise<void>((resolve) => this.once('close', resolve));
    let [reading, sending] = [
      spare.pop() ?? Buffer.allocUnsafeSlow(PIECE),
      spare.pop() ?? Buffer.allocUnsafeSlow(PIECE),
    ];
    let sent: Promise<void> = Promise.resolve();
    while (!this.destroyed) {
      const piece = await this.#readInto(reading);
      await Promise.race([sent, gone]);
      if (piece.length === 0 || this.destroyed) break;
      sent = new Promise((resolve) => response.write(piece, () => resolve()));
      [reading, sending] = [sending, reading];
    }
    // The last piece of an answer that is given up may still be on its way: its buffers are not used again.
    if (this.destroyed) return;
    if (spare.length < MAX_SPARE) spare.push(reading, sending);
    if (ends) response.end();
    this.push(null);
    this.resume();
  }
}
