import { randomBytes, randomUUID } from 'node:crypto';
import type { IfExists, StoredFile } from '@nephos/contracts';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Answer, createWorld, type Person, type World } from '../world.ts';
import { documented, filesOnDisk, MB, upload } from './storage-world.ts';

let world: World;
let ada: Person;
let bob: Person;

beforeAll(async () => {
  world = await createWorld({ running: true });
  ada = await world.as('Ada');
  bob = await world.as('Bob');
});

afterAll(async () => {
  await world.close();
});

interface Sending {
  name?: string;
  ifExists?: IfExists;
  isPublic?: boolean;
  headers?: Record<string, string>;
}

type Door = (bytes: string, sending?: Sending) => Promise<Answer>;

const DOORS: Record<string, Door> = {
  raw: (bytes, { name = 'notes.txt', ...rest } = {}) => upload(world, ada, bytes, { name, ...rest }),
  JSON: (bytes, { name: fileName = 'notes.txt', headers = {}, ...rest } = {}) =>
    ada.rest('POST /api/storage', { body: documented(bytes, { fileName, ...rest }), headers }),
};
const doors = Object.entries(DOORS);

async function emptied(): Promise<void> {
  await world.deps.db.deleteFrom('storedFiles').execute();
}

function fileOf(answer: Answer): StoredFile {
  expect(answer).toMatchObject({ status: 201 });
  return answer.body as StoredFile;
}

const exists = ({ id, fileName, filePath }: StoredFile) => ({
  status: 409,
  body: {
    code: 'FILE_EXISTS',
    message: `${fileName} already exists in ${filePath}.`,
    existingId: id,
  },
});

async function textOf(id: string): Promise<string> {
  return (await ada.rest(`GET /api/storage/${id}/download`)).text;
}

async function usedStorage(): Promise<number> {
  return (await ada.rpc.billing.limits.query()).storage.used;
}

async function names(): Promise<string[]> {
  return (await ada.rpc.storage.list.query()).map(({ filePath, fileName }) => filePath + fileName).sort();
}

