import { describe, expect, test } from 'vitest';
import { parseDataUrl, toBase64 } from './data-url.ts';

async function decoded(text: string): Promise<string | undefined> {
  const data = await parseDataUrl(text);
  if (!data) return undefined;
  const pieces: Uint8Array[] = [];
  for await (const piece of data.bytes()) pieces.push(piece);
  const bytes = Buffer.concat(pieces);
  expect(bytes.length).toBe(data.size);
  return bytes.toString('latin1');
}

describe('a data URL', () => {
  test.each([
    ['data:text/plain;base64,', ''],
    ['data:text/plain;base64,YQ==', 'a'],
    ['data:text/plain;base64,YWI=', 'ab'],
    ['data:text/plain;base64,YWJj', 'abc'],
    ['data:text/plain;base64,YWJjZA==', 'abcd'],
    ['data:text/plain;charset=utf-8;base64,YQ==', 'a'],
    ['data:text/plain;charset=utf-8;format=flowed;base64,YQ==', 'a'],
    ['data:application/vnd.api+json;base64,e30=', '{}'],
    ['data:IMAGE/PNG;base64,AAAA', '\0\0\0'],
    ['data:a/b;base64,+/+/', '\xfb\xff\xbf'],
    ['data:a/b;base64,////', '\xff\xff\xff'],
  ])('%s is read', async (text, bytes) => {
    expect(await decoded(text)).toBe(bytes);
  });

  test('says its type in lower case, without parameters', async () => {
    expect((await parseDataUrl('data:Text/HTML;charset=UTF-8;base64,YQ=='))?.mimeType).toBe('text/html');
  });

  test.each([
    ['nothing', ''],
    ['another scheme', 'http://example.com/'],
    ['an upper-case scheme', 'DATA:text/plain;base64,YQ=='],
    ['white space before', ' data:text/plain;base64,YQ=='],
    ['a line before', '\ndata:text/plain;base64,YQ=='],
    ['no type', 'data:;base64,YQ=='],
    ['no type but a parameter', 'data:;charset=utf-8;base64,YQ=='],
    ['no subtype', 'data:text;base64,YQ=='],
    ['an empty subtype', 'data:text/;base64,YQ=='],
    ['a third part', 'data:a/b/c;base64,YQ=='],
    ['a space in the type', 'data:text/ plain;base64,YQ=='],
    ['no base64', 'data:text/plain,YQ=='],
    ['a charset and no base64', 'data:text/plain;charset=utf-8,YQ=='],
    ['base64 in upper case', 'data:text/plain;BASE64,YQ=='],
    ['base64 with a space', 'data:text/plain; base64,YQ=='],
    ['base64 not last', 'data:text/plain;base64;charset=utf-8,YQ=='],
    ['base64 twice', 'data:text/plain;base64;base64,YQ=='],
    ['a parameter without value', 'data:text/plain;charset;base64,YQ=='],
    ['a parameter with an empty value', 'data:text/plain;charset=;base64,YQ=='],
    ['a quoted parameter', 'data:text/plain;charset="utf-8";base64,YQ=='],
    ['no comma', 'data:text/plain;base64YQ=='],
    ['a comma in the data', 'data:text/plain;base64,YW,J'],
    ['no padding', 'data:text/plain;base64,YQ'],
    ['half the padding', 'data:text/plain;base64,YQ='],
    ['too much padding', 'data:text/plain;base64,YQ==='],
    ['padding alone', 'data:text/plain;base64,===='],
    ['three of padding', 'data:text/plain;base64,Y==='],
    ['padding inside', 'data:text/plain;base64,YQ==YQ=='],
    ['padding then letters', 'data:text/plain;base64,Y=Q='],
    ['one character', 'data:text/plain;base64,Y'],
    ['bits that are lost, of four', 'data:text/plain;base64,YR=='],
    ['bits that are lost, of two', 'data:text/plain;base64,YWK='],
    ['a space', 'data:text/plain;base64,YW J'],
    ['a space behind', 'data:text/plain;base64,YWJj '],
    ['a line break', 'data:text/plain;base64,YWJj\nYWJj'],
    ['a line break behind', 'data:text/plain;base64,YWJj\n'],
    ['a tab', 'data:text/plain;base64,YWJ\t'],
    ['a percent code', 'data:text/plain;base64,YQ%3D%3D'],
    ['the URL alphabet', 'data:text/plain;base64,-_-_'],
    ['a NUL', 'data:text/plain;base64,YWJ\0'],
    ['letters beyond ASCII', 'data:text/plain;base64,ÄÖÜß'],
    ['a full-width equals sign', 'data:text/plain;base64,YQ=＝'],
    ['a header of a kilobyte', `data:text/plain;x=${'y'.repeat(1024)};base64,YQ==`],
  ])('with %s is not', async (_, text) => {
    expect(await parseDataUrl(text)).toBeUndefined();
  });

  test('of ten megabytes is read in pieces', async () => {
    const bytes = Buffer.alloc(10 * 1024 * 1024 + 1, 'nephos');
    const data = await parseDataUrl(`data:a/b;base64,${bytes.toString('base64')}`);
    const pieces: Uint8Array[] = [];
    for await (const piece of data?.bytes() ?? []) pieces.push(piece);
    expect(pieces.length).toBeGreaterThan(10);
    expect(Buffer.concat(pieces).equals(bytes)).toBe(true);
  });
});

test.each([1, 2, 3, 4, 5, 7, 64])('base64 does not depend on the pieces: %i bytes each', async (size) => {
  const bytes = Buffer.from(Array.from({ length: 100 }, (_, at) => at * 7));
  const pieces = async function* () {
    for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
  };
  let text = '';
  for await (const piece of toBase64(pieces())) text += piece;
  expect(text).toBe(bytes.toString('base64'));
});
