import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { createDb, createPool } from '@nephos/db';
import { createTestDatabase, type TestDatabase } from '@nephos/db/testing';
import { sql } from 'kysely';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openDiskStore } from '../../src/platform/object-store/disk-store.ts';
import { createMovingStore } from '../../src/platform/object-store/moving-store.ts';
import { createObjectMove } from '../../src/platform/object-store/object-move.ts';
import { type ObjectStore, UploadConflict } from '../../src/platform/object-store/object-store.ts';
import { assertUsable, openBucket, type S3Bucket } from '../../src/platform/object-store/s3-bucket.ts';
import { createS3Store } from '../../src/platform/object-store/s3-store.ts';
import { type LoopbackS3, startLoopbackS3 } from './loopback-s3.ts';
import { bytesOf, digest, listed, objectStoreContract } from './object-store-contract.ts';

const MB = 1024 * 1024;
const SETTINGS = {
  ...{ bucket: 'nephos', region: 'us-east-1', pathStyle: true },
  ...{ accessKeyId: 'AKIAEXAMPLE', secretAccessKey: 'not-for-the-log' },
};

let database: TestDatabase;
let db: ReturnType<typeof createDb>;
let s3: LoopbackS3;
let bucket: S3Bucket;

beforeAll(async () => {
  database = await createTestDatabase();
  db = createDb(createPool({ url: database.url }));
  s3 = await startLoopbackS3(SETTINGS.bucket);
  bucket = await openBucket({ ...SETTINGS, endpoint: s3.endpoint });
});

afterAll(async () => {
  await s3.close();
  await db.destroy();
  await database.drop();
});

async function empty(): Promise<void> {
  s3.objects.clear();
  s3.multiparts.clear();
  await db.deleteFrom('objectUploads').execute();
}

const leftovers = async () => [
  ...[...s3.objects.keys()].filter((key) => key.startsWith('_')),
  ...s3.multiparts.keys(),
  ...(await db.selectFrom('objectUploads').select('id').execute()).map(({ id }) => id),
];

objectStoreContract('S3', async () => {
  await empty();
  return {
    store: createS3Store(bucket, db),
    reopen: async () => createS3Store(bucket, db),
    leftovers,
    close: async () => {},
  };
});