describe.each(doors)('the same path once more, by the %s door', (_, send) => {
  test('keeps both unless it is told otherwise', async () => {
    await emptied();
    await send('one');
    await send('two');
    await send('three', { ifExists: 'keep' });
    expect(await names()).toEqual(Array(3).fill('/uploads/notes.txt'));
  });

  test('is refused, with the file that is there, and stores nothing', async () => {
    await emptied();
    const first = fileOf(await send('one', { ifExists: 'refuse' }));
    const before = await filesOnDisk(world);
    expect(await send('two', { ifExists: 'refuse' })).toMatchObject(exists(first));
    expect(await filesOnDisk(world)).toEqual(before);
    const headers = { 'idempotency-key': randomUUID() };
    const keyed = await send('two', { ifExists: 'refuse', headers });
    expect(keyed).toMatchObject(exists(first));
    const again = await send('two', { ifExists: 'refuse', headers });
    expect(again).toMatchObject(exists(first));
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    expect(await names()).toHaveLength(1);
    // Another name, another folder and somebody else's file are in nobody's way.
    await fileOf(await send('two', { name: 'Notes.txt', ifExists: 'refuse' }));
    await upload(world, bob, 'bob', { name: 'bob.txt' });
    await fileOf(await send('two', { name: 'bob.txt', ifExists: 'refuse' }));
  });

  test('gets a name of its own', async () => {
    await emptied();
    for (let nth = 1; nth <= 3; nth += 1) await send('x', { ifExists: 'rename' });
    await send('x', { name: 'notes (2).txt', ifExists: 'rename' });
    expect(await names()).toEqual([
      '/uploads/notes (2).txt',
      '/uploads/notes (3).txt',
      '/uploads/notes (4).txt',
      '/uploads/notes.txt',
    ]);
  });

  test('replaces the bytes, and the file stays who it is', async () => {
    await emptied();
    const first = fileOf(await send('one', { isPublic: true }));
    const old = await ada.rest(`GET /api/storage/${first.id}/download`);
    const { objectKey } = await world.deps.db
      .selectFrom('storedFiles')
      .select('objectKey')
      .executeTakeFirstOrThrow();
    await world.deps.db
      .updateTable('storedFiles')
      .set({ createdAt: '2026-01-01T00:00:00.000Z', uploadedAt: '2026-01-01T00:00:00.000Z' })
      .execute();
    const second = fileOf(await send('the second', { ifExists: 'replace' }));
    expect(second).toMatchObject({
      id: first.id,
      publicUrl: first.publicUrl,
      isPublic: true,
      fileSize: 10,
      createdAt: '2026-01-01T00:00:00.000Z',
    });
    expect(second.uploadedAt > '2026-11').toBe(true);
    expect(await ada.rpc.storage.list.query()).toEqual([second]);
    const now = await ada.rest(`GET /api/storage/${first.id}/download`);
    expect(now.text).toBe('the second');
    expect(now.headers.get('etag')).not.toBe(old.headers.get('etag'));
    const since = new Date('2026-06-01').toUTCString();
    const changed = await ada.rest(`GET /api/storage/${first.id}/download`, {
      headers: { 'if-modified-since': since },
    });
    expect(changed.status).toBe(200);
    expect(await usedStorage()).toBe(10);
    // The former bytes go after the commit.
    await expect.poll(() => world.deps.objects.stat(objectKey)).toBeUndefined();
    expect(await textOf(first.id)).toBe('the second');
  });

  test('replaces the newest of several, and what is not there by nothing', async () => {
    await emptied();
    const only = fileOf(await send('one', { ifExists: 'replace' }));
    const newest = fileOf(await send('two'));
    expect(fileOf(await send('three', { ifExists: 'replace' })).id).toBe(newest.id);
    expect([await textOf(only.id), await textOf(newest.id)]).toEqual(['one', 'three']);
  });

  test('is judged by the difference, where the plan is full', async () => {
    await emptied();
    const first = fileOf(await send('12345'));
    const big = { fileName: 'big', filePath: '/', mimeType: 'text/plain', isPublic: false, sha256: '' };
    await world.deps.db
      .insertInto('storedFiles')
      .values({ ...big, ownerId: ada.user.id, objectKey: randomUUID(), fileSize: 10 * 1024 * MB - 5 })
      .execute();
    const before = await filesOnDisk(world);
    expect(await send('123456', { ifExists: 'replace' })).toMatchObject({
      status: 403,
      body: { code: 'QUOTA_EXCEEDED' },
    });
    expect(await filesOnDisk(world)).toEqual(before);
    expect(await textOf(first.id)).toBe('12345');
    expect(fileOf(await send('abcde', { ifExists: 'replace' })).id).toBe(first.id);
    expect(fileOf(await send('abc', { ifExists: 'replace' })).id).toBe(first.id);
    expect(await textOf(first.id)).toBe('abc');
    expect(await usedStorage()).toBe(10 * 1024 * MB - 2);
  });

  test('is not one of four things', async () => {
    const answer = await send('x', { ifExists: 'overwrite' as IfExists });
    expect(answer).toMatchObject({
      status: 400,
      body: { code: 'VALIDATION', fields: [{ path: 'ifExists' }] },
    });
  });
});

test('by tRPC the refusal names the file too', async () => {
  await emptied();
  const first = await ada.rpc.storage.create.mutate(documented('one'));
  const refused = ada.rpc.storage.create.mutate({ ...documented('two'), ifExists: 'refuse' });
  await expect(refused).rejects.toMatchObject({
    data: { httpStatus: 409, reason: 'FILE_EXISTS', existingId: first.id },
  });
});

describe('on two servers', () => {
  let replica: World;
  // Only while it is needed: its folder holds other bytes, and a deletion that it took would not find those of the first.
  beforeAll(async () => {
    replica = await createWorld({ databaseUrl: world.databaseUrl, running: true });
  });
  afterAll(() => replica.close());

  test('of twelve replacements at once, one file and its own bytes are left', async () => {
    await emptied();
    const first = fileOf(await upload(world, ada, 'first'));
    const bodies = Array.from({ length: 12 }, () => randomBytes(200_000).toString('base64'));
    const answers = await Promise.all(
      bodies.map((bytes, nth) =>
        upload(nth % 2 ? replica : world, ada, bytes, { ifExists: 'replace' }).then(fileOf),
      ),
    );
    expect(new Set(answers.map(({ id }) => id))).toEqual(new Set([first.id]));
    expect(await ada.rpc.storage.list.query()).toHaveLength(1);
    const row = await world.deps.db.selectFrom('storedFiles').selectAll().executeTakeFirstOrThrow();
    expect(row.fileSize).toBe(bodies[0]?.length);
    expect(await usedStorage()).toBe(row.fileSize);
    const places = [world, replica];
    const at = await Promise.all(places.map(({ deps }) => deps.objects.stat(row.objectKey)));
    expect(at.filter((object) => object !== undefined)).toHaveLength(1);
  });

  test('of twelve of one name at once, each gets a name of its own', async () => {
    await emptied();
    const sent = Array.from({ length: 12 }, (_, nth) =>
      upload(nth % 2 ? replica : world, ada, 'x', { ifExists: 'rename' }),
    );
    await Promise.all(sent);
    expect(new Set(await names()).size).toBe(12);
  });
});

