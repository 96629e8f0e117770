import { createHash, randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { CHUNK_BYTES, Damaged } from '../../src/backup/repository/chunks.ts';
import { readEarlier } from '../../src/backup/repository/earlier.ts';
import type { Entry, Manifest, Place } from '../../src/backup/repository/manifest.ts';
import {
  addChunksOf,
  createChunkReader,
  entriesOf,
  verify,
} from '../../src/backup/repository/part-reader.ts';
import { createPartWriter } from '../../src/backup/repository/part-writer.ts';
import { makeRecoveryKey } from '../../src/backup/repository/recovery-key.ts';
import { createRepository, openRepository, type Repository } from '../../src/backup/repository/repository.ts';
import { WrongKey } from '../../src/backup/repository/repository-key.ts';
import { superfluous } from '../../src/backup/repository/retention.ts';
import { openDiskStore } from '../../src/platform/object-store/disk-store.ts';

const openStore = async (place: string) => {
  const { putWhole: put, ...store } = await openDiskStore(place);
  return { ...store, put };
};

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'nephos-repository-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const LARGE = randomBytes(CHUNK_BYTES + 1000);
const FILES = new Map([
  ['large', LARGE],
  ['empty', Buffer.alloc(0)],
  ...Array.from({ length: 200 }, (_, i): [string, Buffer] => [
    `small-${i}`,
    Buffer.from(`${i} `.repeat(2000)),
  ]),
]);

const digestOf = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');
const DIGESTS = new Map([...FILES].map(([path, bytes]) => [path, digestOf(bytes)]));

let minute = 10;

async function write(repository: Repository, files: ReadonlyMap<string, Buffer>) {
  minute += 1;
  await repository.chunks.survey();
  const writer = createPartWriter(repository.chunks, 'objects', {
    told: () => {},
    signal: AbortSignal.timeout(60_000),
  });
  for (const [path, bytes] of files) {
    await writer.add({ kind: 'object', path, size: bytes.length, at: [] }, [bytes].values() as never);
  }
  const part = await writer.end();
  const manifest: Manifest = {
    ...{ version: 1, takenAt: `2026-11-24T04:${minute}:06.789Z`, program: '0.1.0', asRoot: false },
    ...{ dataDir: '/srv/data', secretsKey: '00', missing: [], bytes: part.bytes, added: writer.added() },
    database: { lastMigration: '0001', sequences: [], queueVersion: null },
    parts: [part],
  };
  return { manifest, added: writer.added(), backup: await repository.write(manifest) };
}

async function everyFile(place = folder): Promise<string[]> {
  const entries = await readdir(place, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
}

async function readAll(by: Parameters<typeof openRepository>[1]) {
  const repository = await openRepository(await openStore(folder), by);
  const [newest] = await repository.list();
  if (!newest) throw new Error('no backup');
  const manifest = await repository.read(newest);
  await verify(repository.chunks, manifest);
  const found = new Map<string, string>();
  const reader = createChunkReader(repository.chunks);
  for (const part of manifest.parts) {
    for await (const entry of entriesOf(repository.chunks, part)) {
      if (entry.kind !== 'object') continue;
      const pieces: Buffer[] = [];
      for await (const piece of reader.bytes(entry.at)) pieces.push(piece);
      found.set(entry.path, digestOf(Buffer.concat(pieces)));
    }
  }
  return found;
}

it('gives back what it was given, stores nothing twice, and refuses whatever was changed', async () => {
  const store = await openStore(folder);
  const { repository, recoveryKey } = await createRepository(store, 'four words of mine');
  await repository.mendKeyFiles();
  const first = await write(repository, FILES);
  expect(recoveryKey).toMatch(/^([0-9a-z]{6}-){5}[0-9a-z]{6}$/);
  expect(first.backup.takenAt.toISOString()).toBe('2026-11-24T04:11:06.789Z');

  expect(await readAll({ recoveryKey: recoveryKey.toUpperCase().replaceAll('-', ' ') })).toEqual(DIGESTS);
  expect(await readAll({ passphrase: 'four words of mine' })).toEqual(DIGESTS);
  await expect(readAll({ passphrase: 'four words' })).rejects.toThrow(WrongKey);
  await expect(readAll({ recoveryKey: recoveryKey.slice(0, -1) })).rejects.toThrow(WrongKey);

  const again = await openRepository(await openStore(folder), { key: repository.key.key });
  expect((await write(again, FILES)).added).toBe(0);
  const more = new Map([...FILES, ['new', randomBytes(1000)]]);
  const added = (await write(again, more)).added;
  expect(added).toBeGreaterThan(1000);
  expect(added).toBeLessThan(100_000);
  for (const backup of (await again.list()).slice(1)) await again.remove(backup);
  const manifest = await again.read((await again.list())[0] as never);
  const needed = new Set<string>();
  await addChunksOf(again.chunks, manifest, needed);
  await again.chunks.sweep((name) => needed.has(name));

  const [, copy = ''] = (await everyFile()).filter(isKeyFile);
  await rm(copy);
  const files = await everyFile();
  expect(files.length).toBeGreaterThan(5);
  for (const file of files) {
    const whole = await readFile(file);
    const at = Math.floor(Math.random() * whole.length);
    const flipped = Buffer.from(whole);
    flipped[at] = (flipped[at] ?? 0) ^ (1 << Math.floor(Math.random() * 8));
    const resized = [whole.subarray(0, at), Buffer.concat([whole, Buffer.of(0)])];
    for (const damaged of Math.random() < 0.3 ? [flipped, ...resized] : [flipped]) {
      await writeAgain(file, damaged);
      await expect(readAll({ recoveryKey }), `${file} at ${at}`).rejects.toThrow(
        expect.toSatisfy((error) => error instanceof Damaged || error instanceof WrongKey),
      );
    }
    await writeAgain(file, whole);
  }
  expect((await readAll({ recoveryKey })).size).toBe(more.size);
});

it('blames no key for a key file that may be damaged', async () => {
  const place = await mkdtemp(join(folder, 'key-'));
  const { recoveryKey } = await createRepository(await openStore(place), undefined);
  for (const file of await everyFile(place)) {
    await writeAgain(file, changeSealed(await readFile(file)));
  }
  await expect(openRepository(await openStore(place), { recoveryKey })).rejects.toThrow(
    'The recovery key does not open these backups: it is not theirs, or their key file is damaged.',
  );
});

it('opens by what is left of its key files, and writes the other again', async () => {
  const place = await mkdtemp(join(folder, 'keys-'));
  const passphrase = 'four words of mine';
  const { repository, recoveryKey } = await createRepository(await openStore(place), passphrase);
  expect((await everyFile(place)).filter(isKeyFile)).toHaveLength(1);
  await repository.mendKeyFiles();
  const keyFiles = await everyFile(place);
  expect(keyFiles.filter(isKeyFile)).toHaveLength(2);
  const whole = await readFile(keyFiles[0] ?? '');
  const open = async (by: Parameters<typeof openRepository>[1]) => openRepository(await openStore(place), by);
  for (const file of keyFiles) {
    const somewhere = Buffer.from(whole);
    const at = Math.floor(Math.random() * whole.length);
    somewhere[at] = (somewhere[at] ?? 0) ^ 1;
    for (const damaged of [somewhere, changeSealed(whole), whole.subarray(1), undefined]) {
      await rm(file);
      if (damaged) await writeFile(file, damaged);
      for (const by of [{ recoveryKey }, { key: repository.key.key }]) {
        expect((await open(by)).key, `${file}: ${damaged}`).toEqual(repository.key);
      }
      await expect(open({ recoveryKey: makeRecoveryKey() })).rejects.toThrow('is not theirs');
      await expect(createRepository(await openStore(place), undefined)).rejects.toThrow('already');
      await (await open({ recoveryKey })).mendKeyFiles();
      if (damaged !== somewhere) expect(await readFile(file)).toEqual(whole);
      await writeFile(file, whole);
    }
  }
  // What is there and cannot be read, as where a disk has a bad sector.
  const [first = ''] = keyFiles;
  await rm(first);
  await mkdir(first);
  expect((await open({ recoveryKey })).key).toEqual(repository.key);
  await rm(first, { recursive: true });
  await writeFile(first, whole);
  const withoutCost = Buffer.from(whole.toString().replace('131072', '131073'));
  for (const file of keyFiles) await writeAgain(file, withoutCost);
  await expect(open({ passphrase })).rejects.toThrow(Damaged);
});

it('leaves the key file of another repository alone', async () => {
  const [place, other] = [await mkdtemp(join(folder, 'own-')), await mkdtemp(join(folder, 'other-'))];
  const { repository } = await createRepository(await openStore(place), undefined);
  await repository.mendKeyFiles();
  await createRepository(await openStore(other), undefined);
  const [file = ''] = await everyFile(place);
  const theirs = await readFile((await everyFile(other))[0] ?? '');
  await writeAgain(file, theirs);
  await (await openRepository(await openStore(place), { key: repository.key.key })).mendKeyFiles();
  expect(await readFile(file)).toEqual(theirs);
});

const isKeyFile = (file: string) => file.includes('/data/repository/');

/** Another digit in the middle of what only the recovery key opens. */
function changeSealed(file: Buffer): Buffer {
  const at = file.indexOf('sealed') + 30;
  const changed = Buffer.from(file);
  changed.write(file[at] === 0x41 ? 'B' : 'A', at);
  return changed;
}

async function writeAgain(file: string, bytes: Uint8Array): Promise<void> {
  await rm(file);
  await writeFile(file, bytes);
}

it('stores once more what was found damaged, for all backups that need it', async () => {
  const place = await mkdtemp(join(folder, 'mended-'));
  const { repository, recoveryKey } = await createRepository(await openStore(place), undefined);
  const files = new Map([['large', LARGE]]);
  const { manifest } = await write(repository, files);
  const condemn = (chunk: string) => repository.chunks.condemn(chunk);
  // Two of the file, and the list.
  const stored = (await everyFile(place)).filter((file) => file.includes('chunks'));
  expect(stored).toHaveLength(3);
  for (const hurt of stored) {
    await writeAgain(hurt, Buffer.from('not that'));
    await expect(verify(repository.chunks, manifest, { condemn })).rejects.toThrow(Damaged);
    const again = await openRepository(await openStore(place), { recoveryKey });
    expect((await write(again, files)).added).toBeGreaterThan(0);
    await verify(again.chunks, manifest);
    expect((await write(again, files)).added).toBe(0);
  }
});

it('lists files of any size', async () => {
  const place = await mkdtemp(join(folder, 'long-'));
  const { repository } = await createRepository(await openStore(place), undefined);
  const writer = createPartWriter(repository.chunks, 'apps', {
    ...{ told: () => {}, signal: AbortSignal.timeout(60_000) },
  });
  const at = Array.from(
    { length: 60_000 },
    (_, i): Place => [i.toString(16).padStart(64, '0'), 0, CHUNK_BYTES],
  );
  const entries = [
    { path: 'before', at: [] },
    { path: 'a disk of 240 GB', at },
    { path: 'after', at: [] },
  ].map((entry) => ({ kind: 'object' as const, size: 1, ...entry }));
  for (const entry of entries) await writer.note(entry);
  // Lists are written as they grow, what may be taken back too.
  const many = Array.from({ length: 20_000 }, (_, i) => ({
    ...{ kind: 'object' as const, path: `number ${i}`, size: 0, at: [] },
  }));
  for (const entry of many) await writer.note(entry);
  const outer = writer.attempt();
  await writer.note({ ...many[0], path: 'kept' } as Entry);
  const attempt = writer.attempt();
  const before = writer.added();
  for (const entry of many) await writer.note({ ...entry, path: `not ${entry.path}` });
  expect(writer.added()).toBeGreaterThan(before);
  await attempt.undo();
  attempt.end();
  outer.end();
  await writer.note({ ...many[0], path: 'last' } as Entry);
  const part = await writer.end();
  const all = await Array.fromAsync(entriesOf(repository.chunks, part));
  expect(all.slice(0, 3)).toEqual(entries);
  expect(all.slice(3, -2)).toEqual(many);
  expect(all.at(-2)).toMatchObject({ path: 'kept' });
  expect(all.at(-1)).toMatchObject({ path: 'last' });

  const earlier = await readEarlier(repository.chunks, part);
  expect(await earlier('a disk of 240 GB')).toEqual(entries[1]);
  expect(await earlier('number 19999')).toEqual(many.at(-1));
  expect(await earlier('before')).toEqual(entries[0]);
  expect(await earlier('not number 0')).toBe(undefined);
  expect(await (await readEarlier(repository.chunks, undefined))('before')).toBe(undefined);
});

it('keeps all of the last hours, and the newest of each of the last days, weeks and months', () => {
  const day = 24 * 60 * 60 * 1000;
  const newest = Date.UTC(2026, 10, 24, 3);
  const backups = Array.from({ length: 400 }, (_, i) => ({
    key: `${i}`,
    takenAt: new Date(newest - i * (day / 2)),
  }));
  const gone = new Set(superfluous(backups, { hours: 24, days: 7, weeks: 4, months: 12 }));
  const kept = backups.filter((backup) => !gone.has(backup)).map(({ takenAt }) => takenAt.toISOString());
  expect(kept).toEqual([
    ...['2026-11-24T03:00:00.000Z', '2026-11-23T15:00:00.000Z', '2026-11-23T03:00:00.000Z'],
    '2026-11-22T15:00:00.000Z',
    ...['2026-11-21T15:00:00.000Z', '2026-11-20T15:00:00.000Z', '2026-11-19T15:00:00.000Z'],
    ...['2026-11-18T15:00:00.000Z', '2026-11-15T15:00:00.000Z', '2026-11-08T15:00:00.000Z'],
    ...['2026-10-31T15:00:00.000Z', '2026-09-30T15:00:00.000Z', '2026-08-31T15:00:00.000Z'],
    ...['2026-07-31T15:00:00.000Z', '2026-06-30T15:00:00.000Z', '2026-05-31T15:00:00.000Z'],
  ]);
});

it('opens by the passphrase that is set and the recovery key that is made last, and by no former ones', async () => {
  const store = await openStore(join(folder, 'secrets'));
  const { repository, recoveryKey } = await createRepository(store, undefined);
  await repository.mendKeyFiles();
  const opens = async (by: Parameters<typeof openRepository>[1]) =>
    (await openRepository(store, by).catch((error: unknown) => error)) instanceof WrongKey ? 'no' : 'yes';
  await expect(repository.setPassphrase('too short')).rejects.toThrow('at least 12 characters');
  expect(await opens({ passphrase: 'the first passphrase' })).toBe('no');
  expect(await repository.setPassphrase('the first passphrase')).toBe(true);
  expect(await repository.setPassphrase('the first passphrase')).toBe(false);
  expect(await repository.setPassphrase('the second passphrase')).toBe(true);
  const another = await openRepository(store, { key: repository.key.key });
  let renewed = '';
  await another.renewRecoveryKey((shown) => {
    renewed = shown;
  });
  // Either file by itself.
  for (const name of ['key', 'key-copy']) {
    await store.delete(`repository/${name}`);
    expect(await opens({ passphrase: 'the second passphrase' })).toBe('yes');
    expect(await opens({ recoveryKey: renewed })).toBe('yes');
    expect(await opens({ passphrase: 'the first passphrase' })).toBe('no');
    expect(await opens({ recoveryKey })).toBe('no');
    await another.mendKeyFiles();
  }
});
