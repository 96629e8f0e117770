import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { createDb, createPool, openSnapshot } from '@nephos/db';
import { createEmptyDatabase, type TestDatabase } from '@nephos/db/testing';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { assertRestorable } from '../../src/backup/assert-restorable.ts';
import { keptKey } from '../../src/backup/kept-key.ts';
import { makeBackup } from '../../src/backup/make-backup.ts';
import { openOwnRepository } from '../../src/backup/open-repository.ts';
import { NotProved, proveBackup } from '../../src/backup/prove-backup.ts';
import { readBackupStore } from '../../src/backup/repository/backup-store.ts';
import { verify } from '../../src/backup/repository/part-reader.ts';
import { openRepository } from '../../src/backup/repository/repository.ts';
import { restoreBackup } from '../../src/backup/restore-backup.ts';
import { isProofDue } from '../../src/domains/installation-backups/look.ts';
import { openAccount } from '../payment-gateway/gateway-fixtures.ts';
import { callerOf, createWorld, type Person, type World } from '../world.ts';
import { openFolder } from './whole-cloud.ts';

const PASSPHRASE = 'four words of mine';
const TEXT = 'the text of a file\n'.repeat(1000);

let home: string;
let world: World;
let ada: Person;
let target: TestDatabase;

beforeAll(async () => {
  home = openFolder();
  const backups = { target: join(home, 'backups'), server: undefined, passphrase: PASSPHRASE, hour: 3 };
  [world, target] = await Promise.all([
    createWorld({ running: true, settings: { backups } }),
    createEmptyDatabase(),
  ]);
  ada = await world.as('Ada');
});
afterAll(async () => {
  await world?.close();
  await target?.drop();
  rmSync(home, { recursive: true, force: true });
});

const upload = (text: string, fileName = 'notes.txt') =>
  ada.rpc.storage.create.mutate({
    fileName,
    fileSize: text.length,
    fileData: `data:text/plain;base64,${Buffer.from(text).toString('base64')}`,
  });

async function withRepository<T>(
  work: (parts: Parameters<typeof makeBackup>[0] & Parameters<typeof proveBackup>[0]) => Promise<T>,
  target = join(home, 'backups'),
  passphrase = PASSPHRASE,
): Promise<T> {
  const { db } = world.deps;
  const backups = { ...world.deps.settings.backups, target, passphrase };
  const settings = { ...world.deps.settings, backups };
  const installation = { url: world.databaseUrl, db, close: async () => {} };
  const { repository, close } = await openOwnRepository(settings, installation, {
    mayMake: target !== join(home, 'backups'),
  });
  try {
    const condemn = (chunk: string) => repository.chunks.condemn(chunk);
    return await work({ settings, installation, repository, condemn, program: '0.1.0', say() {} });
  } finally {
    await close();
  }
}

const backUp = () =>
  withRepository(async (parts) => ({ ...(await makeBackup(parts)), id: parts.repository.key.id }));

const engine = async () => (await ada.rpc.admin.engines.query()).find(({ id }) => id === 'backups');
const shown = async () => (await engine())?.state;

async function restore(dataDir: string, databaseUrl: string) {
  const repository = await openRepository(await readBackupStore(join(home, 'backups'), undefined), {
    passphrase: PASSPHRASE,
  });
  const [newest] = await repository.list();
  if (!newest) throw new Error('There is no backup.');
  const parts = {
    ...{ repository, manifest: await repository.read(newest), say: () => {} },
    ...{ settings: { dataDir, databaseUrl, secretsKey: undefined }, signal: AbortSignal.timeout(60_000) },
  };
  await assertRestorable(parts);
  return restoreBackup(parts);
}

const filesOf = (folder: string) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));

const ageOf = (path: string) => statSync(path).mtimeMs;