test('with a key and without, at once, wait for each other in one order', async () => {
  await emptied();
  const first = fileOf(await upload(world, ada, 'first'));
  const sent = Array.from({ length: 12 }, (_, nth) => {
    const headers = { 'idempotency-key': randomUUID() };
    const sending = { ifExists: 'replace' as const, ...(nth % 2 ? { headers } : {}) };
    return (nth % 4 < 2 ? DOORS.JSON : DOORS.raw)?.(`${nth}`, sending);
  });
  for (const answer of await Promise.all(sent)) expect(answer).toMatchObject({ status: 201 });
  expect((await ada.rpc.storage.list.query()).map(({ id }) => id)).toEqual([first.id]);
});

test('behind hundreds of its name, the next number is found', async () => {
  await emptied();
  await upload(world, ada, 'x');
  await sql`insert into stored_files (owner_id, file_name, file_path, mime_type, is_public, file_size, object_key, sha256)
    select owner_id, 'notes (' || n || ').txt', file_path, mime_type, false, 0, gen_random_uuid(), '' from stored_files,
    generate_series(2, 400) n`.execute(world.deps.db);
  const next = fileOf(await upload(world, ada, 'x', { ifExists: 'rename' }));
  expect(next.fileName).toBe('notes (401).txt');
});

test('a replacement that fails changes nothing, and leaves its bytes to the sweep', async () => {
  await emptied();
  const first = fileOf(await upload(world, ada, 'first'));
  // The end of its transaction fails, as when the server or its database dies there.
  const { db } = world.deps;
  await sql`create function fail() returns trigger language plpgsql as $$ begin raise 'cut'; end $$`.execute(
    db,
  );
  await sql`create constraint trigger cut after update on stored_files deferrable initially deferred
    for each row execute function fail()`.execute(db);
  const cut = await upload(world, ada, 'second', { ifExists: 'replace' });
  await sql`drop trigger cut on stored_files`.execute(db);
  expect(cut.status).toBe(500);
  expect(await textOf(first.id)).toBe('first');
  expect(await usedStorage()).toBe(5);
  const job = await sql`select 1 from pgboss.job where name = 'storage.delete-object' and state = 'created'
    and data->>'objectKey' = (select object_key from stored_files)`.execute(db);
  expect(job.rows).toEqual([]);
});

