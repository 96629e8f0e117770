import { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';

/**
 * Streams of bytes as one, each opened when the one before has ended. An HTTP answer gets each of them piped by its own
 * means: one of the disk goes through buffers that are used again.
 */
export class JoinedBytes extends Readable {
  readonly #streams: AsyncGenerator<Readable>;
  readonly #bytes: AsyncGenerator<Uint8Array>;
  #open: Readable;

  /** `rest` opens what comes after `first`; where it rejects, so does reading. */
  constructor(first: Readable, rest: readonly (() => Promise<Readable>)[]) {
    super();
    this.#open = first;
    this.#streams = this.#openAll(rest);
    this.#bytes = this.#readAll();
  }

  async *#openAll(rest: readonly (() => Promise<Readable>)[]): AsyncGenerator<Readable> {
    yield this.#open;
    for (const open of rest) {
      this.#open = await open();
      // It was given up while this one was opened.
      if (this.destroyed) this.#open.destroy();
      yield this.#open;
    }
  }

  async *#readAll(): AsyncGenerator<Uint8Array> {
    for await (const stream of this.#streams) yield* stream;
  }

  override _read(): void {
    this.#bytes.next().then(
      ({ done, value }) => this.push(done ? null : value),
      (error: Error) => this.destroy(error),
    );
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.#open.destroy();
    done(error);
  }

  override pipe<T extends NodeJS.WritableStream>(sink: T, options?: { end?: boolean }): T {
    if (!(sink instanceof ServerResponse)) return super.pipe(sink, options);
    this.#send(sink).catch((error: Error) => this.destroy(error));
    return sink;
  }

  async #send(response: ServerResponse): Promise<void> {
    for await (const stream of this.#streams) {
      const ended = finished(stream);
      stream.pipe(response, { end: false });
      await ended;
    }
    response.end();
    this.push(null);
    this.resume();
  }
}
