import { expect, test } from 'vitest';
import { placed, placeOf } from './places.ts';

test.each([
  ['194.25.0.1', 'Germany'],
  ['::ffff:194.25.0.1', 'Germany'],
  ['2a01:4f8::1', 'Germany'],
  ['133.11.0.1', 'Japan'],
  ['127.0.0.1', 'Local network'],
  ['::1', 'Local network'],
  ['10.1.2.3', 'Local network'],
  ['100.64.0.1', 'Local network'],
  ['fd00::1', 'Local network'],
  ['fe80::1', 'Local network'],
  ['203.0.113.7', null],
  ['', null],
  ['not an address', null],
])('%s is in %s', async (ip, place) => {
  expect(await placeOf(ip)).toBe(place);
});

test('an address stands behind its place, or alone', async () => {
  expect([await placed('194.25.0.1'), await placed('203.0.113.7')]).toEqual([
    'Germany · 194.25.0.1',
    '203.0.113.7',
  ]);
});
