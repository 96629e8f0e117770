import { createHash } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Engine } from '@nephos/contracts';
import { sql } from 'kysely';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { backedUpObjects, type OpenBackedUp } from '../../src/backup/backed-up-objects.ts';
import { openOwnRepository } from '../../src/backup/open-repository.ts';
import { createCopying } from '../../src/backup/sources/copying.ts';
import { copyObjects } from '../../src/backup/sources/objects.ts';
import { scrub } from '../../src/domains/stored-bytes/rounds.ts';
import { announceMove } from '../../src/platform/object-store/object-move.ts';
import type { ObjectStore, StoredObject } from '../../src/platform/object-store/object-store.ts';
import { readObjects } from '../../src/platform/object-store/open-objects.ts';
import { bytesOf, digest, listed } from '../platform/object-store-contract.ts';
import { uploaded } from '../storage/storage-world.ts';
import { createWorld, type Person, type World } from '../world.ts';

let world: World;
let ada: Person;
/** The folder of the installation's backups. */
let backups: string;
/** Keys of three files, in the order in which they are read. */
let keys: string[];

const LAYER = Buffer.from('a layer');
const MB = 1024 * 1024;
const never = new AbortController().signal;

beforeAll(async () => {
  backups = await mkdtemp(join(tmpdir(), 'nephos-scrubbed-'));
  world = await createWorld({
    settings: { backups: { target: backups, server: undefined, passphrase: undefined, hour: 3 } },
  });
  ada = await world.as('Ada');
  const { db, objects } = world.deps;
  for (const name of ['one.txt', 'two.txt', 'three.txt']) await uploaded(world, ada, `in ${name}`, { name });
  const rows = await db.selectFrom('storedFiles').select('objectKey').orderBy('objectKey').execute();
  keys = rows.map(({ objectKey }) => objectKey);
  const hex = digest('sha256', LAYER);
  await objects.put(`blobs/sha256/${hex}`, bytesOf(LAYER));
  await db
    .insertInto('containerBlobs')
    .values({ digest: `sha256:${hex}`, size: LAYER.length })
    .execute();
});

afterAll(async () => {
  await world.close();
  await rm(backups, { recursive: true, force: true });
});

function scrubbed(over: Partial<Parameters<typeof scrub>[0]> = {}, turn?: number): Promise<void> {
  const { db, objects } = world.deps;
  const backups = () => backedUpObjects(world.deps);
  return scrub({ db, objects, log: pino({ level: 'silent' }), backups, ...over }, never, turn);
}

/** Backs up all objects as they are, as a backup of the installation does. */
async function backUp(): Promise<void> {
  const { settings, db } = world.deps;
  const { repository, close } = await openOwnRepository(settings, { db }, { mayMake: true });
  await repository.chunks.survey();
  const options = { earlierPart: async () => async () => undefined, told: () => {}, signal: never };
  const { copying, result } = createCopying(repository.chunks, options);
  await copyObjects(copying, await readObjects(settings, db));
  const { parts, missing, added } = result();
  await repository.write({
    ...{ version: 1, takenAt: new Date().toISOString(), program: '0.1.0', asRoot: false, bytes: 0 },
    ...{ dataDir: settings.dataDir, secretsKey: '00', parts, missing, added },
    database: { lastMigration: '0001', sequences: [], queueVersion: null },
  });
  await close();
}

const textAt = async (key = '') => {
  const stream = await world.deps.objects.get(key);
  return Buffer.concat((await stream?.toArray()) ?? []).toString();
};

/** Where nothing was ever backed up. */
async function* none(): AsyncGenerator<OpenBackedUp> {}

/** As if what is damaged had been looked at two days ago. */
async function ageDamaged(): Promise<void> {
  const checkedAt = sql<string>`now() - interval '2 days'`;
  await world.deps.db.updateTable('damagedObjects').set({ checkedAt }).execute();
}

/** As if the last round had begun so long ago. */
async function age(days: number): Promise<void> {
  const beganAt = sql<string>`now() - make_interval(days => ${days})`;
  await world.deps.db.updateTable('storedBytesRounds').set({ beganAt }).execute();
}

async function look(): Promise<Engine | undefined> {
  const engines = await ada.rpc.admin.engines.query();
  return engines.find(({ id }) => id === 'stored-bytes');
}

const alerts = async () => {
  await world.deps.domains.alerts.watch();
  const items = await ada.rpc.alerts.list.query({});
  return items.filter(({ kind }) => kind === 'bytes-damaged');
};

