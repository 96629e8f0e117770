import { createHash, randomBytes } from 'node:crypto';
import type { StoredFile } from '@nephos/contracts';
import { MAX_OBJECT_BYTES, uploadPartPath, uploadPartSize } from '@nephos/contracts/constants';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sweepUploads } from '../../src/domains/storage/multipart.ts';
import { sweepOrphans } from '../../src/domains/storage/orphans.ts';
import { lockAccount } from '../../src/platform/account-lock.ts';
import { listed } from '../platform/object-store-contract.ts';
import { createWorld, type Person, type World } from '../world.ts';
import { MB, upload, uploaded } from './storage-world.ts';

let world: World;
let ada: Person;
let bob: Person;

/** Parts may not be smaller, but for the last one. */
const FIRST = randomBytes(5 * MB);
const SECOND = randomBytes(1000);
const WHOLE = Buffer.concat([FIRST, SECOND]);

beforeAll(async () => {
  world = await createWorld({ running: true });
  ada = await world.as('Ada');
  bob = await world.as('Bob');
});
afterAll(() => world.close());

function md5(bytes: Uint8Array): string {
  return createHash('md5').update(bytes).digest('hex');
}

async function begun(person: Person, change: object = {}): Promise<string> {
  const input = { fileName: 'big.bin', filePath: '/parts/', size: WHOLE.length, ...change };
  const answer = await person.rest('POST /api/storage/uploads', { body: input });
  expect(answer, answer.text).toMatchObject({ status: 201 });
  return (answer.body as { id: string }).id;
}

function put({ cookie }: Person, id: string, partNumber: number, body: Uint8Array): Promise<Response> {
  return fetch(`${world.url}${uploadPartPath(id, partNumber)}`, {
    ...{ method: 'PUT', headers: { cookie, 'content-type': 'application/octet-stream' } },
    body: Buffer.from(body),
  });
}

function complete(person: Person, id: string, change: object = {}) {
  const body = { size: WHOLE.length, ...change };
  return person.rest(`POST /api/storage/uploads/${id}/complete`, { body });
}

async function sent(person: Person, change: object = {}): Promise<string> {
  const id = await begun(person, change);
  for (const [at, bytes] of [FIRST, SECOND].entries()) {
    expect((await put(person, id, at + 1, bytes)).status).toBe(200);
  }
  return id;
}

/** Bytes that count for somebody, and the objects that hold an upload's. */
async function stored({ user }: Person): Promise<number> {
  const { rows } = await sql<{ stored: number }>`select stored from storage_of(${user.id})`.execute(
    world.deps.db,
  );
  return rows[0]?.stored ?? 0;
}

async function piecesOf(id: string): Promise<number[]> {
  const objects = await listed(world.deps.objects, `files/${id}/`);
  return objects.map(({ size }) => size).sort((a, b) => a - b);
}

