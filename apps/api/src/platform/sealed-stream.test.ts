import { randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { openBytes, openStream, sealBytes, sealStream } from './sealed-stream.ts';

const by = { key: randomBytes(32), context: 'backups/one' };
const PIECE = 64 * 1024;

async function* inPieces(bytes: Buffer, size: number): AsyncGenerator<Uint8Array> {
  // One buffer for all, as sources may do it.
  const shared = Buffer.alloc(size);
  for (let at = 0; at < bytes.length; at += size) {
    const length = bytes.copy(shared, 0, at, at + size);
    yield shared.subarray(0, length);
  }
}

async function all(source: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const pieces: Buffer[] = [];
  for await (const piece of source) pieces.push(Buffer.from(piece));
  return Buffer.concat(pieces);
}

const seal = (bytes: Buffer) => all(sealStream(inPieces(bytes, 10_007), by));
/** Either way opens the same, or nothing. */
async function open(bytes: Buffer, with_ = by): Promise<Buffer> {
  const opened = await all(openStream(inPieces(bytes, 33_331), with_)).catch((error: unknown) => {
    expect(() => openBytes(bytes, with_)).toThrow();
    throw error;
  });
  expect(openBytes(bytes, with_).equals(opened)).toBe(true);
  return opened;
}

test.each([0, 1, PIECE - 1, PIECE, PIECE + 1, 3 * PIECE, 3 * PIECE + 5])(
  'opens what was sealed: %i bytes',
  async (length) => {
    const bytes = randomBytes(length);
    expect((await open(await seal(bytes))).equals(bytes)).toBe(true);
    // In one go it is the same.
    expect((await open(sealBytes(bytes, by))).equals(bytes)).toBe(true);
    expect(openBytes(await seal(bytes), by).equals(bytes)).toBe(true);
  },
);

describe('what was meddled with', () => {
  const bytes = randomBytes(3 * PIECE);
  const HEAD = 33;
  const WHOLE = PIECE + 16;

  test('does not open: changed, cut off, longer, in another order, or another stream', async () => {
    const sealed = await seal(bytes);
    const changed = Buffer.from(sealed);
    changed[HEAD + WHOLE + 7] = (changed[HEAD + WHOLE + 7] ?? 0) ^ 1;
    const piece = (n: number) => sealed.subarray(HEAD + n * WHOLE, HEAD + (n + 1) * WHOLE);
    const head = sealed.subarray(0, HEAD);
    const meddled = [
      changed,
      sealed.subarray(0, HEAD + 2 * WHOLE),
      sealed.subarray(0, HEAD + 2 * WHOLE + 100),
      sealed.subarray(0, HEAD),
      sealed.subarray(0, 5),
      Buffer.alloc(0),
      Buffer.concat([sealed, Buffer.of(0)]),
      Buffer.concat([sealed, piece(2)]),
      Buffer.concat([head, piece(1), piece(0), piece(2)]),
      Buffer.concat([head, piece(0), piece(2)]),
      Buffer.concat([(await seal(bytes)).subarray(0, HEAD), piece(0), piece(1), piece(2)]),
      Buffer.concat([Buffer.of(2), sealed.subarray(1)]),
    ];
    for (const each of meddled) await expect(open(each)).rejects.toThrow();
  });

  test('does not open under another name or key', async () => {
    const sealed = await seal(bytes);
    await expect(open(sealed, { ...by, context: 'backups/two' })).rejects.toThrow();
    await expect(open(sealed, { ...by, key: randomBytes(32) })).rejects.toThrow();
  });
});