describe('moving a file', () => {
  async function two(): Promise<[StoredFile, StoredFile]> {
    await emptied();
    const first = fileOf(await upload(world, ada, 'first', { name: 'a.txt', path: '/docs/' }));
    return [first, fileOf(await upload(world, ada, 'second', { name: 'b.txt', isPublic: true }))];
  }

  const patch = (id: string, body: object) => ada.rest(`PATCH /api/storage/${id}`, { body });
  const onto = { fileName: 'a.txt', filePath: '/docs/' };

  test('onto another keeps both unless it is told otherwise', async () => {
    const [, second] = await two();
    expect(await patch(second.id, onto)).toMatchObject({ status: 200, body: onto });
    expect(await names()).toEqual(['/docs/a.txt', '/docs/a.txt']);
  });

  test('onto another is refused by both doors, and changes nothing', async () => {
    const [first, second] = await two();
    const before = await ada.rpc.storage.list.query();
    expect(await patch(second.id, { ...onto, ifExists: 'refuse', isPublic: false })).toMatchObject(
      exists(first),
    );
    const byRpc = ada.rpc.storage.update.mutate({ id: second.id, ...onto, ifExists: 'refuse' });
    await expect(byRpc).rejects.toMatchObject({ data: { reason: 'FILE_EXISTS', existingId: first.id } });
    expect(await ada.rpc.storage.list.query()).toEqual(before);
  });

  test('onto itself, or to where nothing is, is no conflict', async () => {
    const [first, second] = await two();
    expect((await patch(first.id, { ...onto, ifExists: 'refuse' })).status).toBe(200);
    expect(await patch(second.id, { filePath: '/docs/', ifExists: 'refuse' })).toMatchObject({
      status: 200,
      body: { fileName: 'b.txt', filePath: '/docs/' },
    });
  });

  test('nowhere leaves what is in the same place alone', async () => {
    await emptied();
    const twins = [fileOf(await upload(world, ada, 'one')), fileOf(await upload(world, ada, 'two'))];
    const id = twins[0]?.id ?? '';
    for (const ifExists of ['refuse', 'replace', 'rename']) {
      for (const body of [{ isPublic: true }, { fileName: 'notes.txt', filePath: '/uploads/' }]) {
        expect(await patch(id, { ...body, ifExists })).toMatchObject({
          status: 200,
          body: { id, fileName: 'notes.txt' },
        });
      }
    }
    expect(await names()).toEqual(['/uploads/notes.txt', '/uploads/notes.txt']);
  });

  test('may leave it the name that it has', async () => {
    await emptied();
    await upload(world, ada, 'one');
    const { id, fileName } = fileOf(await upload(world, ada, 'two', { ifExists: 'rename' }));
    const moved = await patch(id, { fileName: 'notes.txt', ifExists: 'rename' });
    expect(moved).toMatchObject({ status: 200, body: { id, fileName } });
  });

  test('onto another takes its place: that one goes to the trash', async () => {
    const [first, second] = await two();
    const moved = await patch(second.id, { ...onto, ifExists: 'replace' });
    expect(moved).toMatchObject({ status: 200, body: { id: second.id, ...onto, isPublic: true } });
    expect((moved.body as StoredFile).publicUrl).toMatch(new RegExp(`/files/${second.id}/a\\.txt$`));
    expect(await names()).toEqual(['/docs/a.txt']);
    expect((await ada.rest(`GET /api/storage/${first.id}/download`)).status).toBe(404);
    expect(await textOf(second.id)).toBe('second');
    const [trashed] = await ada.rpc.storageTrash.list.query();
    expect(trashed).toMatchObject({ fileName: first.fileName, filePath: first.filePath });
  });

  test('onto another gets a name of its own', async () => {
    const [, second] = await two();
    expect(await patch(second.id, { ...onto, ifExists: 'rename' })).toMatchObject({
      body: { fileName: 'a (2).txt', filePath: '/docs/' },
    });
  });

  test('at once with a change of who can read it, loses neither', async () => {
    const [first] = await two();
    for (let round = 0; round < 5; round += 1) {
      const isPublic = round % 2 === 0;
      await Promise.all([
        patch(first.id, { fileName: `${round}.txt`, ifExists: 'refuse' }),
        patch(first.id, { isPublic }),
      ]);
      const [file] = (await ada.rpc.storage.list.query()).filter(({ id }) => id === first.id);
      expect(file).toMatchObject({ fileName: `${round}.txt`, isPublic });
    }
  });

  test('of somebody else is not possible, and nobody else’s file is in the way', async () => {
    const [first, second] = await two();
    const body = { fileName: 'x', ifExists: 'replace' };
    expect((await bob.rest(`PATCH /api/storage/${first.id}`, { body })).status).toBe(404);
    fileOf(await upload(world, bob, 'bob', { name: 'free.txt' }));
    expect((await patch(second.id, { fileName: 'free.txt', ifExists: 'refuse' })).status).toBe(200);
  });
});

test('folders are named once each, in order, to their owner alone', async () => {
  await emptied();
  for (const path of ['/b/', '/a/x/', '/b/', '/ä/']) await upload(world, ada, 'x', { path });
  await upload(world, bob, 'x', { path: '/bob/' });
  expect((await ada.rest('GET /api/storage/folders')).body).toEqual(['/a/x/', '/b/', '/ä/']);
  expect(await ada.rpc.storage.folders.query()).toEqual(['/a/x/', '/b/', '/ä/']);
  expect((await world.anyone.rest('GET /api/storage/folders')).status).toBe(401);
});

test('a path longer than an index holds is found as well', async () => {
  await emptied();
  const path = `/${Array.from({ length: 1022 }, () => String.fromCodePoint(0x4e00 + Math.floor(Math.random() * 20_000))).join('')}/`;
  const first = fileOf(await upload(world, ada, 'x', { path }));
  expect(await upload(world, ada, 'x', { path, ifExists: 'refuse' })).toMatchObject({
    status: 409,
    body: { existingId: first.id },
  });
});