it('brings all back into an empty place, stores only what is new, and refuses what was changed', async () => {
  const dataDir = join(home, 'restored');
  const file = await upload(TEXT);
  const account = await openAccount(ada, { balance: 1234 });
  const inRepository = ['apps', 'projects', 'one', 'repository'];
  const repository = join(world.deps.settings.dataDir, ...inRepository);
  mkdirSync(repository, { recursive: true });
  writeFileSync(join(repository, 'one'), 'one file');
  linkSync(join(repository, 'one'), join(repository, 'other'));
  expect(await shown()).toBe('unhealthy');
  const first = await backUp();
  expect(await shown()).toBe('healthy');
  expect(first.bytes).toBeGreaterThan(TEXT.length);
  await upload('some more', 'more.txt');
  const second = await backUp();
  expect(second.added).toBeGreaterThan(0);
  expect(second.added).toBeLessThan(first.added);
  await ada.rpc.storage.remove.mutate({ id: file.id });

  await expect(restore(dataDir, world.databaseUrl)).rejects.toThrow('is not empty');
  await expect(restore(world.deps.settings.dataDir, target.url)).rejects.toThrow('is not empty');
  for (const kind of ['manifests', 'chunks']) {
    const newest = filesOf(join(home, 'backups', 'data', kind)).sort(
      (one, other) => ageOf(other) - ageOf(one),
    );
    const [path = ''] = newest;
    const whole = readFileSync(path);
    const changed = Buffer.from(whole);
    const at = Math.floor(Math.random() * whole.length);
    changed[at] = (changed[at] ?? 0) ^ 1;
    rmSync(path);
    writeFileSync(path, changed);
    await expect(restore(dataDir, target.url), `${path} at ${at}`).rejects.toThrow('damaged');
    expect(readdirSync(home)).toEqual(['backups']);
    writeFileSync(path, whole);
  }

  const said = await restore(dataDir, target.url);
  expect(said).toContain('files and images: 2 objects');
  expect(said).toContain('PostgreSQL databases: 1 file');
  expect(statSync(join(dataDir, ...inRepository, 'other')).nlink).toBe(2);
  expect(existsSync(`${dataDir}.restoring`)).toBe(false);

  const again = await createWorld({ databaseUrl: target.url, settings: { dataDir }, running: true });
  try {
    const { rpc } = callerOf(again.url, ada.cookie);
    expect((await rpc.storage.list.query()).map(({ fileName }) => fileName)).toEqual([
      'more.txt',
      'notes.txt',
    ]);
    const download = await fetch(new URL(`/api/storage/${file.id}/download`, again.url), {
      headers: { cookie: ada.cookie },
    });
    expect(await download.text()).toBe(TEXT);
    expect((await rpc.paymentGateway.virtualAccount.query({ id: account.id })).balance).toBe(1234);
    expect(await rpc.paymentGateway.trialBalance.query()).toMatchObject({
      discrepancies: [],
      chain: { brokenAt: null },
    });
    expect(await keptKey(again.deps.db, again.deps.secrets, [second.id])).toHaveLength(32);
  } finally {
    await again.close();
  }
});

it('keeps what was backed up before something was tried, and removes what is old', async () => {
  const place = join(home, 'thinned');
  await withRepository(async (parts) => {
    const first = await makeBackup(parts);
    const [newest] = await parts.repository.list();
    const manifest = newest && (await parts.repository.read(newest));
    if (!manifest) throw new Error('There is no backup.');
    const lastWeek = new Date(first.takenAt.getTime() - 7 * 24 * 60 * 60 * 1000).toISOString().slice(0, 10);
    for (const hour of ['11', '12']) {
      await parts.repository.write({ ...manifest, takenAt: `${lastWeek}T${hour}:00:00.000Z` });
    }
    await upload('tried', 'tried.txt');
    expect(await makeBackup(parts)).toMatchObject({ thinned: { backups: 1 } });
    expect((await parts.repository.list()).map(({ takenAt }) => takenAt)).toContainEqual(first.takenAt);
    expect(await parts.repository.list()).toHaveLength(3);
  }, place);
});

it('is opened by either of its key files, and makes both of them whole', async () => {
  const place = join(home, 'mended');
  await withRepository(makeBackup, place);
  const keyFiles = filesOf(join(place, 'data', 'repository'));
  expect(keyFiles).toHaveLength(2);
  const whole = readFileSync(keyFiles[0] ?? '');
  for (const path of keyFiles) {
    rmSync(path);
    writeFileSync(path, 'no longer that');
    await withRepository(makeBackup, place);
    for (const each of keyFiles) expect(readFileSync(each)).toEqual(whole);
  }
});

