import { expect, test } from 'vitest';
import { archivePaths } from './archive-paths.ts';

const pathsOf = (...names: string[]) =>
  archivePaths(
    names.map((fileName) => ({ filePath: '/', fileName })),
    '/',
  );

test('names are such as any system takes', () => {
  expect(pathsOf('a:b*?.txt', 'a. ', 'CON', 'com1.log', 'console', '\u202egpj.exe')).toEqual([
    'a_b__.txt',
    'a__',
    '_CON',
    '_com1.log',
    'console',
    '_gpj.exe',
  ]);
  const [long = ''] = pathsOf(`${'ü'.repeat(400)}.tar.gz`);
  expect(Buffer.byteLength(long)).toBeLessThanOrEqual(240);
  expect(long).toMatch(/^ü+\.tar\.gz$/);
});

test('thousands of long names that differ in their case alone, or past where they are cut, each have a place', () => {
  const names = Array.from({ length: 5000 }, (_, nth) => `${(nth % 2 ? 'a' : 'A').repeat(800)}${nth >> 1}`);
  const paths = pathsOf(...names);
  expect(new Set(paths.map((path) => path.toLowerCase())).size).toBe(names.length);
  expect(Math.max(...paths.map((path) => Buffer.byteLength(path)))).toBeLessThanOrEqual(255);
}, 5000);
