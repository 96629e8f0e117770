import { crc32 } from 'node:zlib';

/** A file of an archive. */
export interface ZipEntry {
  /** Relative, with slashes; at most 65,535 bytes of UTF-8. */
  path: string;
  /** Bytes: exactly as many as `open` gives. */
  size: number;
  modifiedAt: Date;
  /** Called when its turn has come. */
  open(): Promise<AsyncIterable<Uint8Array>>;
}

/** From here on a number stands in the fields of Zip64 (APPNOTE 4.3.9.2), and this in its usual place. */
const MAX_32 = 0xffff_ffff;
const MAX_16 = 0xffff;
/** Names are UTF-8, and the checksum follows the bytes. */
const FLAGS = 0x0808;
const DEFLATED = 8;
/** Bytes of a block of deflate that is not compressed (RFC 1951 §3.2.4), and of what stands before it. */
const BLOCK = 0xffff;
const BLOCK_HEADER = 5;
/** By Unix, where all can read the files. */
const MADE_BY = 0x032d;
const MODE = 0o100_644;
const [PLAIN_VERSION, ZIP64_VERSION] = [20, 45];

const WIDTHS = { H: 2, I: 4, Q: 8 } as const;

/** Numbers as they stand in an archive, little-endian: a letter each, for 2, 4 and 8 bytes. */
function pack(format: string, ...values: readonly number[]): Buffer {
  const widths = [...format].map((letter) => WIDTHS[letter as keyof typeof WIDTHS]);
  const bytes = Buffer.alloc(widths.reduce<number>((sum, width) => sum + width, 0));
  let at = 0;
  for (const [index, width] of widths.entries()) {
    const value = values[index] ?? 0;
    if (width === 8) bytes.writeBigUInt64LE(BigInt(value), at);
    else bytes.writeUIntLE(value, at, width);
    at += width;
  }
  return bytes;
}

const isLarge = (size: number) => size >= MAX_32;

/** Bytes that so many take as blocks. */
const packed = (size: number) => size + BLOCK_HEADER * Math.max(1, Math.ceil(size / BLOCK));

/**
 * Bytes as blocks of deflate, of which whoever reads the archive as it comes sees the end: of what is merely stored they do
 * not. Throws before there are more than `size`.
 */
async function* inBlocks(bytes: AsyncIterable<Uint8Array>, { path, size }: ZipEntry) {
  let [left, room] = [size, 0];
  const begin = () => {
    room = Math.min(left, BLOCK);
    return Buffer.concat([Buffer.of(room === left ? 1 : 0), pack('HH', room, ~room & BLOCK)]);
  };
  if (size === 0) yield begin();
  for await (const chunk of bytes) {
    if (chunk.length > left) throw new Error(`${path} has more than ${size} bytes`);
    for (let at = 0; at < chunk.length; ) {
      if (room === 0) yield begin();
      const part = chunk.subarray(at, at + room);
      yield part;
      at += part.length;
      room -= part.length;
      left -= part.length;
    }
  }
  if (left > 0) throw new Error(`${path} has ${size - left} bytes in the place of ${size}`);
}

/** An instant in UTC, by MS-DOS, which knows no zone: even seconds of the years from 1980 on. */
function dosTime(at: Date): number {
  const date = ((at.getUTCFullYear() - 1980) << 9) | ((at.getUTCMonth() + 1) << 5) | at.getUTCDate();
  const time = (at.getUTCHours() << 11) | (at.getUTCMinutes() << 5) | (at.getUTCSeconds() >> 1);
  return date * 0x1_0000 + time;
}

/** The extra field that has an instant in seconds since 1970. */
function extendedTime(at: Date): Buffer {
  return Buffer.concat([pack('HH', 0x5455, 5), Buffer.of(1), pack('I', Math.floor(at.getTime() / 1000))]);
}

/** The extra field for numbers that are too large for their place; empty where there are none. */
function zip64(values: readonly number[]): Buffer {
  if (values.length === 0) return Buffer.alloc(0);
  return pack(`HH${'Q'.repeat(values.length)}`, 1, values.length * 8, ...values);
}

