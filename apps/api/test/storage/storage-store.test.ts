import { randomBytes } from 'node:crypto';
import { utimesSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { StoredFile } from '@nephos/contracts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sweepOrphans } from '../../src/domains/storage/storage.ts';
import { bytesOf, digest, listed } from '../platform/object-store-contract.ts';
import { createWorld, type Person, type World } from '../world.ts';
import { MB, uploaded } from './storage-world.ts';

let world: World;
let ada: Person;

beforeAll(async () => {
  world = await createWorld({ running: true });
  ada = await world.as('Ada');
});

afterAll(() => world.close());

function open({ id }: StoredFile): Promise<Response> {
  return fetch(`${world.url}/api/storage/${id}/download`, { headers: { cookie: ada.cookie } });
}

/** Reads the first megabyte and hangs up. */
async function giveUp(response: Response): Promise<void> {
  let size = 0;
  for await (const piece of response.body ?? []) {
    size += piece.length;
    if (size > MB) break;
  }
}

test('downloads at once do not mix their bytes, also when others are given up', async () => {
  // More than the kernel holds, so that answers nobody reads yet stand still in the middle.
  const contents = Array.from({ length: 6 }, () => randomBytes(10 * MB));
  const files = await Promise.all(contents.map((bytes) => uploaded(world, ada, bytes)));
  for (let round = 0; round < 2; round += 1) {
    const whole = await Promise.all(files.map(open));
    const part = await Promise.all(files.map(open));
    await Promise.all(part.map(giveUp));
    const read = await Promise.all(whole.map(async (response) => Buffer.from(await response.arrayBuffer())));
    expect(read.map((bytes) => digest('sha256', bytes))).toEqual(
      contents.map((bytes) => digest('sha256', bytes)),
    );
  }
});

test('the hourly sweep deletes old bytes without a row, and nothing else', async () => {
  const { db, objects, settings } = world.deps;
  const folder = join(settings.dataDir, 'objects');
  const kept = await uploaded(world, ada, 'kept');
  await objects.put('files/old-orphan', bytesOf('old'));
  await objects.put('files/young-orphan', bytesOf('young'));
  await objects.put('blobs/sha256/not-a-file', bytesOf('blob'));
  const longAgo = new Date(Date.now() - 2 * 60 * 60 * 1000);
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || entry.name === 'young-orphan') continue;
    utimesSync(join(entry.parentPath, entry.name), longAgo, longAgo);
  }
  const before = (await listed(objects, 'files/')).length;
  await sweepOrphans(db, objects);
  const after = (await listed(objects, 'files/')).map(({ key }) => key);
  expect(after).toHaveLength(before - 1);
  expect(after).toContain('files/young-orphan');
  expect(after).not.toContain('files/old-orphan');
  expect(await objects.stat('blobs/sha256/not-a-file')).toBeDefined();
  expect((await ada.rest(`GET /api/storage/${kept.id}/download`)).text).toBe('kept');
});

test('an account that is deleted takes the bytes of its files with it, by the sweep', async () => {
  const { db, objects, settings } = world.deps;
  const carol = await world.as('Carol');
  await uploaded(world, carol, 'carol');
  const { objectKey } = await db
    .selectFrom('storedFiles')
    .select('objectKey')
    .where('ownerId', '=', carol.user.id)
    .executeTakeFirstOrThrow();
  await db.deleteFrom('users').where('id', '=', carol.user.id).execute();
  const name = objectKey.slice('files/'.length);
  const longAgo = new Date(Date.now() - 2 * 60 * 60 * 1000);
  utimesSync(join(settings.dataDir, 'objects/data/files', `_${name.slice(-2)}`, name), longAgo, longAgo);
  await sweepOrphans(db, objects);
  expect(await objects.stat(objectKey)).toBeUndefined();
});
