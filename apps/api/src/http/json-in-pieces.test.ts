import { expect, test } from 'vitest';
import { parseInPieces } from './json-in-pieces.ts';

const LONG = 'x'.repeat(70_000);
const ESCAPED = `${'\\/\\"\\\\\\u00e4\\ud83d\\ude00ä😀'.repeat(8000)}`;

async function* pieces(bytes: Buffer, size: number) {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

const parsed = (text: string | Buffer, size = 64 * 1024) =>
  parseInPieces(pieces(Buffer.from(text), size), (rest) => JSON.parse(rest));

test.each([
  '{}',
  ' { "a" : [ 1 , -2.5e3 , true , null , "b c" ] } ',
  `{"fileData":"${LONG}","fileName":"x"}`,
  `{"fileName":"first","fileData":"${LONG}","fileData":"last wins","a":"\\""}`,
  `{"fileData":"first","fileData":"${LONG}"}`,
  `{"0":{"fileData":"${ESCAPED}"},"1":["${LONG}","${ESCAPED}"]}`,
  `"${LONG}"`,
  `{"${LONG.slice(0, 1000)}":"\\u0022${LONG}\\\\"}`,
])('%.40s is what JSON.parse says, however it is cut', async (text) => {
  for (const size of [1009, 4093, 65_536, 1_000_000])
    expect(await parsed(text, size)).toEqual(JSON.parse(text));
  if (text.length < 1000) expect(await parsed(text, 1)).toEqual(JSON.parse(text));
});

test.each([
  ['an end inside a string', `{"a":"${LONG}`],
  ['an end inside an escape', `{"a":"${LONG}\\u12`],
  ['an unknown escape', `{"a":"${LONG}\\x"}`],
  ['an escape of too few digits', `{"a":"${LONG}\\u12"}`],
  ['a line break in a string', `{"a":"${LONG}\n"}`],
  ['a NUL in a string', `{"a":"\0${LONG}"}`],
  ['two documents', `"${LONG}" "${LONG}"`],
  ['no comma between', `{"a":"${LONG}" "b":1}`],
])('%s is refused', async (_, text) => {
  expect(() => JSON.parse(text)).toThrow();
  for (const size of [997, 65_536]) await expect(parsed(text, size)).rejects.toThrow();
});

test('numbers and names are not joined where white space parts them', async () => {
  for (const text of ['{"a":1 2}', '{"a":tr ue}', '[1\n2]']) await expect(parsed(text, 3)).rejects.toThrow();
});

test('what is no UTF-8 is refused, in strings and beside them, also at the end', async () => {
  for (const bytes of ['c328', 'ff', 'e282', 'eda080', 'f4908080']) {
    const broken = Buffer.from(bytes, 'hex');
    const inside = Buffer.concat([Buffer.from(`{"a":"${LONG}`), broken, Buffer.from('"}')]);
    for (const size of [1, 65_536]) await expect(parsed(inside, size), bytes).rejects.toThrow('UTF-8');
    await expect(parsed(Buffer.concat([Buffer.from('{}'), broken]))).rejects.toThrow('UTF-8');
  }
});

test('what is not in long strings is a megabyte at most', async () => {
  await expect(parsed(`[${'1,'.repeat(600_000)}1]`)).rejects.toMatchObject({ reason: 'BODY_TOO_LARGE' });
  expect(await parsed(`[1${' '.repeat(5_000_000)}]`)).toEqual([1]);
});
