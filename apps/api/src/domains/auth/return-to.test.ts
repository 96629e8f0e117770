import fc from 'fast-check';
import { expect, test } from 'vitest';
import { safeReturnTo } from './return-to.ts';

test.each([
  ['/', '/'],
  ['/dns', '/dns'],
  ['/projects/1?tab=log#end', '/projects/1?tab=log#end'],
  ['/a%20b', '/a%20b'],
  ['/x/../dns', '/dns'],
  ['/apis', '/apis'],
  ['/?next=//evil.example', '/?next=//evil.example'],
])('%s leads to %s', (given, path) => {
  expect(safeReturnTo(given)).toBe(path);
});

test.each([
  '',
  'dns',
  '//evil.example',
  '///evil.example',
  '/\\evil.example',
  '\\\\evil.example',
  '/\t/evil.example',
  '/\n/evil.example',
  '\t//evil.example',
  '/%09/evil.example',
  '/%5cevil.example',
  '/%2f/evil.example',
  '/.//evil.example',
  '/x/..//evil.example',
  '/%2e//evil.example',
  'https://evil.example',
  'https:evil.example',
  'javascript:alert(1)',
  'data:text/html,x',
  '/api',
  '/api/logout',
  '/API/logout',
  '/x/../api/logout',
  '/./api/logout',
  '/%61pi/logout',
  '/api%2flogout',
  '/%E0%A4%A',
  '/\0',
  `/${'a'.repeat(2048)}`,
  undefined,
  null,
  7,
  ['/dns'],
])('%j leads home', (given) => {
  expect(safeReturnTo(given)).toBe('/');
});

test('whatever is given, a browser stays on the origin and off the API', () => {
  const part = fc.constantFrom(
    '/',
    '\\',
    '.',
    '..',
    'evil.example',
    'api',
    '%2f',
    '%5c',
    '%09',
    '@',
    ':',
    '?',
    '#',
    ' ',
  );
  fc.assert(
    fc.property(fc.array(part, { maxLength: 8 }), (parts) => {
      const url = new URL(safeReturnTo(`/${parts.join('')}`), 'https://console.example');
      expect(url.origin).toBe('https://console.example');
      expect(decodeURIComponent(url.pathname)).not.toMatch(/^\/+api(\/|$)/i);
    }),
  );
});
