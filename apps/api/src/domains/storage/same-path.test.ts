import { describe, expect, test } from 'vitest';
import { nthName } from './same-path.ts';

describe('the name of a second file', () => {
  test.each([
    ['notes.txt', 'notes (2).txt'],
    ['notes', 'notes (2)'],
    ['notes (2).txt', 'notes (3).txt'],
    ['notes (9)', 'notes (10)'],
    ['notes (0).txt', 'notes (0) (2).txt'],
    ['(2).txt', '(2) (2).txt'],
    ['backup.tar.gz', 'backup (2).tar.gz'],
    ['v1.2 final', 'v1.2 final (2)'],
    ['.env', '.env (2)'],
    ['a.b.c', 'a.b (2).c'],
    ['Ünïcode 🎉.txt', 'Ünïcode 🎉 (2).txt'],
  ])('of %j is %j', (name, second) => {
    expect(nthName(name, 0)).toBe(name);
    expect(nthName(name, 1)).toBe(second);
  });

  test.each([
    ['x'.repeat(255), `${'x'.repeat(251)} (2)`],
    [`${'x'.repeat(251)}.txt`, `${'x'.repeat(247)} (2).txt`],
    [`${'🎉'.repeat(62)}x.json`, `${'🎉'.repeat(61)} (2).json`],
  ])('fits into 255 bytes, whole characters alone', (name, second) => {
    expect(nthName(name, 1)).toBe(second);
    expect(Buffer.byteLength(nthName(name, 1))).toBeLessThanOrEqual(255);
  });
});
