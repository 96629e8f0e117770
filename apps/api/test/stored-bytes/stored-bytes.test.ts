import { createHash } from 'node:crypto';
import type { Engine } from '@nephos/contracts';
import { sql } from 'kysely';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { scrub } from '../../src/domains/stored-bytes/rounds.ts';
import type { ObjectStore } from '../../src/platform/object-store/object-store.ts';
import { bytesOf, digest, listed } from '../platform/object-store-contract.ts';
import { uploaded } from '../storage/storage-world.ts';
import { createWorld, type Person, type World } from '../world.ts';

let world: World;
let ada: Person;
/** Keys of three files, in the order in which they are read. */
let keys: string[];

const LAYER = Buffer.from('a layer');
const MB = 1024 * 1024;
const never = new AbortController().signal;

beforeAll(async () => {
  world = await createWorld();
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

afterAll(() => world.close());

function scrubbed(over: Partial<Parameters<typeof scrub>[0]> = {}, turn?: number): Promise<void> {
  const { db, objects } = world.deps;
  return scrub({ db, objects, log: pino({ level: 'silent' }), ...over }, never, turn);
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
  await db
    .deleteFrom('storedFiles')
    .where('objectKey', '=', keys[0] ?? '')
    .execute();
  await db.updateTable('damagedObjects').set({ checkedAt: sql<string>`now() - interval '2 days'` }).execute();
  await scrubbed({ repair: async (key) => (key === keys[1] ? bytesOf(whole) : undefined) });
  expect(await look()).toMatchObject({ state: 'healthy' });
  expect((await alerts()).every(({ recoveredAt }) => recoveredAt !== null)).toBe(true);
  expect(Buffer.concat((await (await objects.get(keys[1] ?? ''))?.toArray()) ?? []).toString()).toBe(whole);
  expect(await listed(objects, 'repairs/')).toEqual([]);
});

test('wrong bytes of a backup replace nothing', async () => {
  const { objects } = world.deps;
  await objects.put(keys[2] ?? '', bytesOf('rotten'));
  await age(31);
  await scrubbed({ repair: async () => bytesOf('also rotten') });
  expect((await look())?.damaged).toHaveLength(1);
  expect(Buffer.concat((await (await objects.get(keys[2] ?? ''))?.toArray()) ?? []).toString()).toBe(
    'rotten',
  );
});

test('a store that is away is no damage, and the round goes on where it was', async () => {
  await world.deps.db.deleteFrom('damagedObjects').execute();
  const away: ObjectStore = {
    ...world.deps.objects,
    get: () => Promise.reject(new Error('away')),
  };
  await age(31);
  await expect(scrubbed({ objects: away })).rejects.toThrow('away');
  expect(await look()).toMatchObject({
    state: 'healthy',
    detail: expect.stringContaining('This round: 0 objects'),
  });
  await scrubbed();
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