test('a file arrives in parts, in any order and again, and is one', async () => {
  const before = await stored(ada);
  const id = await begun(ada, { mimeType: 'text/plain; charset=UTF-8' });
  expect((await put(ada, id, 2, randomBytes(2000))).status).toBe(200);
  expect((await put(ada, id, 1, FIRST)).status).toBe(200);
  const again = await put(ada, id, 2, SECOND);
  expect(await again.json()).toEqual({ partNumber: 2, size: SECOND.length, etag: md5(SECOND) });
  const arrived = await ada.rpc.storageUploads.get.query({ id });
  expect(arrived).toMatchObject({ fileName: 'big.bin', filePath: '/parts/', size: WHOLE.length });
  expect(arrived.parts.map(({ size }) => size)).toEqual([FIRST.length, SECOND.length]);
  expect(await ada.rpc.storageUploads.list.query()).toMatchObject([{ id, size: WHOLE.length }]);
  expect(await stored(ada)).toBe(before + WHOLE.length);
  // It is nobody else's to look at, to add to, to finish or to give up.
  expect(await bob.rpc.storageUploads.list.query()).toEqual([]);
  expect((await bob.rest(`GET /api/storage/uploads/${id}`)).status).toBe(404);
  expect((await put(bob, id, 1, SECOND)).status).toBe(404);
  expect((await complete(bob, id)).status).toBe(404);
  expect((await bob.rest(`DELETE /api/storage/uploads/${id}`)).status).toBe(404);

  const done = await complete(ada, id);
  expect(done, done.text).toMatchObject({ status: 201 });
  const file = done.body as StoredFile;
  expect(file).toMatchObject({ fileName: 'big.bin', fileSize: WHOLE.length, mimeType: 'text/plain' });
  expect((await complete(ada, id)).body).toEqual(file);
  expect(await stored(ada)).toBe(before + WHOLE.length);
  const answer = await fetch(`${world.url}/api/storage/${file.id}/download`, {
    headers: { cookie: ada.cookie },
  });
  expect(answer.headers.get('etag')).toBe(`"${md5(Buffer.from(md5(FIRST) + md5(SECOND), 'hex'))}-2"`);
  expect(answer.headers.get('content-type')).toBe('text/plain; charset=utf-8');
  expect(Buffer.from(await answer.arrayBuffer()).equals(WHOLE)).toBe(true);
  await expect.poll(() => piecesOf(id)).toEqual([SECOND.length, FIRST.length]);
  // An upload over it takes its place.
  await uploaded(world, ada, 'small', { name: 'big.bin', path: '/parts/', ifExists: 'replace' });
  expect(await stored(ada)).toBe(before + 5);
  expect(await ada.rest(`GET /api/storage/${file.id}/download`)).toMatchObject({ text: 'small' });
  expect((await complete(ada, id)).status).toBe(404);
});

test('what does not fit is refused with what is wrong, and can be gone on with', async () => {
  const before = await stored(ada);
  const id = await begun(ada, { fileName: 'gap.bin' });
  expect(await complete(ada, id, { size: 0 })).toMatchObject({ status: 400, body: { code: 'INVALID_PART' } });
  await put(ada, id, 2, SECOND);
  expect(await complete(ada, id)).toMatchObject({ status: 400, body: { code: 'INVALID_PART' } });
  await put(ada, id, 1, SECOND);
  expect(await complete(ada, id)).toMatchObject({ status: 400, body: { code: 'PART_TOO_SMALL' } });
  for (const partNumber of [0, 10_001]) expect((await put(ada, id, partNumber, SECOND)).status).toBe(400);
  await put(ada, id, 1, FIRST);
  const size = WHOLE.length + 1;
  expect(await complete(ada, id, { size })).toMatchObject({ status: 409, body: { code: 'INCOMPLETE' } });
  const { id: existingId } = await uploaded(world, ada, 'there', { name: 'gap.bin', path: '/parts/' });
  const exists = { status: 409, body: { code: 'FILE_EXISTS', existingId } };
  expect(await complete(ada, id, { ifExists: 'refuse' })).toMatchObject(exists);
  expect((await complete(ada, id, { ifExists: 'rename' })).body).toMatchObject({ fileName: 'gap (2).bin' });
  const refused = { fileName: 'gap.bin', filePath: '/parts/', size: 1, ifExists: 'refuse' };
  expect(await ada.rest('POST /api/storage/uploads', { body: refused })).toMatchObject(exists);
  expect(await stored(ada)).toBe(before + WHOLE.length + 5);
  const long = { fileName: 'xy', filePath: `/${'y'.repeat(1022)}/`, size: 1 };
  expect(await ada.rest('POST /api/storage/uploads', { body: long })).toMatchObject({ status: 400 });
});

