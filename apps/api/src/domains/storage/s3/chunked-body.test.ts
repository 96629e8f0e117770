import { expect, test } from 'vitest';
import { readChunks } from './chunked-body.ts';

const FIRST = 'The first chunk, ';
const SECOND = 'and the second.';
const BODY = [
  ...[FIRST, SECOND].map((text) => `${text.length.toString(16)}\r\n${text}\r\n`),
  '0\r\nx-amz-checksum-crc32:AAAAAA==\r\n\r\n',
].join('');

/** The body in pieces of `size` bytes, each of which is gone once the next one is asked for. */
async function* inPieces(size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < BODY.length; at += size) {
    const piece = new Uint8Array(Buffer.from(BODY.slice(at, at + size)));
    yield piece;
    piece.buffer.transfer(0);
  }
}

test('a body in chunks is read from pieces of any size', async () => {
  for (let size = 1; size <= BODY.length; size += 1) {
    const trailer = new Map<string, string>();
    let text = '';
    for await (const bytes of readChunks(inPieces(size), { hasTrailer: true, signer: undefined }, trailer))
      text += Buffer.from(bytes).toString();
    expect(text, `pieces of ${size} bytes`).toBe(FIRST + SECOND);
    expect([...trailer]).toEqual([['x-amz-checksum-crc32', 'AAAAAA==']]);
  }
});
