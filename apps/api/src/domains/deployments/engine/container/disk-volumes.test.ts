import { execFileSync } from 'node:child_process';
import { closeSync, existsSync, openSync } from 'node:fs';
import { mkdtemp, readFile, rm, rmdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type Docker from 'dockerode';
import { expect, test } from 'vitest';
import { hostFolder } from './disk-volumes.ts';

const canHang = process.getuid?.() === 0 && existsSync('/dev/fuse');
/** As many as Node.js reads files by, unless it is told otherwise. */
const THREADS = 4;

const boundTo = (device: string) =>
  ({
    Driver: 'local',
    Mountpoint: '',
    Options: { type: 'none', o: 'bind', device },
  }) as unknown as Docker.VolumeInspectInfo;

/** A file system whose server never answers. */
async function hang() {
  const folder = await mkdtemp(join(tmpdir(), 'nephos-hung-'));
  const server = openSync('/dev/fuse', 'r+');
  const options = 'fd=3,rootmode=40000,user_id=0,group_id=0';
  execFileSync('mount', ['-i', '-t', 'fuse', '-o', options, 'none', folder], {
    stdio: ['ignore', 'ignore', 'inherit', server],
  });
  return {
    folder,
    async end() {
      closeSync(server);
      execFileSync('umount', ['--lazy', folder]);
      await rmdir(folder);
    },
  };
}

test('a folder is where a bind shows it, if it is there', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'nephos-bound-'));
  expect(await hostFolder(boundTo(folder))).toBe(folder);
  await rm(folder, { recursive: true });
  expect(await hostFolder(boundTo(folder))).toBeUndefined();
});

test.skipIf(!canHang)('a share whose server does not answer holds up nothing else', async () => {
  const share = await hang();
  try {
    const asked = Array.from({ length: THREADS }, () => hostFolder(boundTo(share.folder)));
    const read = readFile(import.meta.filename).then(() => 'read');
    expect(await Promise.race([read, wait(1000, 'held up')])).toBe('read');
    expect(await Promise.all(asked)).toEqual(asked.map(() => undefined));
  } finally {
    await share.end();
  }
});
