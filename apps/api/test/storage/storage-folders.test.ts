import type { StoredFile } from '@nephos/contracts';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createWorld, type Person, type World } from '../world.ts';
import { uploaded } from './storage-world.ts';

const NOWHERE = '00000000-0000-7000-8000-000000000000';

let world: World;
let ada: Person;
let bob: Person;

beforeAll(async () => {
  world = await createWorld({ running: true });
  ada = await world.as('Ada');
  bob = await world.as('Bob');
});

afterAll(() => world.close());

describe('folders', () => {
  test('are found one by one, and a list can be of one alone', async () => {
    for (const [path, name] of [
      ['/', 'top.txt'],
      ['/art/', 'b.txt'],
      ['/art/oil/deep/', 'c.txt'],
      ['/art/oil/', 'a.txt'],
      ['/art-2/', 'd.txt'],
      ['/zoo/über/', 'e.txt'],
    ] as const) {
      await uploaded(world, ada, name, { name, path });
    }
    const subfolders = async (query: string) => (await ada.rest(`GET /api/storage/subfolders?${query}`)).body;
    // In the order of their bytes, a slash being one.
    expect(await subfolders('')).toEqual(['/art-2/', '/art/', '/zoo/']);
    expect(await subfolders('after=/art-2/')).toEqual(['/art/', '/zoo/']);
    expect(await subfolders('after=/zoo/')).toEqual([]);
    expect(await ada.rpc.storage.subfolders.query({ folder: '/art/' })).toEqual(['/art/oil/']);
    expect(await ada.rpc.storage.subfolders.query({ folder: '/zoo/' })).toEqual(['/zoo/über/']);
    const names = async (input: object) =>
      (await ada.rpc.storage.list.query({ sort: 'name', ...input })).map(({ fileName }) => fileName);
    expect(await names({ folder: '/art/' })).toEqual(['b.txt']);
    expect(await names({ folder: '/art/', search: 'txt' })).toEqual(['a.txt', 'b.txt', 'c.txt']);
    expect(await names({ folder: '/none/' })).toEqual([]);
    expect(await names({ folder: `/${'x'.repeat(1022)}/` })).toEqual([]);
    expect((await ada.rest('GET /api/storage?folder=/&fileData=false')).body).toMatchObject([
      { fileName: 'top.txt' },
    ]);
    expect(await ada.rest('GET /api/storage?folder=art')).toMatchObject({ status: 400 });
  });

  test('are those of one bucket, which has to be one’s own', async () => {
    const { id } = await ada.rpc.buckets.create.mutate({ name: 'folders' });
    const file = await uploaded(world, ada, 'x', { name: 'x.txt', path: '/in-bucket/' });
    await world.deps.db.updateTable('storedFiles').set({ bucketId: id }).where('id', '=', file.id).execute();
    expect(await ada.rpc.storage.subfolders.query({ bucketId: id })).toEqual(['/in-bucket/']);
    expect(await ada.rpc.storage.list.query({ bucketId: id })).toMatchObject([{ id: file.id }]);
    expect(await ada.rpc.storage.list.query()).not.toContainEqual(expect.objectContaining({ id: file.id }));
    for (const route of ['/api/storage/subfolders', '/api/storage']) {
      expect(await bob.rest(`GET ${route}?bucketId=${id}`)).toMatchObject({ status: 404 });
      expect(await world.anyone.rest(`GET ${route}?bucketId=${id}`)).toMatchObject({ status: 401 });
    }
  });

  test('move with all that is in them, at once, unless something is in the way', async () => {
    const dora = await world.as('Dora');
    const paths = async () =>
      (await dora.rpc.storage.list.query({ sort: 'name' })).map(
        ({ fileName, filePath }) => filePath + fileName,
      );
    for (const [path, name] of [
      ['/in/', 'a.txt'],
      ['/in/deep er/', 'b.txt'],
      ['/in-side/', 'c.txt'],
      ['/taken/below/', 'd.txt'],
    ] as const) {
      await uploaded(world, dora, name, { name, path });
    }
    const move = (body: object, who = dora) => who.rest('POST /api/storage/folders/move', { body });
    expect(await move({ folder: '/in/', to: '/taken/' })).toMatchObject({
      status: 409,
      body: { code: 'FOLDER_EXISTS' },
    });
    for (const body of [
      { folder: '/in/', to: '/in/' },
      { folder: '/in/', to: '/in/below/' },
      { folder: '/', to: '/out/' },
      { folder: '/in/', to: '/' },
      { folder: '/in/', to: `/${'x'.repeat(1020)}/` },
    ]) {
      expect(await move(body), JSON.stringify(body)).toMatchObject({ status: 400 });
    }
    expect(await move({ folder: '/none/', to: '/out/' })).toMatchObject({ status: 404 });
    expect(await move({ folder: '/in/', to: '/out/' }, bob)).toMatchObject({ status: 404 });
    expect(await move({ folder: '/in/', to: '/öut 100%_/' })).toMatchObject({ status: 200 });
    expect(await paths()).toEqual([
      '/öut 100%_/a.txt',
      '/öut 100%_/deep er/b.txt',
      '/in-side/c.txt',
      '/taken/below/d.txt',
    ]);
    expect(await dora.rpc.storage.folders.query()).toEqual([
      '/in-side/',
      '/taken/below/',
      '/öut 100%_/',
      '/öut 100%_/deep er/',
    ]);

    const remove = (who: Person) =>
      who.rest('POST /api/storage/folders/remove', { body: { folder: '/öut 100%_/' } });
    expect(await remove(bob)).toMatchObject({ status: 200 });
    expect(await paths()).toHaveLength(4);
    expect(await remove(dora)).toMatchObject({ status: 200 });
    expect(await paths()).toEqual(['/in-side/c.txt', '/taken/below/d.txt']);
    const trash = await dora.rpc.storageTrash.list.query();
    expect(trash.map(({ fileName }) => fileName).sort()).toEqual(['a.txt', 'b.txt']);
    expect(
      await world.anyone.rest('POST /api/storage/folders/remove', { body: { folder: '/x/' } }),
    ).toMatchObject({
      status: 401,
    });
  });

  test('cost one look into the index each, however many files lie in them', async () => {
    const carol = await world.as('Carol');
    // In steps: a busy machine takes longer for all of them than one statement may.
    for (let from = 1; from < 1500; from += 500) {
      await sql`
        insert into stored_files (owner_id, file_name, file_path, file_size, mime_type, is_public, object_key, sha256)
        select ${carol.user.id}, 'f' || n, '/many/' || (n % 3) || '/', 1, 'text/plain', false, 'folders-' || n, ''
        from generate_series(${from}::int, ${from + 499}::int) n`.execute(world.deps.db);
    }
    await sql`analyze stored_files`.execute(world.deps.db);
    expect(await carol.rpc.storage.subfolders.query({ folder: '/many/' })).toEqual([
      '/many/0/',
      '/many/1/',
      '/many/2/',
    ]);
  });
});