test('a plan holds parts as well', async () => {
  await world.deps.db
    .insertInto('workspaceLimits')
    .values({ ownerId: bob.user.id, storage: 6 * MB })
    .execute();
  const id = await begun(bob);
  expect((await put(bob, id, 1, FIRST)).status).toBe(200);
  const answer = await put(bob, id, 2, FIRST);
  expect(answer.status).toBe(403);
  expect(await answer.json()).toMatchObject({ code: 'QUOTA_EXCEEDED' });
  // The part that it takes the place of makes room.
  expect((await put(bob, id, 1, FIRST)).status).toBe(200);
  const large = await bob.rest('POST /api/storage/uploads', { body: { fileName: 'x', size: 2 * MB } });
  expect(large).toMatchObject({ status: 403, body: { code: 'QUOTA_EXCEEDED' } });
  expect((await bob.rest(`DELETE /api/storage/uploads/${id}`)).status).toBe(200);
  expect(await stored(bob)).toBe(0);
  // What was deleted goes, the oldest first, where room is needed.
  for (const name of ['oldest', 'newest']) {
    const { id: deleted } = await uploaded(world, bob, FIRST.subarray(0, 2.5 * MB), { name });
    await bob.rpc.storage.remove.mutate({ id: deleted });
  }
  await uploaded(world, bob, FIRST.subarray(0, 3 * MB));
  expect(await bob.rpc.storageTrash.list.query()).toMatchObject([{ fileName: 'newest' }]);
  const most = await upload(world, bob, FIRST.subarray(0, 3 * MB + 1), { name: 'most' });
  expect(most).toMatchObject({ status: 403, body: { code: 'QUOTA_EXCEEDED' } });
  expect(await bob.rpc.storageTrash.list.query()).toHaveLength(1);
  await expect.poll(() => piecesOf(id)).toEqual([]);
});

test('calls at the same time leave one whole file, or none', async () => {
  const before = await stored(ada);
  const id = await sent(ada, { fileName: 'twice.bin' });
  const [one, two] = await Promise.all([complete(ada, id), complete(ada, id)]);
  expect(one).toMatchObject({ status: 201 });
  expect(two.body).toEqual(one.body);
  expect(await stored(ada)).toBe(before + WHOLE.length);

  const given = await sent(ada, { fileName: 'or-not.bin' });
  const [done, gone] = await Promise.all([
    complete(ada, given),
    ada.rest(`DELETE /api/storage/uploads/${given}`),
  ]);
  expect([done.status, gone.status].sort()).toEqual([expect.any(Number), 404]);
  const isThere = done.status === 201;
  expect(await stored(ada)).toBe(before + WHOLE.length * (isThere ? 2 : 1));
  if (isThere) expect(await piecesOf(given)).toHaveLength(2);

  const same = await begun(ada, { fileName: 'same.bin' });
  await Promise.all([1, 2, 3, 4].map(() => put(ada, same, 1, randomBytes(1000))));
  const { parts, size } = await ada.rpc.storageUploads.get.query({ id: same });
  expect(parts).toHaveLength(1);
  expect(size).toBe(1000);
  await expect.poll(() => piecesOf(same)).toEqual([1000]);

  await world.deps.db
    .updateTable('multipartUploads')
    .set({ touchedAt: sql<string>`now() - interval '8 days'` })
    .where('id', '=', same)
    .execute();
  await sweepOrphans(world.deps.db, world.deps.objects);
  expect(await piecesOf(same)).toEqual([1000]);
  await sweepUploads(world.deps.db, world.deps.domains.storage);
  expect((await ada.rest(`GET /api/storage/uploads/${same}`)).status).toBe(404);
  await expect.poll(() => piecesOf(same)).toEqual([]);
});

test('a workspace that somebody holds for long is not waited for, and nothing is stored', async () => {
  const person = await world.as('Eve');
  const { db } = world.deps;
  await db.transaction().execute(async (trx) => {
    await lockAccount(trx, person.user.id);
    expect(await upload(world, person, 'held')).toMatchObject({ status: 503, body: { code: 'UNAVAILABLE' } });
  });
  const ofEve = db.selectFrom('storedFiles').select('id').where('ownerId', '=', person.user.id);
  expect(await ofEve.execute()).toEqual([]);
  expect(await upload(world, person, 'free')).toMatchObject({ status: 201 });
});

test('parts are as long as it takes for the longest file', () => {
  expect(uploadPartSize(0)).toBe(8 * MB);
  expect(uploadPartSize(MAX_OBJECT_BYTES) * 10_000).toBeGreaterThanOrEqual(MAX_OBJECT_BYTES);
});
