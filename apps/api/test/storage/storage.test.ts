import type { StoredFile } from '@nephos/contracts';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sweepTrash } from '../../src/domains/storage/trash.ts';
import { createWorld, type Person, type World } from '../world.ts';
import { dataUrl, documented, filesOnDisk, MB, upload, uploaded } from './storage-world.ts';

const NOWHERE = '00000000-0000-7000-8000-000000000000';
const LIMIT = 10 * MB;

let world: World;
let ada: Person;
let bob: Person;

beforeAll(async () => {
  world = await createWorld({ running: true });
  ada = await world.as('Ada');
  bob = await world.as('Bob');
});

afterAll(() => world.close());

async function create(person: Person, bytes: Uint8Array | string, change: object = {}) {
  return person.rest('POST /api/storage', { body: documented(bytes, change) });
}

async function namesOf(person: Person): Promise<string[]> {
  return (await person.rpc.storage.list.query()).map(({ fileName }) => fileName);
}

describe('a file', () => {
  test('is created as documented, listed with its data, and downloaded', async () => {
    const created = await create(ada, 'Hello, files', { fileName: 'hello.txt' });
    expect(created.status).toBe(201);
    expect(created.body).toEqual({
      id: expect.any(String),
      fileName: 'hello.txt',
      filePath: '/uploads/',
      fileSize: 12,
      mimeType: 'text/plain',
      isPublic: false,
      createdAt: expect.stringMatching(/^\d{4}-.*Z$/),
      uploadedAt: expect.stringMatching(/^\d{4}-.*Z$/),
      publicUrl: null,
    });
    const listed = await ada.rest('GET /api/storage');
    expect(listed.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(listed.body).toEqual([{ ...(created.body as object), fileData: dataUrl('Hello, files') }]);
    expect((await ada.rest('GET /api/storage?fileData=false')).body).toEqual([created.body]);
    expect(await ada.rpc.storage.list.query()).toEqual([created.body]);
    const { id } = created.body as StoredFile;
    expect((await ada.rest(`GET /api/storage/${id}/download`)).text).toBe('Hello, files');
  });

  test('has the defaults of the specification', async () => {
    const body = { fileName: 'bare.bin', fileSize: 1, fileData: dataUrl('x', 'application/x-thing') };
    const { status, body: file } = await ada.rest('POST /api/storage', { body });
    expect(status).toBe(201);
    expect(file).toMatchObject({
      filePath: '/uploads/',
      isPublic: false,
      mimeType: 'application/x-thing',
    });
  });

  test.each([
    ['data', 'text/plain'],
    ['type', 'text/plain; charset=ISO-8859-1'],
  ])('keeps the charset that its %s names', async (from, mimeType) => {
    const carol = await world.as(`Latin-${from}`);
    const bytes = Buffer.from('gr\xfc\xdfe', 'latin1');
    const type = from === 'data' ? 'text/plain;charset=iso-8859-1' : 'text/plain';
    const created = await create(carol, bytes, { mimeType, fileData: dataUrl(bytes, type) });
    expect(created).toMatchObject({ status: 201, body: { mimeType: 'text/plain' } });
    const listed = (await carol.rest('GET /api/storage')).body;
    expect(listed).toMatchObject([{ fileData: dataUrl(bytes, 'text/plain;charset=iso-8859-1') }]);
    const { id } = created.body as StoredFile;
    const answer = await carol.rest(`HEAD /api/storage/${id}/download`);
    expect(answer.headers.get('content-type')).toBe('text/plain; charset=iso-8859-1');
  });

  test('is created by tRPC too, with the same answer', async () => {
    const file = await ada.rpc.storage.create.mutate(documented('by rpc', { isPublic: true }));
    expect(file).toMatchObject({ fileSize: 6, isPublic: true });
    expect(file.publicUrl).toBe(`${world.deps.settings.publicUrl.origin}/files/${file.id}/notes.txt`);
  });

  test('is uploaded as it is, and its bytes are kept to the last', async () => {
    const bytes = Buffer.from(Array.from({ length: 3 * MB }, (_, at) => (at * 31) % 256));
    const file = await uploaded(world, ada, bytes, {
      name: 'picture.png',
      path: '/a/b/',
      type: 'Image/PNG; x=y',
      isPublic: true,
    });
    expect(file).toMatchObject({
      fileName: 'picture.png',
      filePath: '/a/b/',
      fileSize: bytes.length,
      mimeType: 'image/png',
      isPublic: true,
    });
    const response = await fetch(`${world.url}/api/storage/${file.id}/download`, {
      headers: { cookie: ada.cookie },
    });
    expect(Buffer.from(await response.arrayBuffer()).equals(bytes)).toBe(true);
  });

  test('may be empty, at each door', async () => {
    expect((await create(ada, '')).status).toBe(201);
    const file = await uploaded(world, ada, '');
    expect(file.fileSize).toBe(0);
    const answer = await ada.rest(`GET /api/storage/${file.id}/download`);
    expect(answer).toMatchObject({ status: 200, text: '' });
    expect(answer.headers.get('content-length')).toBe('0');
  });

  test('is changed, and keeps its bytes', async () => {
    const { id } = await uploaded(world, ada, 'changing');
    const change = { fileName: ' new name.txt ', filePath: '/else/', isPublic: true };
    const changed = await ada.rest(`PATCH /api/storage/${id}`, { body: change });
    expect(changed).toMatchObject({
      status: 200,
      body: { id, fileName: 'new name.txt', filePath: '/else/', isPublic: true },
    });
    expect((changed.body as StoredFile).publicUrl).toMatch(/\/files\/[^/]+\/new%20name\.txt$/);
    expect(await ada.rpc.storage.update.mutate({ id })).toEqual(changed.body);
    const hidden = await ada.rpc.storage.update.mutate({ id, isPublic: false });
    expect(hidden.publicUrl).toBeNull();
    expect((await ada.rest(`GET /api/storage/${id}/download`)).text).toBe('changing');
  });

  test('is deleted once, can be brought back for seven days, and goes with its bytes', async () => {
    const carol = await world.as('Carol');
    const before = (await filesOnDisk(world)).length;
    const file = await uploaded(world, carol, 'going', { name: 'gone.tar.gz' });
    const { id } = file;
    expect(await filesOnDisk(world)).toHaveLength(before + 1);
    const removed = await carol.rest(`DELETE /api/storage/${id}`);
    expect(removed).toMatchObject({ status: 200, body: { success: true } });
    expect((await carol.rest(`DELETE /api/storage/${id}`)).status).toBe(404);
    expect((await carol.rest(`GET /api/storage/${id}/download`)).status).toBe(404);
    const { fileName, filePath, fileSize } = file;
    const [trashed] = await carol.rpc.storageTrash.list.query();
    expect(trashed).toMatchObject({ fileName, filePath, fileSize });
    const ofTrash = { id: trashed?.id ?? '' };
    expect(await ada.rpc.storageTrash.list.query()).not.toContainEqual(trashed);
    expect((await ada.rest(`POST /api/storage/trash/${ofTrash.id}/restore`)).status).toBe(404);
    expect((await ada.rest(`DELETE /api/storage/trash/${ofTrash.id}`)).status).toBe(404);
    await ada.rpc.storageTrash.empty.mutate();
    expect(await carol.rpc.storageTrash.restore.mutate(ofTrash)).toEqual(file);
    expect((await carol.rest(`GET /api/storage/${id}/download`)).text).toBe('going');
    expect((await carol.rest(`POST /api/storage/trash/${ofTrash.id}/restore`)).status).toBe(404);
    // Where its place is taken meanwhile, it gets another name.
    await carol.rpc.storage.remove.mutate({ id });
    const other = await uploaded(world, carol, 'other', { name: 'gone.tar.gz' });
    const [again] = await carol.rpc.storageTrash.list.query();
    const restored = await carol.rpc.storageTrash.restore.mutate({ id: again?.id ?? '' });
    expect(restored).toMatchObject({ id, fileName: 'gone (2).tar.gz' });
    for (const gone of [id, other.id]) await carol.rpc.storage.remove.mutate({ id: gone });
    const [last, first] = await carol.rpc.storageTrash.list.query();
    expect(last).toMatchObject({ fileName: 'gone.tar.gz', fileSize: 5 });
    expect(await carol.rest(`DELETE /api/storage/trash/${last?.id}`)).toMatchObject({ status: 200 });
    const { db, domains } = world.deps;
    await sweepTrash(db, domains.storage);
    expect(await carol.rpc.storageTrash.list.query()).toEqual([first]);
    await db
      .updateTable('fileVersions')
      .set({ trashedAt: sql<string>`now() - interval '8 days'` })
      .where('ownerId', '=', carol.user.id)
      .execute();
    await sweepTrash(db, domains.storage);
    expect(await carol.rpc.storageTrash.list.query()).toEqual([]);
    await expect.poll(() => filesOnDisk(world)).toHaveLength(before);
  });

  test('is made once by an Idempotency-Key, at each door', async () => {
    const dan = await world.as('Dan');
    const headers = { 'idempotency-key': 'once' };
    const body = documented('once');
    const first = await dan.rest('POST /api/storage', { body, headers });
    const again = await dan.rest('POST /api/storage', { body, headers });
    expect(again.body).toEqual(first.body);
    expect(again.headers.get('idempotency-replayed')).toBe('true');

    const raw = await upload(world, dan, 'raw', { headers });
    const rawAgain = await upload(world, dan, 'raw', { headers });
    expect(rawAgain.body).toEqual(raw.body);
    expect(await upload(world, dan, 'other', { headers })).toMatchObject({
      status: 422,
      body: { code: 'IDEMPOTENCY_KEY_REUSED' },
    });
    expect(await dan.rpc.storage.list.query()).toHaveLength(2);
  });
});

describe('somebody else', () => {
  test('who is signed out gets 401 everywhere', async () => {
    const { id } = await uploaded(world, ada, 'private');
    for (const route of [
      'GET /api/storage',
      `DELETE /api/storage/${id}`,
      `GET /api/storage/${id}/download`,
    ]) {
      expect(await world.anyone.rest(route), route).toMatchObject({
        status: 401,
        body: { message: 'Unauthorized' },
      });
    }
    expect((await world.anyone.rest('POST /api/storage', { body: documented('x') })).status).toBe(401);
    expect((await world.anyone.rest(`GET /api/storage/${NOWHERE}/download`)).status).toBe(401);
    expect(await upload(world, { cookie: '' }, 'x')).toMatchObject({ status: 401 });
    await expect(world.anyone.rpc.storage.list.query()).rejects.toMatchObject({ data: { httpStatus: 401 } });
  });

  test('finds a private file as little as one that is not there', async () => {
    const { id } = await uploaded(world, ada, 'private', { name: 'mine.txt' });
    const calls = (file: string) => [
      bob.rest(`GET /api/storage/${file}/download`),
      bob.rest(`PATCH /api/storage/${file}`, { body: { isPublic: true } }),
      bob.rest(`DELETE /api/storage/${file}`),
      world.anyone.rest(`GET /files/${file}/mine.txt`),
      ada.rest(`GET /files/${file}/mine.txt`),
    ];
    const bare = async (file: string) =>
      (await Promise.all(calls(file))).map(({ status, text }) => [status, text.replace(/[0-9a-f-]{36}/, '')]);
    const foreign = await bare(id);
    expect(foreign.every(([status]) => status === 404)).toBe(true);
    expect(foreign).toEqual(await bare(NOWHERE));
    expect(foreign).toEqual(await bare('x'));
    expect(await namesOf(bob)).not.toContain('mine.txt');
    expect(await namesOf(ada)).toContain('mine.txt');
  });

  test('reads a public file but does not change it', async () => {
    const { id, publicUrl } = await uploaded(world, ada, 'for all', { isPublic: true });
    expect((await bob.rest(`GET /api/storage/${id}/download`)).text).toBe('for all');
    expect((await world.anyone.rest(`GET /api/storage/${id}/download`)).text).toBe('for all');
    const open = await world.anyone.rest(`GET ${new URL(publicUrl ?? '').pathname}`);
    expect(open).toMatchObject({ status: 200, text: 'for all' });
    expect(open.headers.get('cross-origin-resource-policy')).toBe('cross-origin');
    expect((await bob.rest(`DELETE /api/storage/${id}`)).status).toBe(404);
    await ada.rpc.storage.update.mutate({ id, isPublic: false });
    expect((await world.anyone.rest(`GET ${new URL(publicUrl ?? '').pathname}`)).status).toBe(404);
    expect((await world.anyone.rest(`GET /api/storage/${id}/download`)).status).toBe(401);
  });

  test('cannot upload from another site in the browser of someone signed in', async () => {
    const foreign: Record<string, string>[] = [
      { 'sec-fetch-site': 'cross-site' },
      { origin: 'https://evil.example' },
    ];
    for (const headers of foreign) {
      expect(await upload(world, ada, 'x', { headers })).toMatchObject({
        status: 403,
        body: { code: 'CSRF' },
      });
    }
  });

  test('with an access token reads and writes within its scope', async () => {
    const bearer = async (scope: 'read' | 'write') => {
      const { token } = await ada.rpc.auth.createToken.mutate({ name: scope, scope });
      return { authorization: `Bearer ${token}` };
    };
    const [read, write] = [await bearer('read'), await bearer('write')];
    const nobody = { cookie: '' };
    expect(await upload(world, nobody, 'x', { headers: read })).toMatchObject({ status: 403 });
    const { id } = await uploaded(world, nobody, 'by token', { headers: write });
    const answer = await world.anyone.rest(`GET /api/storage/${id}/download`, { headers: read });
    expect(answer.text).toBe('by token');
  });
});

describe('what is refused', () => {
  const BAD_NAMES = [
    '',
    ' ',
    '.',
    '..',
    'a/b',
    'a\\b',
    'a\r\nb',
    'a\u0000',
    'ä'.repeat(128),
    'x'.repeat(256),
  ];

  test.each(BAD_NAMES)('the name %j, at each door', async (fileName) => {
    const answers = [await create(ada, 'x', { fileName }), await upload(world, ada, 'x', { name: fileName })];
    for (const answer of answers) {
      expect(answer).toMatchObject({ status: 400, body: { code: 'VALIDATION' } });
    }
  });

  test.each([
    '',
    'uploads',
    '/uploads',
    'uploads/',
    '//',
    '/a//b/',
    '/../',
    '/a/../b/',
    `/${'x'.repeat(1023)}/`,
  ])('the path %j, at each door', async (filePath) => {
    expect((await create(ada, 'x', { filePath })).status).toBe(400);
    expect((await upload(world, ada, 'x', { path: filePath })).status).toBe(400);
  });

  test.each<[string, object, string]>([
    ['a size that is not the data’s', { fileSize: 2 }, 'fileSize'],
    ['a negative size', { fileSize: -1 }, 'fileSize'],
    ['a size as text', { fileSize: '1' }, 'fileSize'],
    ['a type that is not the data’s', { mimeType: 'image/png' }, 'mimeType'],
    ['no data', { fileData: undefined }, 'fileData'],
    ['data that is no data URL', { fileData: 'eA==' }, 'fileData'],
    ['data that is null', { fileData: null }, 'fileData'],
    ['a choice as text', { isPublic: 'true' }, 'isPublic'],
  ])('%s', async (_, change, path) => {
    const before = await filesOnDisk(world);
    expect(await create(ada, 'x', change)).toMatchObject({
      status: 400,
      body: { code: 'VALIDATION', fields: [{ path }] },
    });
    expect(await filesOnDisk(world)).toEqual(before);
  });

  test('a form in the place of a file, with the call that works', async () => {
    const before = await filesOnDisk(world);
    const body = new FormData();
    body.append('file', new Blob(['hello']), 'x.txt');
    for (const query of ['', '?fileName=x.txt']) {
      const response = await fetch(`${world.url}/api/storage/upload${query}`, {
        method: 'POST',
        headers: { cookie: ada.cookie },
        body,
      });
      expect(response.status).toBe(415);
      expect(await response.json()).toMatchObject({
        code: 'UNSUPPORTED_MEDIA_TYPE',
        message: expect.stringContaining('curl --data-binary @notes.txt'),
      });
    }
    expect(await filesOnDisk(world)).toEqual(before);
  });

  test('an upload without a name, and one with two', async () => {
    const headers = { 'content-type': 'text/plain' };
    for (const query of ['', '?fileName=a&fileName=b', '?fileName=a&isPublic=yes', '?fileName=a%00']) {
      const answer = await ada.rest(`POST /api/storage/upload${query}`, { body: 'x', headers });
      expect(answer.status, query).toBe(400);
    }
  });

  test('methods that an address does not take', async () => {
    expect((await ada.rest('PUT /api/storage')).status).toBe(405);
    expect((await ada.rest(`GET /api/storage/${NOWHERE}`)).status).toBe(405);
  });

  test('pages that there are not', async () => {
    for (const query of ['limit=0', 'limit=1001', 'cursor=x', 'fileData=maybe']) {
      expect((await ada.rest(`GET /api/storage?${query}`)).status, query).toBe(400);
    }
  });
});

describe('names', () => {
  test.each([
    'x',
    'x'.repeat(255),
    `${'ä'.repeat(127)}x`,
    '…',
    'it\'s 100% ("mine").txt',
    'Ünïcode 文件 🎉.txt',
    '..hidden',
  ])('%j is accepted and comes back', async (name) => {
    const byJson = await create(ada, 'x', { fileName: name });
    expect(byJson).toMatchObject({ status: 201, body: { fileName: name } });
    expect(await uploaded(world, ada, 'x', { name })).toMatchObject({ fileName: name });
  });

  test.each(['/', '/a/', '/a b/ü/', `/${'x'.repeat(1022)}/`])('the path %j is accepted', async (filePath) => {
    expect(await create(ada, 'x', { filePath })).toMatchObject({ status: 201, body: { filePath } });
  });
});

describe('bounds', () => {
  test.each([
    [LIMIT - 1, 201],
    [LIMIT, 201],
    [LIMIT + 1, 413],
    [LIMIT + 2, 413],
  ])('%i bytes answer %i, at each door', async (size, status) => {
    const bytes = Buffer.alloc(size, 7);
    const answers = [
      await create(ada, bytes, { fileSize: size }),
      await upload(world, ada, bytes, { type: 'application/octet-stream' }),
    ];
    for (const answer of answers) {
      expect(answer.status).toBe(status);
      if (status === 413) {
        expect(answer.body).toMatchObject({ message: 'File too large', code: 'FILE_TOO_LARGE' });
      } else await ada.rpc.storage.remove.mutate({ id: (answer.body as StoredFile).id });
    }
  });

  test('a stream of unknown length is counted', async () => {
    const pieces = async function* () {
      for (let sent = 0; sent <= LIMIT; sent += MB) yield Buffer.alloc(MB);
    };
    const response = await fetch(`${world.url}/api/storage/upload?fileName=endless`, {
      method: 'POST',
      headers: { cookie: ada.cookie },
      body: pieces(),
      duplex: 'half',
    } as RequestInit);
    expect(response.status).toBe(413);
    expect(await response.json()).toMatchObject({ code: 'FILE_TOO_LARGE' });
  });

  test('a JSON body of 14 MiB is read, one byte more is not', async () => {
    const body = JSON.stringify(documented('x'));
    const padded = (size: number) => body + ' '.repeat(size - body.length);
    expect((await ada.rest('POST /api/storage', { body: padded(14 * MB) })).status).toBe(201);
    expect(await ada.rest('POST /api/storage', { body: padded(14 * MB + 1) })).toMatchObject({
      status: 413,
      body: { code: 'BODY_TOO_LARGE' },
    });
  });

  test('eight of the largest at once are all stored', async () => {
    const eve = await world.as('Eve');
    const body = JSON.stringify(documented(Buffer.alloc(LIMIT, 1)));
    // Four of them wait for places. On a slow machine that may take longer than they may wait: then they come again.
    const store = async (): Promise<number> => {
      const { status } = await eve.rest('POST /api/storage', { body });
      return status === 503 ? store() : status;
    };
    expect(await Promise.all(Array.from({ length: 8 }, store))).toEqual(Array(8).fill(201));
    expect(await eve.rpc.storage.list.query()).toHaveLength(8);
  });
});

describe('the list', () => {
  test('is an empty array for who has nothing, and says null for bytes that are lost', async () => {
    const gil = await world.as('Gil');
    expect(await gil.rest('GET /api/storage')).toMatchObject({ status: 200, text: '[]' });
    const { id } = await uploaded(world, gil, 'lost');
    const { objectKey } = await world.deps.db
      .selectFrom('storedFiles')
      .select('objectKey')
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    await world.deps.objects.delete(objectKey);
    expect((await gil.rest('GET /api/storage')).body).toMatchObject([{ id, fileData: null }]);
    const answer = await gil.rest(`GET /api/storage/${id}/download`);
    expect(answer.status).toBe(404);
    expect(answer.headers.get('content-disposition')).toBe(null);
    expect(answer.headers.get('etag')).toBe(null);
  });

  test('spells data of every length and type', async () => {
    const hal = await world.as('Hal');
    const texts = ['a', 'ab', 'abc', 'abcd', 'x'.repeat(600_001)];
    for (const text of texts) await uploaded(world, hal, text, { type: 'image/svg+xml' });
    const { body } = await hal.rest('GET /api/storage');
    const data = (body as { fileData: string }[]).map(({ fileData }) => fileData);
    expect(data.reverse()).toEqual(texts.map((text) => dataUrl(text, 'image/svg+xml')));
  });
});