describe('a shared link', () => {
  const share = async (file: StoredFile, seconds = 3600) =>
    (await ada.rpc.storage.share.mutate({ id: file.id, seconds })).link;
  const open = (link: string, headers = {}) => {
    const { pathname, search } = new URL(link);
    return world.anyone.rest(`GET ${pathname}${search}`, { headers });
  };

  test('lets anybody download a private file until it ends', async () => {
    const file = await uploaded(world, ada, 'for you', { name: 'naïve plan.txt' });
    const answer = await ada.rest(`POST /api/storage/${file.id}/share`, { body: { seconds: 60 } });
    expect(answer).toMatchObject({ status: 200 });
    const { link, until } = answer.body as { link: string; until: string };
    expect(Math.abs(Date.parse(until) - Date.now() - 60_000)).toBeLessThan(30_000);
    expect(await open(link)).toMatchObject({ status: 200, text: 'for you' });
    expect((await open(link)).headers.get('content-security-policy')).toContain('sandbox');

    const ended = new URL(link);
    ended.searchParams.set('until', String(Math.floor(Date.now() / 1000) - 5));
    expect(await open(ended.href)).toMatchObject({ status: 404 });
  });

  test('is refused when it was changed, and when all links of its file were ended', async () => {
    const file = await uploaded(world, ada, 'secret');
    const other = await uploaded(world, ada, 'other');
    const link = await share(file);
    const later = new URL(link);
    later.searchParams.set('until', String(Number(later.searchParams.get('until')) + 1));
    const elsewhere = link.replace(file.id, other.id);
    const nowhere = link.replace(file.id, NOWHERE);
    for (const wrong of [later.href, elsewhere, nowhere]) {
      expect(await open(wrong)).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } });
    }
    expect(await open(link)).toMatchObject({ status: 200, text: 'secret' });
    expect(await ada.rest(`DELETE /api/storage/${file.id}/share`)).toMatchObject({ status: 200 });
    expect(await open(link)).toMatchObject({ status: 404 });
    const inBrowser = await open(link, { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' });
    expect(inBrowser).toMatchObject({
      status: 404,
      text: expect.stringContaining('<p>This link has ended, or the file is gone.</p>'),
    });
    expect(inBrowser.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(inBrowser.headers.get('cache-control')).toBe('no-store');
    expect(await open(await share(file))).toMatchObject({ status: 200 });
  });

  test('ends with its file, also where that comes back from the trash', async () => {
    const file = await uploaded(world, ada, 'thrown away');
    const link = await share(file);
    await ada.rpc.storage.remove.mutate({ id: file.id });
    expect(await open(link)).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } });
    const [trashed] = await ada.rpc.storageTrash.list.query();
    const back = await ada.rpc.storageTrash.restore.mutate({ id: trashed?.id ?? '' });
    expect(back.id).toBe(file.id);
    expect(await open(link)).toMatchObject({ status: 404 });
    expect(await open(await share(back))).toMatchObject({ status: 200, text: 'thrown away' });
  });

  test('is made by its owner alone, for a minute to thirty days', async () => {
    const file = await uploaded(world, ada, 'mine');
    const route = `POST /api/storage/${file.id}/share`;
    expect(await bob.rest(route, { body: { seconds: 60 } })).toMatchObject({ status: 404 });
    expect(await world.anyone.rest(route, { body: { seconds: 60 } })).toMatchObject({ status: 401 });
    expect(await bob.rest(`DELETE /api/storage/${file.id}/share`)).toMatchObject({ status: 404 });
    const month = 30 * 24 * 3600;
    for (const [seconds, status] of [
      [59, 400],
      [60, 200],
      [month, 200],
      [month + 1, 400],
    ] as const) {
      expect(await ada.rest(route, { body: { seconds } })).toMatchObject({ status });
    }
  });
});