it('proves the latest backup by restoring it on trial', async () => {
  const { db, settings } = world.deps;
  await upload('some words', 'proved.txt');
  await backUp();
  expect(await engine()).toMatchObject({ detail: expect.stringContaining('Not restored on trial yet.') });
  expect(await isProofDue(db)).toBe(true);
  expect(await withRepository(proveBackup)).toEqual([
    expect.stringMatching(/^as in the installation: \d+ tables with [\d,]+ rows$/),
    expect.stringMatching(/^as they are stored: [1-9]\d* objects? of files and images$/),
    expect.stringMatching(
      /^as they were backed up: [1-9]\d* files of apps and databases, among them 0 disks .* 0 dumps/,
    ),
    expect.stringContaining('without damage'),
  ]);
  expect(await engine()).toMatchObject({
    state: 'healthy',
    detail: expect.stringMatching(/Restored on trial: \d{4}-\d\d-\d\d \d\d:\d\d UTC\./),
  });
  expect(await isProofDue(db)).toBe(false);
  const proof = join(settings.dataDir, 'proof');
  expect(readdirSync(proof).filter((name) => name.startsWith('restored'))).toEqual([]);

  // What it is of has changed, or what it has is not that.
  const [original = ''] = filesOf(join(settings.dataDir, 'objects', 'data')).filter((path) =>
    path.includes('files'),
  );
  const bytes = readFileSync(original);
  writeFileSync(original, Buffer.alloc(bytes.length));
  await expect(withRepository(proveBackup)).rejects.toThrow(NotProved);
  writeFileSync(original, bytes);
  expect(await engine()).toMatchObject({
    state: 'unhealthy',
    detail: expect.stringMatching(/The trial of .* failed: The object .* is not that of the installation\./),
  });
  expect(readdirSync(proof).filter((name) => name.startsWith('restored'))).toEqual([]);
  const all = db.updateTable('installationBackups');
  await all.set({ startedAt: sql`started_at - interval '1 day'` }).execute();
  expect(await isProofDue(db)).toBe(false);
  await db.deleteFrom('installationBackups').where('status', '=', 'failed').execute();
  await all.set({ startedAt: sql`started_at - interval '8 days'` }).where('kind', '=', 'proof').execute();
  expect(await isProofDue(db)).toBe(true);
  expect(await shown()).toBe('healthy');
  await all.set({ startedAt: sql`started_at - interval '10 days'` }).execute();
  await backUp();
  expect(await shown()).toBe('unhealthy');
});

it('takes no short passphrase for new backups', async () => {
  await expect(withRepository(makeBackup, join(home, 'short'), 'three words')).rejects.toThrow(
    'BACKUP_PASSPHRASE must be at least 12 characters',
  );
  expect(existsSync(join(home, 'short', 'data', 'repository'))).toBe(false);
});

it('is one at a time', async () => {
  await withRepository(async () => {
    await expect(backUp()).rejects.toThrow('is in use by another Nephos process');
  });
  const held = await openSnapshot(world.databaseUrl);
  await withRepository(
    async (parts) => {
      await expect(makeBackup(parts)).rejects.toThrow('Another backup is being made.');
      expect(await parts.repository.list()).toEqual([]);
    },
    join(home, 'other'),
  ).finally(held.close);
});

it.skipIf(process.getuid?.() !== 0)(
  'leaves nothing half where its place is full, and goes on there',
  async () => {
    const place = join(home, 'small');
    mkdirSync(place);
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=300k,mode=700', 'none', place]);
    try {
      await upload(randomBytes(700_000).toString('base64'), 'large.txt');
      await withRepository(async (parts) => {
        await expect(makeBackup(parts)).rejects.toThrow('There is no room left where backups go');
        expect(await parts.repository.list()).toEqual([]);
      }, place);
      expect(await engine()).toMatchObject({
        state: 'unhealthy',
        detail: expect.stringContaining('There is no room left where backups go'),
      });
      execFileSync('mount', ['-o', 'remount,size=50m', place]);
      await withRepository(async ({ repository, ...parts }) => {
        await makeBackup({ repository, ...parts });
        const [newest] = await repository.list();
        if (!newest) throw new Error('There is no backup.');
        await verify(repository.chunks, await repository.read(newest));
      }, place);
    } finally {
      execFileSync('umount', [place]);
    }
  },
);

it('keeps what a backup names from being deleted until it is made', async () => {
  await upload('to be deleted', 'gone.txt');
  const keys = async () => {
    const found: string[] = [];
    for await (const { key } of world.deps.objects.list('')) found.push(key);
    return found;
  };
  const before = await keys();
  const holder = createDb(createPool({ url: world.databaseUrl, max: 1 }));
  try {
    await holder.connection().execute(async (session) => {
      await sql`select pg_advisory_lock(7061995, 1)`.execute(session);
      for (const key of before) await world.deps.objects.delete(key);
      expect(await keys()).toEqual(before);
    });
  } finally {
    await holder.destroy();
  }
  await expect
    .poll(async () => {
      for (const key of before) await world.deps.objects.delete(key);
      return keys();
    })
    .toEqual([]);
});
