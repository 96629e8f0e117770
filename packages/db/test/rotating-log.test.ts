import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openRotatingLog } from '../src/rotating-log.ts';

let folder: string;
let file: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'nephos-log-'));
  file = join(folder, 'pg.log');
});

afterEach(() => rmSync(folder, { recursive: true }));

test('goes on where an earlier start left off', () => {
  for (const line of ['one\n', 'two\n']) {
    const log = openRotatingLog(file);
    log.write(Buffer.from(line));
    log.close();
  }
  expect(readFileSync(file, 'utf8')).toBe('one\ntwo\n');
});

test('keeps the newest lines in two files of bounded size', () => {
  const log = openRotatingLog(file, 100);
  for (let line = 1; line <= 100; line++) log.write(Buffer.from(`line ${line}\n`));
  log.close();
  expect(readdirSync(folder)).toEqual(['pg.log', 'pg.log.1']);
  const both = readFileSync(`${file}.1`, 'utf8') + readFileSync(file, 'utf8');
  expect(both.length).toBeLessThan(220);
  expect(both).toMatch(/line 98\nline 99\nline 100\n$/);
});
