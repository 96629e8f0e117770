import { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { DumpRefused } from './dump-refused.ts';
import { readArchive } from './pg-restore.ts';

/** What has to be done about a dump, by how its bytes begin. */
const GZIP = Buffer.from([0x1f, 0x8b]);
const CUSTOM = Buffer.from('PGDMP');
const NOT_READ = [
  { begins: Buffer.from('PK'), name: 'a ZIP archive' },
  { begins: Buffer.from('BZh'), name: 'compressed by bzip2' },
  { begins: Buffer.from([0x28, 0xb5, 0x2f, 0xfd]), name: 'compressed by zstd' },
  { begins: Buffer.from([0xfd, 0x37, 0x7a, 0x58, 0x5a]), name: 'compressed by xz' },
  { begins: Buffer.from('toc.dat\0'), name: 'in the tar format' },
];
const TO_TELL = 8;
const NEEDS_TOOL =
  "A dump in PostgreSQL's custom format needs pg_restore on the console's machine. Have it installed (postgresql-client), or make a plain dump: pg_dump --format=plain.";

interface Options {
  /** `pg_restore`; undefined where there is none. */
  program: string | undefined;
  signal: AbortSignal;
}

/** The plain SQL of a dump: what is compressed by gzip or in the custom format is unpacked. Throws `DumpRefused`. */
export async function plainSql(
  source: AsyncIterable<Uint8Array>,
  options: Options,
): Promise<AsyncIterable<Uint8Array>> {
  const { start, all } = await beginningOf(source);
  if (begins(start, GZIP)) return unzipped(all, options);
  if (begins(start, CUSTOM)) {
    if (options.program === undefined) throw new DumpRefused(NEEDS_TOOL);
    return readArchive(options.program, all, options.signal);
  }
  const other = NOT_READ.find((one) => begins(start, one.begins));
  if (!other) return all;
  throw new DumpRefused(`The dump is ${other.name}. Make it as plain SQL or in the custom format.`);
}

const begins = (start: Buffer, with_: Buffer) => start.subarray(0, with_.length).equals(with_);

async function unzipped(all: AsyncIterable<Uint8Array>, options: Options) {
  const from = Readable.from(all);
  const gunzip = createGunzip();
  from.on('error', (error) => gunzip.destroy(error));
  gunzip.on('close', () => from.destroy());
  const { start, all: inner } = await beginningOf(told(from.pipe(gunzip)));
  if (begins(start, GZIP)) throw new DumpRefused('The dump is compressed twice.');
  return plainSql(inner, options);
}

/** What the gzip's own checks find, in words for people. */
async function* told(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* bytes;
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    if (!code.startsWith('Z_')) throw error;
    throw new DumpRefused('The dump was cut off or damaged: gzip cannot unpack it.');
  }
}

/** The first bytes, and all of them. */
async function beginningOf(source: AsyncIterable<Uint8Array>) {
  const iterator = source[Symbol.asyncIterator]();
  let start = Buffer.alloc(0);
  while (start.length < TO_TELL) {
    const { value, done } = await iterator.next();
    if (done) break;
    start = Buffer.concat([start, value]);
  }
  async function* all(): AsyncGenerator<Uint8Array> {
    try {
      if (start.length > 0) yield start;
      for (let next = await iterator.next(); !next.done; next = await iterator.next()) yield next.value;
    } finally {
      await iterator.return?.();
    }
  }
  return { start, all: all() };
}