describe('S3, beyond the contract', () => {
  let store: ObjectStore;
  const pieces = (count: number, fill: number) => Array.from({ length: count }, () => Buffer.alloc(MB, fill));

  beforeAll(async () => {
    await empty();
    store = createS3Store(bucket, db);
  });

  test('keeps what is larger than a part, whole or not at all', async () => {
    const bytes = Buffer.concat(pieces(17, 1));
    const put = await store.put('files/large', bytesOf(...pieces(17, 1)));
    expect(put).toEqual({ size: 17 * MB, sha256: digest('sha256', bytes) });
    expect(s3.objects.get('files/large')?.bytes.equals(bytes)).toBe(true);
    const cut = new Error('cut');
    await expect(store.put('files/cut', bytesOf(...pieces(17, 1), cut))).rejects.toBe(cut);
    expect(await store.stat('files/cut')).toBeUndefined();
    await store.put('files/exact', bytesOf(...pieces(8, 1)));
    expect((await store.stat('files/exact'))?.size).toBe(8 * MB);
    expect(await leftovers()).toEqual([]);
  });

  test('takes an upload in parts of any size, by several servers', async () => {
    const bytes = Buffer.concat([...pieces(9, 1), ...pieces(3, 2), ...pieces(6, 3)]);
    const id = await store.uploads.begin();
    await store.uploads.append(id, bytesOf(...pieces(9, 1)), 0);
    const other = createS3Store(bucket, db);
    await other.uploads.append(id, bytesOf(...pieces(3, 2)), 9 * MB);
    await store.uploads.append(id, bytesOf(...pieces(6, 3)), 12 * MB);
    const expected = { algorithm: 'sha256', hex: digest('sha256', bytes) } as const;
    expect(await other.uploads.finish(id, 'blobs/parts', expected)).toBe(18 * MB);
    expect(s3.objects.get('blobs/parts')?.bytes.equals(bytes)).toBe(true);
    expect(await other.uploads.finish(id, 'blobs/parts', expected)).toBe(18 * MB);
    expect(await store.uploads.abort(id)).toBe(true);
    expect(await leftovers()).toEqual([]);
  });

  test('lets another server go on once the one that had an upload says nothing any more', async () => {
    const id = await store.uploads.begin();
    await store.uploads.append(id, bytesOf('abc'), 0);
    const killed = { holder: id, heldUntil: sql<string>`now() + interval '5 seconds'` };
    await db.updateTable('objectUploads').set(killed).where('id', '=', id).execute();
    await expect(store.uploads.append(id, bytesOf('d'), 3)).rejects.toEqual(new UploadConflict(3));
    await db
      .updateTable('objectUploads')
      .set({ heldUntil: sql<string>`now() - interval '1 second'` })
      .execute();
    expect(await store.uploads.append(id, bytesOf('d'), 3)).toBe(4);
    await store.uploads.abort(id);
  });

  test('takes nothing more from a server that lost an upload while it was still', async () => {
    const id = await store.uploads.begin();
    const late = store.uploads.append(
      id,
      (async function* () {
        yield Buffer.from('late');
        await db.updateTable('objectUploads').set({ holder: id }).where('id', '=', id).execute();
      })(),
      0,
    );
    await expect(late).rejects.toThrow(UploadConflict);
    expect(await store.uploads.size(id)).toBe(0);
    await db.updateTable('objectUploads').set({ holder: null, heldUntil: null }).execute();
    await store.uploads.abort(id);
    expect(await leftovers()).toEqual([]);
  });

  test('sweeps uploads of yesterday, and what killed servers left', async () => {
    const { uploads, sweep } = store;
    const [old, young] = [await uploads.begin(), await uploads.begin()];
    for (const id of [old, young]) await uploads.append(id, bytesOf(...pieces(9, 1)), 0);
    s3.objects.set('_uploads/gone/rest', { bytes: Buffer.alloc(1), at: new Date(0) });
    s3.multiparts.set('gone', { key: 'files/gone', at: new Date(0), parts: new Map() });
    await db
      .updateTable('objectUploads')
      .set({ touchedAt: sql<string>`now() - interval '25 hours'` })
      .where('id', '=', old)
      .execute();
    for (const upload of s3.multiparts.values()) upload.at = new Date(0);
    await sweep();
    expect(await uploads.size(old)).toBeUndefined();
    expect(await uploads.size(young)).toBe(9 * MB);
    expect(s3.multiparts.size).toBe(1);
    expect([...s3.objects.keys()].filter((key) => key.startsWith('_'))).toHaveLength(1);
    await uploads.abort(young);
    expect(await leftovers()).toEqual([]);
  });

  test.each([
    [{ status: 403, code: 'SignatureDoesNotMatch' }, 'UNAVAILABLE'],
    [{ status: 404, code: 'NoSuchBucket' }, 'UNAVAILABLE'],
    [{ status: 507, code: 'InsufficientStorage' }, 'STORAGE_FULL'],
  ])(
    'says 503 where it is refused with %j, and forgets nothing',
    { timeout: 60_000 },
    async (refusal, reason) => {
      await store.put('files/a', bytesOf('a'));
      const id = await store.uploads.begin();
      await store.uploads.append(id, bytesOf('abc'), 0);
      s3.refuse(refusal);
      const unavailable = { code: 'SERVICE_UNAVAILABLE', reason };
      const failures = await Promise.allSettled([
        store.put('files/b', bytesOf('b')),
        store.get('files/a'),
        store.delete('files/a'),
        store.copy('files/a', 'files/c'),
        listed(store, 'files/'),
        store.uploads.abort(id),
      ]);
      s3.refuse(undefined);
      for (const failure of failures)
        expect(failure).toMatchObject({ status: 'rejected', reason: unavailable });
      const told = failures.map((failure) => JSON.stringify(failure) + String(failure.status));
      expect(told.join()).not.toContain(SETTINGS.accessKeyId);
      expect(await store.uploads.size(id)).toBe(3);
      expect(await store.uploads.abort(id)).toBe(true);
    },
  );

  test('says 503 where nobody answers', async () => {
    const away = await openBucket({ ...SETTINGS, endpoint: new URL('http://127.0.0.1:9') });
    const lost = createS3Store(away, db);
    await expect(lost.stat('files/a')).rejects.toMatchObject({ reason: 'UNAVAILABLE' });
    await assertUsable(away);
  });

  test('tells at the start of a bucket that is not there, or not ours', async () => {
    const other = await openBucket({ ...SETTINGS, bucket: 'other', endpoint: s3.endpoint });
    await expect(assertUsable(other)).rejects.toThrow("S3_BUCKET other doesn't exist");
    s3.refuse({ status: 403, code: 'AccessDenied' });
    await expect(assertUsable(bucket)).rejects.toThrow("S3_ACCESS_KEY_ID isn't allowed");
    s3.refuse(undefined);
    await assertUsable(bucket);
  });
});

