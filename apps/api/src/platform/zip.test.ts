import { execFile } from 'node:child_process';
import { mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { unzipSync } from 'fflate';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { requireTool } from '../../../../tools/require-tool.ts';
import { type ZipEntry, zipOf, zipSize } from './zip.ts';

const run = promisify(execFile);
const ZEROS = Buffer.alloc(16 * 1024 * 1024);
const AT = new Date('2024-02-29T23:59:58Z');

function entry(path: string, text = '', more: Partial<ZipEntry> = {}): ZipEntry {
  const bytes = Buffer.from(text);
  return { path, size: bytes.length, modifiedAt: AT, open: async () => Readable.from([bytes]), ...more };
}

async function bytesOf(entries: readonly ZipEntry[]): Promise<Buffer> {
  const pieces: Uint8Array[] = [];
  for await (const piece of zipOf(entries)) pieces.push(piece);
  return Buffer.concat(pieces);
}

const SMALL: [ZipEntry, ...ZipEntry[]] = [
  entry('ü/a.txt', 'Hello.'),
  entry('empty', ''),
  entry('日本.txt', 'x'.repeat(70_000)),
];

describe('an archive', () => {
  test('has its files, and as many bytes as was said', async () => {
    const bytes = await bytesOf(SMALL);
    expect(bytes.length).toBe(zipSize(SMALL));
    const files = Object.entries(unzipSync(bytes)).map(([path, text]) => [
      path,
      Buffer.from(text).toString(),
    ]);
    expect(files).toEqual([
      ['ü/a.txt', 'Hello.'],
      ['empty', ''],
      ['日本.txt', 'x'.repeat(70_000)],
    ]);
  });

  test('of nothing is one', async () => {
    expect(unzipSync(await bytesOf([]))).toEqual({});
    expect(zipSize([])).toBe(22);
  });

  test('breaks off where a file has another size than was said', async () => {
    await expect(bytesOf([entry('a', 'Hello.', { size: 7 })])).rejects.toThrow('a has 6 bytes');
    const longer = entry('a', 'Hello.', { size: 5 });
    const given: Uint8Array[] = [];
    await expect(
      (async () => {
        for await (const piece of zipOf([longer])) given.push(piece);
      })(),
    ).rejects.toThrow('a has more than 5 bytes');
    expect(Buffer.concat(given).length).toBeLessThan(zipSize([longer]));
  });

  test('opens one file at a time, and closes it where nobody reads on', async () => {
    const opened: Readable[] = [];
    const files = ['a', 'b'].map((path) =>
      entry(path, '', {
        size: 2,
        async open() {
          opened.push(Readable.from([Buffer.from('1'), Buffer.from('2')]));
          return opened.at(-1) as Readable;
        },
      }),
    );
    const archive = zipOf(files);
    for (const _ of ['header', 'block', 'byte']) await archive.next();
    await archive.return(undefined);
    expect(opened.map(({ destroyed }) => destroyed)).toEqual([true]);
  });
});

/** What Python finds: of each file its size, where it begins and its instant in UTC; and whether all that is below 1 MB is whole. */
const READ = `
import json, sys, zipfile
archive = zipfile.ZipFile(sys.argv[1])
for one in archive.infolist():
    if one.file_size < 1e6: archive.read(one)
print(json.dumps([[one.filename, one.file_size, one.header_offset, one.date_time, one.external_attr >> 16] for one in archive.infolist()]))`;

describe.skipIf(!requireTool('python3'))("Python's reader", () => {
  let folder: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'nephos-zip-'));
  });

  afterAll(() => rm(folder, { recursive: true, force: true }));

  /** Leaves a hole where the first file's bytes are, but for its head: Python does not read what is large. */
  async function found(entries: readonly [ZipEntry, ...ZipEntry[]]): Promise<unknown[][]> {
    const path = join(folder, 'an.zip');
    const file = await open(path, 'w');
    let size = 0;
    for await (const piece of zipOf(entries)) {
      if (size < 1000 || size >= entries[0].size) await file.write(piece, 0, piece.length, size);
      size += piece.length;
    }
    await file.close();
    expect(size).toBe(zipSize(entries));
    const { stdout } = await run('python3', ['-c', READ, path]);
    return JSON.parse(stdout) as unknown[][];
  }

  test('finds names, instants and permissions', async () => {
    const files = await found(SMALL);
    expect(files.map(([path, size, , at, mode]) => [path, size, `${at}`, mode])).toEqual([
      ['ü/a.txt', 6, '2024,2,29,23,59,58', 0o100_644],
      ['empty', 0, '2024,2,29,23,59,58', 0o100_644],
      ['日本.txt', 70_000, '2024,2,29,23,59,58', 0o100_644],
    ]);
  });

  test('finds what is larger than 4 GiB, and what comes behind it', async () => {
    const size = 256 * ZEROS.length;
    const large = entry('large', '', { size, open: async () => Readable.from(Array(256).fill(ZEROS)) });
    const files = await found([large, entry('behind', 'Hello.')]);
    expect(files.map(([path, bytes]) => [path, bytes])).toEqual([
      ['large', size],
      ['behind', 6],
    ]);
    expect(files[1]?.[2]).toBeGreaterThan(size);
  }, 60_000);
});