describe('several files at once', () => {
  test('are moved, deleted, brought back and deleted for good, and each says what came of it', async () => {
    const carol = await world.as('Hopper');
    const [one, two, three] = await Promise.all(
      ['one', 'two', 'three'].map((name) => uploaded(world, carol, name, { name, path: '/from/' })),
    );
    const taken = await uploaded(world, carol, 'other', { name: 'two', path: '/to/' });
    const theirs = await uploaded(world, bob, 'bob', { name: 'bob' });
    if (!one || !two || !three) throw new Error('there are three');
    const all = [one.id, two.id, three.id, theirs.id, NOWHERE, one.id];
    const missing = [theirs.id, NOWHERE].map((id) => ({ id, code: 'NOT_FOUND', message: 'Not found.' }));
    const moved = await carol.rest('POST /api/storage/move', {
      body: { ids: all, filePath: '/to/', ifExists: 'refuse' },
    });
    expect(moved).toMatchObject({
      status: 200,
      body: {
        done: [one.id, three.id],
        failed: [{ id: two.id, code: 'FILE_EXISTS', message: expect.stringContaining('two') }, ...missing],
      },
    });
    const kept = { ids: [two.id], filePath: '/to/', ifExists: 'rename' as const };
    expect(await carol.rpc.storage.moveMany.mutate(kept)).toEqual({ done: [two.id], failed: [] });
    const namesIn = async (folder: string) =>
      (await carol.rpc.storage.list.query({ folder, sort: 'name' })).map(({ fileName }) => fileName);
    expect(await namesIn('/to/')).toEqual(['one', 'three', 'two', 'two (2)']);

    const removed = await carol.rpc.storage.removeMany.mutate({ ids: [...all.slice(0, 5), taken.id] });
    expect(removed).toEqual({ done: [one.id, two.id, three.id, taken.id], failed: missing });
    const trash = await carol.rpc.storageTrash.list.query();
    const [first, second, ...others] = trash.map(({ id }) => id);
    if (!first || !second) throw new Error('there are two');
    const restored = await carol.rest('POST /api/storage/trash/restore', { body: { ids: [first, NOWHERE] } });
    expect(restored).toMatchObject({ status: 200, body: { done: [first], failed: [missing[1]] } });
    const erased = await carol.rpc.storageTrash.removeMany.mutate({ ids: [first, second, ...others] });
    expect(erased).toMatchObject({ done: [second, ...others], failed: [{ id: first, code: 'NOT_FOUND' }] });
    expect(await carol.rpc.storageTrash.list.query()).toEqual([]);
    expect(await bob.rpc.storage.list.query()).toContainEqual(expect.objectContaining({ id: theirs.id }));
  });

  test('are one to a hundred of one’s own', async () => {
    for (const [call, more] of [
      ['POST /api/storage/move', { filePath: '/to/' }],
      ['POST /api/storage/remove'],
      ['POST /api/storage/trash/restore'],
      ['POST /api/storage/trash/remove'],
    ] as const) {
      const ask = (ids: string[], person: Pick<Person, 'rest'> = ada) =>
        person.rest(call, { body: { ids, ...more } });
      expect(await ask([]), call).toMatchObject({ status: 400, body: { fields: [{ path: 'ids' }] } });
      expect(await ask(Array(101).fill(NOWHERE)), call).toMatchObject({ status: 400 });
      expect(await ask(Array(100).fill(NOWHERE)), call).toMatchObject({ status: 200 });
      expect(await ask([NOWHERE], world.anyone), call).toMatchObject({ status: 401 });
    }
    const body = { ids: [NOWHERE], filePath: 'to' };
    expect(await ada.rest('POST /api/storage/move', { body })).toMatchObject({ status: 400 });
  });
});
