import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  existsSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { chmod, mkdtemp, readdir, rm, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type DiskImages, findDiskImages } from '../../src/domains/deployments/engine/process/disk-images.ts';
import { searchPath } from '../../src/domains/deployments/engine/process/toolchain.ts';
import { mountSmallDisk } from '../platform/small-disk.ts';
import { mountsBelow } from './mounts-below.ts';

const MB = 1024 ** 2;
const ACCOUNT = { uid: 20_000, gid: 20_000 };

let root: string;
let images: DiskImages | string;
/** On a disk of 24 MB. */
let place: { folder: string; image: string };
let unmount: (() => void) | undefined;

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'nephos-images-'));
  await chmod(root, 0o711);
  images = await findDiskImages(searchPath({ PATH: process.env.PATH ?? '' }), join(root, 'trial'));
  if (typeof images === 'string') console.warn(`skipped: ${images}`);
  else unmount = mountSmallDisk(join(root, 'machine'));
  place = { folder: join(root, 'machine/disk'), image: join(root, 'machine/images/disk.ext4') };
});

afterEach(async () => {
  if (typeof images !== 'string') await images.unmount(place);
  unmount?.();
  await rm(root, { recursive: true, force: true });
});

it('keeps what was fsynced when the machine itself is full, and takes more once it is not', async ({
  skip,
}) => {
  if (typeof images === 'string' || !unmount) return skip();
  await images.mount(place, 64 * MB, ACCOUNT);
  const file = join(place.folder, 'file');
  let written = 0;
  const write = () => {
    for (; written < 64; written++) appendFileSync(file, Buffer.alloc(MB, 1), { flush: true });
  };
  expect(write).toThrow(/EIO|ENOSPC|EROFS/);
  expect(() => writeFileSync(join(place.folder, 'more'), 'x', { flush: true })).toThrow();
  execFileSync('mount', ['-o', 'remount,size=200m', join(root, 'machine')]);
  await images.mount(place, 64 * MB, ACCOUNT);
  expect(statSync(file).size).toBeGreaterThanOrEqual(written * MB);
  expect(readFileSync(file).every((byte) => byte === 1)).toBe(true);
  write();
  expect(mountsBelow(join(root, 'machine'))).toEqual([place.folder]);
  // What is deleted gives its room back to the machine.
  const taken = statSync(place.image).blocks * 512;
  rmSync(file);
  execFileSync('sync', ['-f', place.folder]);
  await expect.poll(() => statSync(place.image).blocks * 512).toBeLessThan(taken - 60 * MB);
});

it('goes on where a server was killed: before an image was ready, and before a larger one was', async ({
  skip,
}) => {
  if (typeof images === 'string' || !unmount) return skip();
  await images.mount(place, 32 * MB, ACCOUNT);
  const before = await statfs(place.folder);
  expect(before.bavail * before.bsize).toBeGreaterThanOrEqual(32 * MB);
  await images.unmount(place);
  rmSync(place.image);
  writeFileSync(`${place.image}.new`, 'half of it');
  await images.mount(place, 32 * MB, ACCOUNT);
  expect(await readdir(place.folder)).toEqual([]);
  expect(existsSync(`${place.image}.new`)).toBe(false);
  writeFileSync(join(place.folder, 'kept'), 'x');
  // Cut between the larger file and the larger file system, with the disk mounted and not.
  for (const size of [100, 150]) {
    truncateSync(place.image, size * MB);
    await images.mount(place, 32 * MB, ACCOUNT);
    const { blocks, bsize } = await statfs(place.folder);
    expect(blocks * bsize).toBeGreaterThan((size - 25) * MB);
    expect(readFileSync(join(place.folder, 'kept'), 'utf8')).toBe('x');
    await images.unmount(place);
  }
  expect(mountsBelow(join(root, 'machine'))).toEqual([]);
});