describe('what was on the disk', () => {
  const contents = new Map(
    Array.from({ length: 8 }, (_, at) => [`files/${at}`, randomBytes(at === 0 ? 9 * MB : 1000)] as const),
  );
  const moved = [...contents.keys()].filter((key) => key !== 'files/1');
  let folder: string;
  let disk: ObjectStore;
  let store: ObjectStore;
  let both: ObjectStore;

  beforeAll(async () => {
    await empty();
    folder = await mkdtemp(join(tmpdir(), 'nephos-moved-'));
    disk = await openDiskStore(folder);
    store = createS3Store(bucket, db);
    both = createMovingStore(store, disk);
    for (const [key, bytes] of contents) await disk.put(key, bytesOf(bytes));
  });

  afterAll(() => rm(folder, { recursive: true, force: true }));

  const announce = async () => {};
  const bytesAt = async (key: string) => {
    const stream = await both.get(key);
    return stream && Buffer.concat(await stream.toArray());
  };

  test('is there before it is in the bucket, and gives way to what is stored since', async () => {
    for (const [key, bytes] of contents) expect((await bytesAt(key))?.equals(bytes)).toBe(true);
    await both.delete('files/1');
    await both.put('files/2', bytesOf('newer'));
    contents.set('files/2', Buffer.from('newer'));
    expect(await both.copy('files/3', 'files/copy')).toBe(true);
    expect(await both.copy('files/none', 'files/copy')).toBe(false);
    const keys = (await listed(both, 'files/')).map(({ key }) => key);
    expect(keys.sort()).toEqual([...moved, 'files/copy']);
  });

  test('is moved, also where the bucket is away for a while or a process has ended in the middle', async () => {
    const move = () =>
      createObjectMove({ from: disk, to: store, log: pino({ level: 'silent' }), announce }, 100);
    s3.refuse({ status: 403, code: 'AccessDenied' });
    const interrupted = move();
    const moving = interrupted.catchUp();
    await expect.poll(() => interrupted.left()?.objects).toBe(moved.length);
    await interrupted.stop();
    await moving;
    expect((await listed(disk, '')).length).toBe(moved.length);

    const again = move();
    const done = again.catchUp();
    setTimeout(() => s3.refuse(undefined), 200);
    await done;
    expect(again.left()).toEqual({ objects: 0, bytes: 0 });
    expect(await listed(disk, '')).toEqual([]);
    for (const key of moved) {
      expect((await bytesAt(key))?.equals(contents.get(key) ?? Buffer.alloc(0))).toBe(true);
    }
    expect(await store.stat('files/1')).toBeUndefined();
  });

  test('stays on the disk where other bytes arrive in the bucket', async () => {
    await disk.put('files/rotten', bytesOf('as it was'));
    const rots = { ...store, get: async () => Readable.from([Buffer.from('rotten')]) };
    const told: string[] = [];
    const log = pino({ level: 'warn' }, { write: (line: string) => told.push(line) });
    const move = createObjectMove({ from: disk, to: rots, log, announce });
    const moving = move.catchUp();
    await expect.poll(() => told.join()).toContain('arrived as others');
    await move.stop();
    await moving;
    expect((await listed(disk, '')).map(({ key }) => key)).toEqual(['files/rotten']);
  });
});
