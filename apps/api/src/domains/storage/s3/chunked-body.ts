import { createHash, type Hash } from 'node:crypto';
import type { Bytes } from '../../../platform/object-store/object-store.ts';
import { S3Error } from './s3-error.ts';
import type { Signer } from './signature.ts';

/** How a body comes in chunks, by the word that is signed in its place. */
export interface Chunking {
  isSigned: boolean;
  hasTrailer: boolean;
}

/** S3's ways of sending a body in chunks ("Signature Calculations … Transferring Payload in Multiple Chunks"). */
export const CHUNKINGS: Readonly<Record<string, Chunking>> = {
  'STREAMING-AWS4-HMAC-SHA256-PAYLOAD': { isSigned: true, hasTrailer: false },
  'STREAMING-AWS4-HMAC-SHA256-PAYLOAD-TRAILER': { isSigned: true, hasTrailer: true },
  'STREAMING-UNSIGNED-PAYLOAD-TRAILER': { isSigned: false, hasTrailer: true },
};

/** Bytes of a chunk's head, or of a line of the trailer. */
const LONGEST_LINE = 1024;
const MOST_TRAILERS = 10;
const NOTHING = createHash('sha256').digest('hex');

/** Reads lines and bytes in turns from what comes in pieces. */
class Feed {
  readonly #pieces: AsyncIterator<Uint8Array>;
  #rest: Buffer = Buffer.alloc(0);

  constructor(source: Bytes) {
    this.#pieces = source[Symbol.asyncIterator]();
  }

  async #next(): Promise<Buffer | undefined> {
    const { value, done } = await this.#pieces.next();
    return done ? undefined : Buffer.from(value.buffer, value.byteOffset, value.byteLength);
  }

  /** A line without its end (CRLF); undefined at the end of everything. */
  async line(): Promise<string | undefined> {
    for (;;) {
      const end = this.#rest.indexOf('\r\n');
      if (end >= 0) {
        const line = this.#rest.toString('latin1', 0, end);
        this.#rest = this.#rest.subarray(end + 2);
        return line;
      }
      if (this.#rest.length > LONGEST_LINE)
        throw new S3Error('IncompleteBody', { message: 'A chunk is malformed.' });
      // A copy: the piece that it is of is the source's again.
      const begun = Buffer.from(this.#rest);
      const piece = await this.#next();
      if (!piece) {
        if (begun.length > 0) throw new S3Error('IncompleteBody');
        return undefined;
      }
      this.#rest = Buffer.concat([begun, piece]);
    }
  }

  async *bytes(length: number): AsyncGenerator<Buffer> {
    for (let missing = length; missing > 0; ) {
      if (this.#rest.length === 0) {
        const piece = await this.#next();
        if (!piece) throw new S3Error('IncompleteBody');
        this.#rest = piece;
      }
      const taken = this.#rest.subarray(0, missing);
      this.#rest = this.#rest.subarray(taken.length);
      missing -= taken.length;
      yield taken;
    }
  }

  /** Lets the source end. */
  async end(): Promise<void> {
    await this.#pieces.return?.();
  }
}

/** The signatures of chunks, each made with the one before it. */
class Chain {
  readonly #signer: Signer | undefined;
  #previous: string;

  /** Without a signer, nothing is signed. */
  constructor(signer: Signer | undefined) {
    this.#signer = signer;
    this.#previous = signer?.seed ?? '';
  }

  begin(): Hash | undefined {
    return this.#signer && createHash('sha256');
  }

  assert(kind: 'PAYLOAD' | 'TRAILER', signature: string | undefined, digest: string | undefined): void {
    if (!this.#signer || digest === undefined) return;
    const digests = kind === 'PAYLOAD' ? [NOTHING, digest] : [digest];
    const expected = this.#signer.sign(kind, this.#previous, digests);
    // Whoever sends it holds the whole chain, so that the time of this comparison tells nothing.
    if (signature !== expected) throw new S3Error('SignatureDoesNotMatch');
    this.#previous = expected;
  }
}

/**
 * The bytes of a body that comes in chunks. Its trailer is put into `trailer` by name, in lower case. Bytes are passed on
 * before their chunk's signature is judged: whoever takes them keeps nothing where this throws.
 */
export async function* readChunks(
  source: Bytes,
  { hasTrailer, signer }: { hasTrailer: boolean; signer: Signer | undefined },
  trailer: Map<string, string>,
): AsyncGenerator<Uint8Array> {
  const feed = new Feed(source);
  const chain = new Chain(signer);
  try {
    for (;;) {
      const { size, signature } = headOf(await feed.line());
      const hash = chain.begin();
      for await (const bytes of feed.bytes(size)) {
        hash?.update(bytes);
        yield bytes;
      }
      chain.assert('PAYLOAD', signature, hash?.digest('hex'));
      if (size === 0) break;
      if ((await feed.line()) !== '')
        throw new S3Error('IncompleteBody', { message: 'A chunk is malformed.' });
    }
    if (hasTrailer) await readTrailer(feed, chain, trailer);
  } finally {
    await feed.end();
  }
}

function headOf(line: string | undefined): { size: number; signature: string | undefined } {
  const [, size, signature] =
    /^([0-9a-f]{1,10})(?:;chunk-signature=([0-9a-f]{64}))?$/i.exec(line ?? '') ?? [];
  if (size === undefined)
    throw new S3Error('IncompleteBody', { message: 'A chunk is malformed or missing.' });
  return { size: Number.parseInt(size, 16), signature };
}

async function readTrailer(feed: Feed, chain: Chain, trailer: Map<string, string>): Promise<void> {
  const hash = chain.begin();
  let signature: string | undefined;
  for (let lines = 0; lines < MOST_TRAILERS; lines += 1) {
    const line = await feed.line();
    if (line === undefined || line === '') break;
    const [name = '', value = ''] = line.split(/:(.*)/s).map((part) => part.trim());
    if (name.toLowerCase() === 'x-amz-trailer-signature') signature = value;
    else {
      trailer.set(name.toLowerCase(), value);
      hash?.update(`${name.toLowerCase()}:${value}\n`);
    }
  }
  chain.assert('TRAILER', signature, hash?.digest('hex'));
}
