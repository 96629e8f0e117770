import { expect, test } from 'vitest';
import { byteSize } from './byte-size.ts';

test.each([
  [0, '0 B'],
  [1023, '1023 B'],
  [1024, '1 KB'],
  [1536, '1.50 KB'],
  [1024 ** 2 - 1, '1 MB'],
  [400 * 1024 ** 2, '400 MB'],
  [1024 ** 3 - 1, '1 GB'],
  [9.5 * 1024 ** 3, '9.50 GB'],
  [1024 ** 4, '1 TB'],
  [5000 * 1024 ** 4, '5000 TB'],
])('%i bytes are %s', (bytes, text) => {
  expect(byteSize(bytes)).toBe(text);
});