/** What stands before a file's bytes. */
function localHeader({ path, size, modifiedAt }: ZipEntry): Buffer {
  const name = Buffer.from(path);
  const isWide = isLarge(packed(size));
  const extra = Buffer.concat([extendedTime(modifiedAt), zip64(isWide ? [0, 0] : [])]);
  const [version, later] = isWide ? [ZIP64_VERSION, MAX_32] : [PLAIN_VERSION, 0];
  const start = pack('IHHHI', 0x04034b50, version, FLAGS, DEFLATED, dosTime(modifiedAt));
  return Buffer.concat([start, pack('IIIHH', 0, later, later, name.length, extra.length), name, extra]);
}

/** What stands behind a file's bytes. */
function descriptor({ size }: ZipEntry, crc: number): Buffer {
  return pack(isLarge(packed(size)) ? 'IIQQ' : 'IIII', 0x08074b50, crc, packed(size), size);
}

/** What the directory at the end has of an entry that begins at `offset`. */
function directoryHeader({ path, size, modifiedAt }: ZipEntry, offset: number, crc: number): Buffer {
  const name = Buffer.from(path);
  const isWide = isLarge(packed(size));
  const large = [...(isWide ? [size, packed(size)] : []), ...(isLarge(offset) ? [offset] : [])];
  const extra = Buffer.concat([extendedTime(modifiedAt), zip64(large)]);
  const version = large.length > 0 ? ZIP64_VERSION : PLAIN_VERSION;
  const shown = isWide ? [MAX_32, MAX_32] : [packed(size), size];
  return Buffer.concat([
    pack('IHHHHI', 0x02014b50, MADE_BY, version, FLAGS, DEFLATED, dosTime(modifiedAt)),
    pack('IIIHHHHH', crc, ...shown, name.length, extra.length, 0, 0, 0),
    pack('II', MODE * 0x1_0000, Math.min(offset, MAX_32)),
    ...[name, extra],
  ]);
}

/** What ends an archive whose directory has so many bytes, and begins at `start`. */
function ending(entries: number, start: number, size: number): Buffer {
  const count = Math.min(entries, MAX_16);
  const places = [Math.min(size, MAX_32), Math.min(start, MAX_32)];
  const end = pack('IIHHIIH', 0x06054b50, 0, count, count, ...places, 0);
  if (count < MAX_16 && !places.some(isLarge)) return end;
  return Buffer.concat([
    pack('IQHHIIQQQQ', 0x06064b50, 44, MADE_BY, ZIP64_VERSION, 0, 0, entries, entries, size, start),
    pack('IIQI', 0x07064b50, 0, start + size, 1),
    end,
  ]);
}

/** Bytes that the archive of these entries has. */
export function zipSize(entries: readonly ZipEntry[]): number {
  let [start, size] = [0, 0];
  for (const entry of entries) {
    size += directoryHeader(entry, start, 0).length;
    start += localHeader(entry).length + packed(entry.size) + descriptor(entry, 0).length;
  }
  return start + size + ending(entries.length, start, size).length;
}

/**
 * An archive (PKWARE's APPNOTE 6.3) that has its files as they are: most are compressed already, and so its size is known
 * before it is made. One file is read at a time. The checksum is Node's: that of libraries, in JavaScript, takes nine times as
 * long. Throws where a file has not the size that was said, and before it has given more than that.
 */
export async function* zipOf(entries: readonly ZipEntry[]): AsyncGenerator<Uint8Array> {
  const directory: Buffer[] = [];
  let start = 0;
  for (const entry of entries) {
    const header = localHeader(entry);
    yield header;
    let crc = 0;
    async function* summed(bytes: AsyncIterable<Uint8Array>) {
      for await (const chunk of bytes) {
        crc = crc32(chunk, crc);
        yield chunk;
      }
    }
    yield* inBlocks(summed(await entry.open()), entry);
    const end = descriptor(entry, crc);
    yield end;
    directory.push(directoryHeader(entry, start, crc));
    start += header.length + packed(entry.size) + end.length;
  }
  yield* directory;
  yield ending(
    entries.length,
    start,
    directory.reduce((sum, { length }) => sum + length, 0),
  );
}
