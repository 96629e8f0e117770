import { createHash, randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  NoSuchUpload,
  type ObjectStore,
  type StoredObject,
  UploadConflict,
  WrongDigest,
} from '../../src/platform/object-store/object-store.ts';

/** An empty store of the driver under test. */
export interface StoreUnderTest {
  store: ObjectStore;
  /** The same store in a new process: what was in memory is gone. */
  reopen(): Promise<ObjectStore>;
  /** What is kept beside finished objects and live uploads: there must be nothing. */
  leftovers(): Promise<string[]>;
  close(): Promise<void>;
}

const NOWHERE = '00000000-0000-4000-8000-000000000000';

export function digest(algorithm: 'sha256' | 'sha512', bytes: Uint8Array): string {
  return createHash(algorithm).update(bytes).digest('hex');
}

/** Yields the pieces, then fails if told to. */
export async function* bytesOf(...pieces: (Uint8Array | string | Error)[]): AsyncGenerator<Uint8Array> {
  for (const piece of pieces) {
    if (piece instanceof Error) throw piece;
    yield Buffer.from(piece);
  }
}

async function textOf(store: ObjectStore, key: string, range?: { start: number; end: number }) {
  const stream = await store.get(key, range);
  if (!stream) return undefined;
  return Buffer.concat(await stream.toArray()).toString();
}

export function listed(store: ObjectStore, prefix: string): Promise<StoredObject[]> {
  return Readable.from(store.list(prefix)).toArray();
}

async function keysOf(store: ObjectStore, prefix: string): Promise<string[]> {
  const objects = await listed(store, prefix);
  return objects.map(({ key }) => key).sort();
}

