import { buffer } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { addHints } from './hints.ts';
import { fatal, frame } from './startup.ts';

const ROW = frame('D', Buffer.from('E\0\0\0\x0cC25006\0\0'));
const READY = frame('Z', Buffer.from('I'));

/** What comes out, however what goes in is cut. */
async function passed(bytes: Buffer, size: number, hint: () => string | undefined): Promise<Buffer> {
  const through = addHints(hint);
  for (let at = 0; at < bytes.length; at += size) through.write(bytes.subarray(at, at + size));
  through.end();
  return buffer(through);
}

test.each([1, 3, 7, 1000])(
  'of what a server says, only refusals to write get a hint, in pieces of %i',
  async (size) => {
    const refused = fatal('25006', 'cannot execute INSERT in a read-only transaction');
    const said = Buffer.concat([ROW, fatal('42601', 'syntax error'), refused, READY]);
    expect(await passed(said, size, () => undefined)).toEqual(said);
    const hinted = await passed(said, size, () => 'it is full');
    const text = hinted.toString('latin1');
    expect(text.match(/Hit is full\0\0/g)).toHaveLength(1);
    expect(text.indexOf('Hit is full')).toBeGreaterThan(text.indexOf('cannot execute INSERT'));
    expect(hinted.length).toBe(said.length + 'Hit is full\0'.length);
    expect(hinted.subarray(-READY.length)).toEqual(READY);
    // The length of the message is that of what it now holds.
    const at = ROW.length + fatal('42601', 'syntax error').length;
    expect(hinted.readInt32BE(at + 1)).toBe(hinted.length - READY.length - at - 1);
  },
);

test('what ends in the middle of a message is passed on as it is', async () => {
  const half = Buffer.concat([READY, fatal('25006', 'cannot').subarray(0, 9)]);
  expect(await passed(half, 4, () => 'it is full')).toEqual(half);
});