test('a round reads everything once, and then nothing for a month', async () => {
  expect(await look()).toMatchObject({ state: 'healthy', detail: 'No full round yet.' });
  await scrubbed();
  const today = new Date().toISOString().slice(0, 10);
  expect(await look()).toMatchObject({
    state: 'healthy',
    detail: `Last full round: ${today}, 4 objects (${7 + 'in one.txtin two.txtin three.txt'.length} B).`,
  });
  await world.deps.objects.put(keys[0] ?? '', bytesOf('rotten'));
  await scrubbed();
  expect(await look()).toMatchObject({ state: 'healthy' });
});

test('what is rotten or missing is named to admins, until it is mended or gone', async () => {
  const { db, objects } = world.deps;
  await objects.delete(keys[1] ?? '');
  await objects.put(`blobs/sha256/${digest('sha256', LAYER)}`, bytesOf('a laxer'));
  await age(31);
  await scrubbed();
  const found = await look();
  expect(found?.state).toBe('unhealthy');
  expect(found?.detail).toMatch(/^3 damaged or missing\. Last full round: /);
  const names = await db.selectFrom('storedFiles').select(['objectKey', 'fileName']).execute();
  const nameOf = (key: string | undefined) =>
    `/uploads/${names.find(({ objectKey }) => objectKey === key)?.fileName}`;
  expect(new Set(found?.damaged)).toEqual(
    new Set(
      [
        { what: 'File', name: nameOf(keys[0]), owner: 'ada@example.com', problem: 'damaged' },
        { what: 'File', name: nameOf(keys[1]), owner: 'ada@example.com', problem: 'missing' },
        {
          what: 'Image layer',
          name: expect.stringMatching(/^no repository@/),
          owner: '',
          problem: 'damaged',
        },
      ].map((item) => ({ ...item, foundAt: expect.any(String) })),
    ),
  );
  expect(await alerts()).toMatchObject([
    { subject: { kind: 'server', name: 'this server' }, recoveredAt: null },
  ]);

  // One is restored by hand, one comes from a backup, and one is deleted.
  await objects.put(`blobs/sha256/${digest('sha256', LAYER)}`, bytesOf(LAYER));
  const whole = `in ${nameOf(keys[1]).slice('/uploads/'.length)}`;
  await objects.put(keys[1] ?? '', bytesOf(whole));
  await backUp();
  await objects.delete(keys[1] ?? '');
  await db
    .deleteFrom('storedFiles')
    .where('objectKey', '=', keys[0] ?? '')
    .execute();
  await ageDamaged();
  await scrubbed();
  expect(await look()).toMatchObject({ state: 'healthy' });
  expect((await alerts()).every(({ recoveredAt }) => recoveredAt !== null)).toBe(true);
  expect(await textAt(keys[1])).toBe(whole);
  const records = await ada.rpc.audit.installation.query({});
  expect(records.find(({ procedure }) => procedure === 'storedBytes.bringBack')).toMatchObject({
    ...{ action: 'Bring damaged bytes back from a backup', via: 'system' },
    subject: { kind: 'installation', name: nameOf(keys[1]) },
  });
  expect(await listed(objects, 'repairs/')).toEqual([]);
});

test('the right bytes are found in an older backup, wrong ones replace nothing, and nothing of them stays', async () => {
  const { objects } = world.deps;
  const whole = await textAt(keys[2]);
  await objects.put(keys[2] ?? '', bytesOf('rotten'));
  await age(31);
  // As where the folder of the backups is on a disk that is away.
  await scrubbed({
    backups: () => {
      throw new Error('away');
    },
  });
  expect((await look())?.damaged).toHaveLength(1);
  await ageDamaged();
  await scrubbed({
    backups: async function* () {
      yield async () => bytesOf('also rotten');
    },
  });
  expect(await textAt(keys[2])).toBe('rotten');
  // What a server that was killed has left.
  await objects.put('repairs/left', bytesOf('left'));
  const old = { ...objects, list: (prefix: string) => aged(objects.list(prefix)) };
  await backUp();
  await ageDamaged();
  await scrubbed({ objects: old });
  expect(await textAt(keys[2])).toBe(whole);
  expect((await look())?.state).toBe('healthy');
  expect(await listed(objects, 'repairs/')).toEqual([]);
});

async function* aged(objects: AsyncIterable<StoredObject>): AsyncGenerator<StoredObject> {
  for await (const object of objects) yield { ...object, storedAt: new Date(0) };
}

