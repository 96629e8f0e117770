import fc from 'fast-check';
import { expect, test } from 'vitest';
import { HANDLE_MAX, handleFrom, stemOf } from './handle.ts';

/** `path-component` of the OCI distribution specification. */
const COMPONENT = /^[a-z0-9]+((\.|_|__|-+)[a-z0-9]+)*$/;

test.each([
  ['ada@example.com', 'ada'],
  ['ada.lovelace@example.com', 'ada.lovelace'],
  ['ada__l--x@example.com', 'ada__l--x'],
  ['ada+news@example.com', 'ada-news'],
  ['a..b@example.com', 'a-b'],
  ['a._b@example.com', 'a-b'],
  ['_.ada-_@example.com', 'ada'],
  ['élodie@example.com', 'elodie'],
  ['李@example.com', 'user'],
  [`${'a'.repeat(39)}.b@example.com`, 'a'.repeat(39)],
])('%s becomes %s', (email, handle) => {
  expect(handleFrom(email)).toBe(handle);
});

test('every handle, and every stem with a number, is a path component of at most 40 characters', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 80 }), fc.nat({ max: 999_999 }), (local, number) => {
      const handle = handleFrom(`${local}@example.com`);
      const numbered = `${stemOf(handle)}-${number}`;
      for (const name of [handle, numbered]) {
        expect(name).toMatch(COMPONENT);
        expect(name.length).toBeLessThanOrEqual(HANDLE_MAX);
      }
    }),
  );
});
