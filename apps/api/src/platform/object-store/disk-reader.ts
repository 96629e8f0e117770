import type { FileHandle } from 'node:fs/promises';
import { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { type SystemCalls, systemCalls } from '../system-calls.ts';
import { BLOCK, giveBlocks, SMALL_BLOCK, takeBlock } from './blocks.ts';
import type { ByteRange, ReadOptions } from './object-store.ts';
import { type FileSender, fileSender } from './sendfile.ts';

/** Bytes of the first piece, and of each for a slow client: what waits for it in the connection. */
const FIRST_PIECE = SMALL_BLOCK;
/** Milliseconds within which a client takes a piece that may be followed by one of twice the size. */
const SOON = 10;
/** Bytes that the kernel sends in one call, which keeps a thread busy while the disk is slow. */
const MOST_BY_KERNEL = 4 * 1024 * 1024;

/** Resolves once the kernel has the piece. */
function written(response: ServerResponse, piece: Buffer): Promise<void> {
  return new Promise((resolve) => response.write(piece, () => resolve()));
}

/**
 * Reads an open file and closes it. What is piped into an HTTP answer goes through buffers that are used again, which
 * is safe only there: it hands each piece to the kernel, and says when it has.
 */
export class DiskReader extends Readable {
  readonly #file: FileHandle;
  #end: number;
  #position: number;
  #pieceSize = FIRST_PIECE;
  #reading: Promise<unknown> = Promise.resolve();
  readonly #throughProcess: boolean;
  /** There once buffers are used again: new ones would be filled faster than old ones are collected. */
  #system: SystemCalls | undefined;
  /** Ends what waits for the client once this stream is closed. */
  #giveUp: () => void = () => {};

  constructor(file: FileHandle, { start, end }: ByteRange, { throughProcess = false }: ReadOptions = {}) {
    super({ highWaterMark: BLOCK });
    this.#file = file;
    this.#position = start;
    this.#end = end + 1;
    this.#throughProcess = throughProcess;
    this.once('close', () => this.#giveUp());
  }

  /**
   * Puts what comes next into the buffer: less than fits where the kernel has no more of it in memory, and at the end;
   * nothing after that. A thread reads only what has to come from the disk: to wait for one takes longer than to copy.
   */
  async #readInto(buffer: Buffer): Promise<Buffer> {
    const piece = buffer.subarray(0, Math.max(0, Math.min(buffer.length, this.#end - this.#position)));
    if (piece.length === 0) return piece;
    let bytesRead = this.#system?.readCached(this.#file.fd, piece, this.#position) ?? -1;
    if (bytesRead <= 0) {
      const reading = this.#file.read(piece, 0, piece.length, this.#position);
      this.#reading = reading.catch(() => {});
      ({ bytesRead } = await reading);
    } else {
      // A client that takes each piece at once would otherwise keep all others waiting.
      await setImmediate();
    }
    this.#position += bytesRead;
    return piece.subarray(0, bytesRead);
  }

  override _read(): void {
    this.#readInto(Buffer.allocUnsafe(Math.min(BLOCK, this.#end - this.#position))).then(
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

  async #send(response: ServerResponse, ends: boolean): Promise<void> {
    const length = Number(response.getHeader('content-length') ?? Number.POSITIVE_INFINITY);
    if (ends) this.#end = Math.min(this.#end, this.#position + length);
    this.#system = await systemCalls();
    const isLarge = this.#end - this.#position > 2 * SMALL_BLOCK;
    const sender = isLarge && !this.#throughProcess ? await fileSender(response) : undefined;
    if (this.destroyed) return;
    if (sender) await this.#sendByKernel(response, sender);
    else await this.#sendInPieces(response, isLarge ? 'large' : 'small');
    if (this.destroyed) return;
    // The client waits for the rest of what its head promised.
    if (this.#position < this.#end && Number.isFinite(this.#end))
      throw new Error('The file has become shorter.');
    if (ends) response.end();
    this.push(null);
    this.resume();
  }

  /** Resolves with the work, or once this stream is closed: nobody tells of a piece that was given up. */
  #unlessClosed(work: Promise<void>): Promise<void> {
    if (this.closed) return Promise.resolve();
    return new Promise((resolve, reject) => {
      this.#giveUp = resolve;
      work.then(resolve, reject);
    });
  }

  /** Sends a piece; how soon the client takes it says how large the next one is. */
  async #sendPiece(response: ServerResponse, piece: Buffer): Promise<void> {
    const begun = performance.now();
    await written(response, piece);
    const isSoon = performance.now() - begun < SOON;
    this.#pieceSize = isSoon
      ? Math.min(BLOCK, 2 * this.#pieceSize)
      : Math.max(FIRST_PIECE, this.#pieceSize / 2);
  }

  /** Has the kernel send what the client takes at once. A piece that is written tells when it takes more. */
  async #sendByKernel(response: ServerResponse, { send }: FileSender): Promise<void> {
    const block = takeBlock('small');
    while (!this.destroyed) {
      const piece = await this.#readInto(block);
      if (piece.length === 0 || this.destroyed) break;
      await this.#unlessClosed(written(response, piece));
      for (let isTaken = true; isTaken && !this.destroyed; ) {
        const asked = Math.min(MOST_BY_KERNEL, this.#end - this.#position);
        if (asked === 0) break;
        const sending = send(this.#file.fd, this.#position, asked);
        this.#reading = sending.catch(() => {});
        const moved = await sending;
        this.#position += moved;
        isTaken = moved === asked;
      }
    }
    if (!this.destroyed) giveBlocks(block);
  }

  /** Reads one piece while the one before is being sent. */
  async #sendInPieces(response: ServerResponse, size: 'small' | 'large'): Promise<void> {
    let [reading, sending] = [takeBlock(size), takeBlock(size)];
    let sent: Promise<void> = Promise.resolve();
    while (!this.destroyed) {
      const piece = await this.#readInto(reading.subarray(0, this.#pieceSize));
      await this.#unlessClosed(sent);
      if (piece.length === 0 || this.destroyed) break;
      sent = this.#sendPiece(response, piece);
      [reading, sending] = [sending, reading];
    }
    // The last piece of an answer that is given up may still be on its way: its buffers are not used again.
    if (!this.destroyed) giveBlocks(reading, sending);
  }
}