test('what one object alone cannot be read for is damage, and the round goes on behind it', async () => {
  const { db, objects } = world.deps;
  const failing: ObjectStore = {
    ...objects,
    get: (key, range) =>
      key === keys[1] ? Promise.reject(new Error('InternalError')) : objects.get(key, range),
  };
  await age(31);
  await scrubbed({ objects: failing, backups: none });
  expect((await look())?.damaged).toMatchObject([{ problem: 'damaged' }]);
  expect((await look())?.detail).toMatch(/Last full round: .*, 3 objects/);
  await db.deleteFrom('damagedObjects').execute();
  await objects.put(keys[2] ?? '', bytesOf('rotten'));
});

test('what a server still moves into the bucket is not missing to the others', async () => {
  const { db, objects } = world.deps;
  const where = { ...objects, get: async () => undefined };
  // The move begins while this server looks.
  const begins: ObjectStore = { ...where, get: async () => void (await announceMove(db)) };
  await age(31);
  await scrubbed({ objects: begins, backups: none });
  expect(await look()).toMatchObject({
    state: 'healthy',
    detail: expect.stringMatching(
      /This round: 0 objects .* It waits for objects to be moved into the bucket\.$/,
    ),
  });
  await scrubbed({ objects: where, backups: none });
  expect(await look()).toMatchObject({ state: 'healthy' });
  await db.updateTable('storedBytesRounds').set({ movingUntil: sql<string>`now()` }).execute();
  await scrubbed({ objects: where, backups: none });
  expect((await look())?.damaged).toContainEqual(expect.objectContaining({ problem: 'missing' }));
  await db.deleteFrom('damagedObjects').execute();
});

test('a store that is away is no damage, and the round goes on where it was', async () => {
  const fails = () => Promise.reject(new Error('away'));
  const away: ObjectStore = { ...world.deps.objects, get: fails, stat: fails };
  await age(31);
  await expect(scrubbed({ objects: away })).rejects.toThrow('away');
  expect(await look()).toMatchObject({
    state: 'healthy',
    detail: expect.stringContaining('This round: 0 objects'),
  });
  await scrubbed({ backups: none });
  expect(await look()).toMatchObject({ state: 'unhealthy' });
});

test('bytes are read at the pace of a month, whatever their number', async () => {
  const { db } = world.deps;
  const ownerId = ada.user.id;
  const sizes = Array.from({ length: 30 }, (_, at) => ({ at, size: 100 * MB }));
  for (const { at, size } of sizes) {
    await db
      .insertInto('storedFiles')
      .values({
        ...{ ownerId, fileName: `${at}`, filePath: '/large/', fileSize: size, mimeType: 'text/plain' },
        ...{
          isPublic: false,
          objectKey: `files/large-${String(at).padStart(2, '0')}`,
          sha256: '0'.repeat(64),
        },
      })
      .execute();
  }
  await age(31);
  await scrubbed();
  const bytes = async () =>
    (await db.selectFrom('storedBytesRounds').select('bytes').executeTakeFirstOrThrow()).bytes;
  expect(await bytes()).toBeLessThan(101 * MB);
  await age(10);
  await scrubbed();
  expect(await bytes()).toBeGreaterThan(1000 * MB);
  expect(await bytes()).toBeLessThan(1300 * MB);

  // What came since the round began is read, too: it ends nevertheless.
  await db.updateTable('storedBytesRounds').set({ totalBytes: 1 }).execute();
  await age(90);
  await scrubbed();
  const { source } = await db.selectFrom('storedBytesRounds').select('source').executeTakeFirstOrThrow();
  expect(source).toBeNull();
});

test('files that came in parts are compared by what S3 calls them', async () => {
  const { db, objects } = world.deps;
  await db.deleteFrom('storedFiles').execute();
  await db.deleteFrom('damagedObjects').execute();
  const md5 = (bytes: Buffer | string) => createHash('md5').update(bytes).digest();
  const parts = ['first part', 'second'];
  const etag = `${md5(Buffer.concat(parts.map(md5))).toString('hex')}-2`;
  for (const [at, part] of parts.entries()) await objects.put(`files/parts/${at}`, bytesOf(part));
  await db
    .insertInto('storedFiles')
    .values({
      ...{ ownerId: ada.user.id, fileName: 'parts', filePath: '/', fileSize: 16, mimeType: 'text/plain' },
      ...{ isPublic: false, objectKey: 'files/parts', sha256: null, etag },
      pieces: JSON.stringify(parts.map((part, at) => ({ name: String(at), size: part.length }))),
    })
    .execute();
  await age(31);
  await db.updateTable('storedBytesRounds').set({ source: null }).execute();
  await scrubbed();
  expect(await look()).toMatchObject({ state: 'healthy' });
  await objects.put('files/parts/1', bytesOf('sEcond'));
  await age(31);
  await scrubbed();
  expect((await look())?.damaged).toMatchObject([{ name: '/parts', problem: 'damaged' }]);
});