/** What every driver of the object store has to do. */
export function objectStoreContract(name: string, create: () => Promise<StoreUnderTest>): void {
  describe(`${name} keeps objects`, () => {
    let under: StoreUnderTest;
    let store: ObjectStore;

    beforeEach(async () => {
      under = await create();
      store = under.store;
    });

    afterEach(async () => {
      expect(await under.leftovers()).toEqual([]);
      await under.close();
    });

    test.each([65_536, 65_537, 524_288, 524_289, 3_000_000])(
      'of %i bytes as they were put, with size and digest',
      async (size) => {
        const bytes = randomBytes(size);
        const put = await store.put('files/a1', bytesOf(bytes.subarray(0, 7), bytes.subarray(7)));
        expect(put).toEqual({ size, sha256: digest('sha256', bytes) });
        const stream = await store.get('files/a1');
        expect(Buffer.concat((await stream?.toArray()) ?? []).equals(bytes)).toBe(true);
        expect(await store.stat('files/a1')).toEqual({ key: 'files/a1', size, storedAt: expect.any(Date) });
      },
    );

    test('that have arrived, soon after', async () => {
      const { kept, ...received } = await store.receive('files/a', bytesOf('arrived'));
      expect(received).toEqual({ size: 7, sha256: digest('sha256', Buffer.from('arrived')) });
      await kept;
      expect(await textOf(await under.reopen(), 'files/a')).toBe('arrived');
    });

    test('of no bytes too', async () => {
      const put = await store.put('files/empty', bytesOf());
      expect(put).toEqual({ size: 0, sha256: digest('sha256', Buffer.alloc(0)) });
      expect(await textOf(store, 'files/empty')).toBe('');
    });

    test('that outlive the process', async () => {
      await store.put('files/a', bytesOf('lasting'));
      expect(await textOf(await under.reopen(), 'files/a')).toBe('lasting');
    });

    test.each([
      [{ start: 0, end: 0 }, 'a'],
      [{ start: 2, end: 4 }, 'cde'],
      [{ start: 9, end: 9 }, 'j'],
      [{ start: 0, end: 9 }, 'abcdefghij'],
    ])('and gives the range %j', async (range, text) => {
      await store.put('files/range', bytesOf('abcdefghij'));
      expect(await textOf(store, 'files/range', range)).toBe(text);
    });

    test('or says that there is none', async () => {
      expect(await store.get('files/none')).toBeUndefined();
      expect(await store.stat('files/none')).toBeUndefined();
      await store.delete('files/none');
      expect(await keysOf(store, 'files/')).toEqual([]);
    });

    test('under the newest bytes of a key', async () => {
      await store.put('files/a', bytesOf('old and long'));
      await store.put('files/a', bytesOf('new'));
      expect(await textOf(store, 'files/a')).toBe('new');
    });

    test('until they are deleted, and for who is just reading even longer', async () => {
      await store.put('files/a', bytesOf(Buffer.alloc(5_000_000, 'x')));
      const reading = await store.get('files/a');
      await store.delete('files/a');
      expect(await store.stat('files/a')).toBeUndefined();
      expect(Buffer.concat((await reading?.toArray()) ?? [])).toHaveLength(5_000_000);
    });

    test('under a second key, whatever becomes of the first', async () => {
      await store.put('files/a', bytesOf('first'));
      await store.put('blobs/b', bytesOf('older and longer'));
      expect(await store.copy('files/a', 'blobs/b')).toBe(true);
      expect(await store.copy('files/a', 'files/a')).toBe(true);
      await store.put('files/a', bytesOf('another'));
      expect(await textOf(store, 'blobs/b')).toBe('first');
      await store.delete('files/a');
      expect(await textOf(store, 'blobs/b')).toBe('first');
      expect(await store.copy('files/a', 'blobs/b')).toBe(false);
      expect(await textOf(store, 'blobs/b')).toBe('first');
      expect(await keysOf(store, 'files/')).toEqual([]);
    });

    test('and lists them by prefix', async () => {
      const keys = ['blobs/sha256/0a', 'blobs/sha256/0b', 'blobs/sha512/0a', 'files/0a', 'files/x'];
      for (const key of keys) await store.put(key, bytesOf(key));
      expect(await keysOf(store, 'blobs/')).toEqual(keys.slice(0, 3));
      expect(await keysOf(store, 'blobs/sha256/')).toEqual(keys.slice(0, 2));
      expect(await keysOf(store, 'files/')).toEqual(keys.slice(3));
      expect(await keysOf(store, 'none/')).toEqual([]);
      const id = await store.uploads.begin();
      await store.uploads.append(id, bytesOf('no object yet'), 0);
      expect(await keysOf(store, '')).toEqual(keys);
      await store.uploads.abort(id);
      const [only] = await listed(store, 'blobs/sha512/');
      expect(only).toEqual({ key: 'blobs/sha512/0a', size: 15, storedAt: expect.any(Date) });
    });

    test('whole or not at all when their source fails', async () => {
      const cut = new Error('cut');
      await expect(store.put('files/cut', bytesOf('abc', cut))).rejects.toBe(cut);
      expect(await store.stat('files/cut')).toBeUndefined();
      await store.put('files/old', bytesOf('old'));
      await expect(store.put('files/old', bytesOf('ne', cut))).rejects.toBe(cut);
      expect(await textOf(store, 'files/old')).toBe('old');
    });

    test('once, when many put the same at once', async () => {
      const puts = Array.from({ length: 20 }, () => store.put('blobs/one', bytesOf('the same bytes')));
      expect(new Set((await Promise.all(puts)).map(({ sha256 }) => sha256)).size).toBe(1);
      expect(await keysOf(store, 'blobs/')).toEqual(['blobs/one']);
    });

    test.each([
      '',
      'files',
      '/files/a',
      'files/',
      'files//a',
      'files/../a',
      'files/..',
      'files/A',
      'files/a.b',
    ])('never under the key %j', async (key) => {
      await expect(async () => store.put(key, bytesOf('x'))).rejects.toThrow('not an object key');
      await expect(async () => store.get(key)).rejects.toThrow('not an object key');
      await expect(async () => store.delete(key)).rejects.toThrow('not an object key');
    });
  });

  describe(`${name} takes uploads in parts`, () => {
    let under: StoreUnderTest;
    let store: ObjectStore;
    const bytes = randomBytes(1_000_000);
    const expected = { algorithm: 'sha256', hex: digest('sha256', bytes) } as const;

    beforeEach(async () => {
      under = await create();
      store = under.store;
    });

    afterEach(async () => {
      expect(await under.leftovers()).toEqual([]);
      await under.close();
    });

    test('and makes an object of them', async () => {
      const { uploads } = store;
      const id = await uploads.begin();
      expect(await uploads.size(id)).toBe(0);
      expect(await uploads.append(id, bytesOf(bytes.subarray(0, 400_000)), 0)).toBe(400_000);
      expect(await uploads.size(id)).toBe(400_000);
      expect(await uploads.append(id, bytesOf(bytes.subarray(400_000)), 400_000)).toBe(1_000_000);
      expect(await store.stat(`blobs/sha256/${expected.hex}`)).toBeUndefined();
      expect(await uploads.finish(id, `blobs/sha256/${expected.hex}`, expected)).toBe(1_000_000);
      const stream = await store.get(`blobs/sha256/${expected.hex}`);
      expect(Buffer.concat((await stream?.toArray()) ?? []).equals(bytes)).toBe(true);
      await uploads.abort(id);
    });

    test('which stay until they are forgotten, closed, and can be finished again', async () => {
      const { uploads } = store;
      const id = await uploads.begin();
      await uploads.append(id, bytesOf(bytes), 0);
      expect(await uploads.isFinished(id)).toBe(false);
      await uploads.finish(id, 'blobs/twice', expected);
      expect(await uploads.isFinished(id)).toBe(true);
      await expect(uploads.append(id, bytesOf('x'), 1_000_000)).rejects.toEqual(
        new UploadConflict(1_000_000),
      );
      const reopened = await under.reopen();
      expect(await reopened.uploads.isFinished(id)).toBe(true);
      expect(await reopened.uploads.finish(id, 'blobs/twice', expected)).toBe(1_000_000);
      await reopened.delete('blobs/twice');
      expect(await reopened.uploads.finish(id, 'blobs/twice', expected)).toBe(1_000_000);
      expect(await reopened.uploads.abort(id)).toBe(true);
      expect(await reopened.uploads.size(id)).toBeUndefined();
      expect(await reopened.stat('blobs/twice')).toMatchObject({ size: 1_000_000 });
    });

    test.each([
      ['sha256', 'sha256'],
      ['sha512', 'sha512'],
      ['sha256', 'sha512'],
      ['sha512', 'sha256'],
    ] as const)('begun for %s and finished by %s', async (begun, finished) => {
      const id = await store.uploads.begin(begun);
      await store.uploads.append(id, bytesOf(bytes), 0);
      const hex = digest(finished, bytes);
      expect(await store.uploads.finish(id, `blobs/${hex}`, { algorithm: finished, hex })).toBe(1_000_000);
      await store.uploads.abort(id);
    });

    test('of no bytes', async () => {
      const id = await store.uploads.begin();
      const hex = digest('sha256', Buffer.alloc(0));
      expect(await store.uploads.finish(id, 'blobs/none', { algorithm: 'sha256', hex })).toBe(0);
      expect(await textOf(store, 'blobs/none')).toBe('');
      await store.uploads.abort(id);
    });

    test('which can be resumed where the source failed', async () => {
      const { uploads } = store;
      const id = await uploads.begin();
      const cut = new Error('cut');
      await expect(uploads.append(id, bytesOf(bytes.subarray(0, 300_000), cut), 0)).rejects.toBe(cut);
      expect(await uploads.size(id)).toBe(300_000);
      await uploads.append(id, bytesOf(bytes.subarray(300_000)), 300_000);
      expect(await uploads.finish(id, 'blobs/resumed', expected)).toBe(1_000_000);
      await uploads.abort(id);
    });

    test.each(['sha256', 'sha512'] as const)(
      'which can be resumed after a restart, by %s',
      async (algorithm) => {
        const id = await store.uploads.begin(algorithm);
        await store.uploads.append(id, bytesOf(bytes.subarray(0, 300_000)), 0);
        const reopened = await under.reopen();
        expect(await reopened.uploads.size(id)).toBe(300_000);
        await reopened.uploads.append(id, bytesOf(bytes.subarray(300_000)), 300_000);
        const hex = digest(algorithm, bytes);
        expect(await reopened.uploads.finish(id, 'blobs/restarted', { algorithm, hex })).toBe(1_000_000);
        await reopened.uploads.abort(id);
      },
    );

    test('that continue each other only', async () => {
      const { uploads } = store;
      const id = await uploads.begin();
      await uploads.append(id, bytesOf('abc'), 0);
      for (const offset of [0, 2, 4, -1]) {
        const append = uploads.append(id, bytesOf('d'), offset);
        await expect(append).rejects.toEqual(new UploadConflict(3));
      }
      expect(await uploads.size(id)).toBe(3);
      expect(await uploads.abort(id)).toBe(true);
    });

    test('by one writer at a time', async () => {
      const { uploads } = store;
      const id = await uploads.begin();
      const { promise: gate, resolve: open } = Promise.withResolvers<void>();
      const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
      const first = uploads.append(
        id,
        (async function* () {
          begin();
          yield Buffer.from('abc');
          await gate;
          yield Buffer.from('def');
        })(),
        0,
      );
      await begun;
      await expect(uploads.append(id, bytesOf('x'), 0)).rejects.toThrow(UploadConflict);
      await expect(uploads.finish(id, 'blobs/x', expected)).rejects.toThrow(UploadConflict);
      await expect(uploads.abort(id)).rejects.toThrow(UploadConflict);
      open();
      expect(await first).toBe(6);
      const hex = digest('sha256', Buffer.from('abcdef'));
      expect(await uploads.finish(id, 'blobs/x', { algorithm: 'sha256', hex })).toBe(6);
      await uploads.abort(id);
    });

    test('and refuses a wrong digest, leaving nothing', async () => {
      const { uploads } = store;
      const id = await uploads.begin();
      await uploads.append(id, bytesOf(bytes, 'x'), 0);
      await expect(uploads.finish(id, 'blobs/wrong', expected)).rejects.toThrow(WrongDigest);
      expect(await uploads.size(id)).toBeUndefined();
      expect(await store.stat('blobs/wrong')).toBeUndefined();
    });

    test('and forgets aborted ones', async () => {
      const id = await store.uploads.begin();
      await store.uploads.append(id, bytesOf('abc'), 0);
      expect(await store.uploads.abort(id)).toBe(true);
      expect(await store.uploads.abort(id)).toBe(false);
      expect(await store.uploads.size(id)).toBeUndefined();
    });

    test.each([NOWHERE, '', '..', '../data', 'x'])('and knows no upload %j', async (id) => {
      expect(await store.uploads.size(id)).toBeUndefined();
      expect(await store.uploads.abort(id)).toBe(false);
      await expect(store.uploads.append(id, bytesOf('x'), 0)).rejects.toThrow(NoSuchUpload);
      await expect(store.uploads.finish(id, 'blobs/x', expected)).rejects.toThrow(NoSuchUpload);
    });

    test('of which many can become one object at once', async () => {
      const finish = async () => {
        const id = await store.uploads.begin();
        await store.uploads.append(id, bytesOf(bytes), 0);
        await store.uploads.finish(id, 'blobs/shared', expected);
        await store.uploads.abort(id);
      };
      await Promise.all(Array.from({ length: 10 }, finish));
      expect(await keysOf(store, 'blobs/')).toEqual(['blobs/shared']);
    });
  });
}
