import { readdir, readlink } from 'node:fs/promises';
import { request } from 'node:http';
import { unzipSync } from 'fflate';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createWorld, type Person, type World } from '../world.ts';
import { documented, upload, uploaded } from './storage-world.ts';

const TEXT = 'abcdefghij';
const ETAG = '"72399361da6a7754fec986dca5b7cbaf1c810a28ded4abaf56b2106d06cb78b0-1"';

let world: World;
let ada: Person;
let path: string;

beforeAll(async () => {
  world = await createWorld({ running: true });
  ada = await world.as('Ada');
  path = `/api/storage/${(await uploaded(world, ada, TEXT)).id}/download`;
});

afterAll(() => world.close());

function get(headers: Record<string, string> = {}, method = 'GET') {
  return ada.rest(`${method} ${path}`, { headers });
}

async function fileOf(type: string, name = 'file'): Promise<string> {
  const { id } = await uploaded(world, ada, TEXT, { type, name });
  return `/api/storage/${id}/download`;
}

/** Objects of the store that this process has open. */
async function openObjects(): Promise<string[]> {
  const objects = `${world.deps.settings.dataDir}/objects/`;
  const links = (await readdir('/proc/self/fd')).map((fd) => readlink(`/proc/self/fd/${fd}`).catch(() => ''));
  return (await Promise.all(links)).filter((target) => target.startsWith(objects));
}

describe('ranges', () => {
  test.each([
    ['bytes=0-0', 'a', '0-0'],
    ['bytes=0-9', TEXT, '0-9'],
    ['bytes=2-4', 'cde', '2-4'],
    ['bytes=9-9', 'j', '9-9'],
    ['bytes=5-', 'fghij', '5-9'],
    ['bytes=-3', 'hij', '7-9'],
    ['bytes=-100', TEXT, '0-9'],
    ['bytes=8-100', 'ij', '8-9'],
    ['bytes=0-999999999999999', TEXT, '0-9'],
    ['Bytes=1-1', 'b', '1-1'],
  ])('%s is 206 with its part', async (range, text, part) => {
    const answer = await get({ range });
    expect(answer).toMatchObject({ status: 206, text });
    expect(answer.headers.get('content-range')).toBe(`bytes ${part}/10`);
    expect(answer.headers.get('content-length')).toBe(String(text.length));
    expect(answer.headers.get('etag')).toBe(ETAG);
  });

  test.each(['bytes=10-', 'bytes=10-20', 'bytes=-0', 'bytes=5-4'])('%s is 416', async (range) => {
    const answer = await get({ range });
    expect(answer).toMatchObject({ status: 416, body: { code: 'RANGE_NOT_SATISFIABLE' } });
    expect(answer.headers.get('content-range')).toBe('bytes */10');
    expect(answer.headers.get('content-disposition')).toBeNull();
  });

  test.each([
    'bytes=0-1,3-4',
    'bytes=',
    'bytes=-',
    'bytes=a-b',
    'items=0-1',
    'bytes 0-1',
    '0-1',
    'bytes=1--2',
  ])('%j is ignored', async (range) => {
    const answer = await get({ range });
    expect(answer).toMatchObject({ status: 200, text: TEXT });
    expect(answer.headers.get('content-range')).toBeNull();
  });

  test.each([
    [ETAG, 206],
    ['"other"', 200],
    [`W/${ETAG}`, 200],
    ['Wed, 21 Oct 2015 07:28:00 GMT', 200],
  ])('with If-Range %s answer %i', async (tag, status) => {
    expect((await get({ range: 'bytes=0-0', 'if-range': tag })).status).toBe(status);
  });

  test('of an empty file there are none', async () => {
    const { id } = await uploaded(world, ada, '');
    const answer = await ada.rest(`GET /api/storage/${id}/download`, { headers: { range: 'bytes=0-' } });
    expect(answer.status).toBe(416);
  });
});

describe('the tag', () => {
  const seconds = (text: string | null, more: number) =>
    new Date(Date.parse(text ?? '') + more * 1000).toUTCString();

  test('are judged in their order', async () => {
    const dated = (await get()).headers.get('last-modified');
    const [before, same] = [seconds(dated, -1), seconds(dated, 0)];
    expect(same).toBe(dated);
    const cases: [Record<string, string>, number][] = [
      [{ 'if-match': ETAG }, 200],
      [{ 'if-match': '*' }, 200],
      [{ 'if-match': `"x", ${ETAG}` }, 200],
      [{ 'if-match': '"other"' }, 412],
      [{ 'if-match': `W/${ETAG}` }, 412],
      [{ 'if-match': '"other"', 'if-none-match': ETAG }, 412],
      [{ 'if-match': ETAG, 'if-none-match': ETAG }, 304],
      [{ 'if-match': ETAG, 'if-unmodified-since': before }, 200],
      [{ 'if-unmodified-since': before }, 412],
      [{ 'if-unmodified-since': same }, 200],
      [{ 'if-unmodified-since': 'yesterday' }, 200],
      [{ 'if-modified-since': same }, 304],
      [{ 'if-modified-since': before }, 200],
      [{ 'if-modified-since': same, 'if-none-match': '"other"' }, 200],
      [{ range: 'bytes=0-0', 'if-range': same }, 206],
      [{ range: 'bytes=0-0', 'if-range': before }, 200],
      [{ range: 'bytes=0-0', 'if-match': '"other"' }, 412],
    ];
    for (const [headers, status] of cases) {
      expect((await get(headers)).status, JSON.stringify(headers)).toBe(status);
    }
    expect(await get({ 'if-match': '"other"' })).toMatchObject({ body: { code: 'PRECONDITION_FAILED' } });
  });

  test.each([ETAG, `W/${ETAG}`, '*', `"x", ${ETAG}`, `"x",${ETAG}`])('%s is 304', async (tag) => {
    const answer = await get({ 'if-none-match': tag });
    expect(answer).toMatchObject({ status: 304, text: '' });
    expect(answer.headers.get('etag')).toBe(ETAG);
    expect(answer.headers.get('cache-control')).toBe('private, no-cache');
    expect((await get({ 'if-none-match': tag }, 'HEAD')).status).toBe(304);
    expect((await get({ 'if-none-match': tag, range: 'bytes=0-0' })).status).toBe(304);
  });

  test('of other bytes is not', async () => {
    expect((await get({ 'if-none-match': '"other"' })).status).toBe(200);
  });
});

describe('HEAD', () => {
  test('says all that GET says, without the bytes', async () => {
    const [head, whole] = [await get({ range: 'bytes=0-1' }, 'HEAD'), await get()];
    expect(head).toMatchObject({ status: 200, text: '' });
    const same = ['etag', 'content-type', 'content-disposition', 'accept-ranges', 'content-security-policy'];
    for (const name of same) expect(head.headers.get(name), name).toBe(whole.headers.get(name));
    expect(head.headers.get('content-length')).toBe('10');
    expect(whole.headers.get('content-length')).toBe('10');
  });

  test('works at the public address', async () => {
    const { id, publicUrl } = await uploaded(world, ada, TEXT, { isPublic: true });
    const answer = await world.anyone.rest(`HEAD ${new URL(publicUrl ?? '').pathname}`);
    // Other sites may show it, as they may nothing else of the console.
    expect(answer.headers.get('cross-origin-resource-policy')).toBe('cross-origin');
    const own = await ada.rest(`HEAD /api/storage/${id}/download`);
    expect(own.headers.get('cross-origin-resource-policy')).not.toBe('cross-origin');
    expect(answer).toMatchObject({ status: 200, text: '' });
    expect(answer.headers.get('content-length')).toBe('10');
    expect(answer.headers.get('cache-control')).toBe('public, no-cache');
  });
});

describe('a browser', () => {
  test('is told to run nothing and to guess nothing', async () => {
    const { headers } = await get();
    expect(headers.get('content-security-policy')).toBe('sandbox');
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('content-disposition')).toBe('attachment; filename="notes.txt"');
    expect(headers.get('accept-ranges')).toBe('bytes');
  });

  test.each([
    ['image/png', 'image/png'],
    ['application/pdf', 'application/pdf'],
    ['text/plain', 'text/plain; charset=utf-8'],
    ['text/plain; charset=ISO-8859-1', 'text/plain; charset=iso-8859-1'],
    ['text/plain; format=flowed; charset="koi8-r"', 'text/plain; charset=koi8-r'],
    ['text/plain; charset="a b"', 'text/plain; charset=utf-8'],
    ['text/csv', 'text/csv'],
    ['text/csv;charset=windows-1252', 'text/csv; charset=windows-1252'],
    ['image/png; charset=utf-8', 'image/png'],
    ['text/html; charset=utf-7', 'application/octet-stream'],
    ['text/html', 'application/octet-stream'],
    ['image/svg+xml', 'application/octet-stream'],
    ['text/xml', 'application/octet-stream'],
    ['application/xhtml+xml', 'application/octet-stream'],
    ['application/javascript', 'application/octet-stream'],
    ['multipart/x-mixed-replace', 'application/octet-stream'],
    ['x-thing/unheard-of', 'application/octet-stream'],
  ])('gets %s as %s', async (type, served) => {
    expect((await ada.rest(`GET ${await fileOf(type)}`)).headers.get('content-type')).toBe(served);
  });

  test.each([
    ['image/avif', 'inline'],
    ['image/bmp', 'inline'],
    ['image/gif', 'inline'],
    ['image/jpeg', 'inline'],
    ['image/png', 'inline'],
    ['image/webp', 'inline'],
    ['text/plain', 'inline'],
    ['video/mp4', 'inline'],
    ['audio/mpeg', 'inline'],
    ['image/svg+xml', 'attachment'],
    ['text/html', 'attachment'],
    ['application/pdf', 'attachment'],
    ['application/octet-stream', 'attachment'],
  ])('previews %s: %s', async (type, kind) => {
    const at = await fileOf(type);
    const disposition = async (query: string) =>
      (await ada.rest(`GET ${at}${query}`)).headers.get('content-disposition');
    expect(await disposition('?inline=1')).toBe(`${kind}; filename="file"`);
    for (const query of ['', '?inline=0', '?inline=true']) {
      expect(await disposition(query)).toBe('attachment; filename="file"');
    }
  });

  test.each([
    ['a b.txt', `filename="a b.txt"`],
    ['it"s.txt', `filename="it_s.txt"; filename*=UTF-8''it%22s.txt`],
    ['50%.txt', `filename="50_.txt"; filename*=UTF-8''50%25.txt`],
    ["l'été (1)*.txt", `filename="l'_t_ (1)*.txt"; filename*=UTF-8''l%27%C3%A9t%C3%A9%20%281%29%2A.txt`],
    ['文件🎉.txt', `filename="___.txt"; filename*=UTF-8''%E6%96%87%E4%BB%B6%F0%9F%8E%89.txt`],
    ['a;b=c.txt', `filename="a;b=c.txt"`],
  ])('saves %s under its name', async (name, spelled) => {
    const { headers } = await ada.rest(`GET ${await fileOf('text/plain', name)}`);
    expect(headers.get('content-disposition')).toBe(`attachment; ${spelled}`);
  });
});

test.each([
  ['a download', (id: string) => `/api/storage/${id}/download`],
  ['an archive', (id: string) => `/api/storage/archive?ids=${id}`],
])('%s that is given up does not hold the file', async (_what, pathOf) => {
  const { id } = await uploaded(world, ada, Buffer.alloc(10_000_000));
  const { hostname, port } = new URL(world.url);
  await new Promise<void>((resolve, reject) => {
    const call = request({
      hostname,
      port,
      path: pathOf(id),
      headers: { cookie: ada.cookie },
    });
    call.once('response', (response) => {
      response.once('data', () => response.destroy());
      response.once('close', resolve);
      response.once('error', () => {});
    });
    call.once('error', reject).end();
  });
  await expect.poll(openObjects).toEqual([]);
});

describe('an archive', () => {
  async function archive(query: string, cookie = ada.cookie) {
    const answer = await fetch(`${world.url}/api/storage/archive?${query}`, { headers: { cookie } });
    const bytes = new Uint8Array(await answer.arrayBuffer());
    return { status: answer.status, headers: answer.headers, bytes };
  }

  async function filesIn(query: string): Promise<Record<string, string>> {
    const { status, bytes } = await archive(query);
    expect(status).toBe(200);
    const files = Object.entries(unzipSync(bytes)).map(([name, text]) => [
      name,
      Buffer.from(text).toString(),
    ]);
    return Object.fromEntries(files);
  }

  /** Files by their paths, whose bytes are those. */
  async function stored(...paths: string[]): Promise<string[]> {
    const ids: string[] = [];
    for (const text of paths) {
      const at = text.lastIndexOf('/') + 1;
      ids.push((await uploaded(world, ada, text, { path: text.slice(0, at), name: text.slice(at) })).id);
    }
    return ids;
  }

  const idsOf = (ids: readonly string[]) => ids.map((id) => `ids=${id}`).join('&');

  test('has a folder with all that is below it', async () => {
    await stored('/trip/ü.txt', '/trip/day 1/a.txt', '/trip/day 1/a.txt', '/trip-2/other.txt');
    // What some systems, or none, could have beside the others.
    await stored('/trip/day 1/A (2).txt', '/trip/Day 1');
    expect(await filesIn('folder=/trip/')).toEqual({
      'ü.txt': '/trip/ü.txt',
      'day 1/a.txt': '/trip/day 1/a.txt',
      'day 1/A (2).txt': '/trip/day 1/A (2).txt',
      'day 1/a (3).txt': '/trip/day 1/a.txt',
      'Day 1 (2)': '/trip/Day 1',
    });
    const { headers, bytes } = await archive('folder=/trip/');
    expect(headers.get('content-type')).toBe('application/zip');
    expect(headers.get('content-disposition')).toBe('attachment; filename="trip.zip"');
    expect(headers.get('content-length')).toBe(String(bytes.length));
  });

  test('has the files that are named, from where they are all below', async () => {
    const ids = await stored('/pick/a.txt', '/pick/in/b.txt');
    await stored('/pick/c.txt');
    const both = { 'a.txt': '/pick/a.txt', 'in/b.txt': '/pick/in/b.txt' };
    expect(await filesIn(idsOf([...ids, ...ids]))).toEqual(both);
    expect(await filesIn(idsOf(ids.slice(1)))).toEqual({ 'b.txt': '/pick/in/b.txt' });
  });

  test('has nothing outside of it, whatever keys say', async () => {
    const { id } = await ada.rpc.buckets.create.mutate({ name: 'archived' });
    const [file = ''] = await stored('/evil/x.txt');
    const change = { bucketId: id, filePath: '/../..//etc/', fileName: 'a\\b\n' };
    await world.deps.db.updateTable('storedFiles').set(change).where('id', '=', file).execute();
    expect(await filesIn(`bucketId=${id}&folder=/`)).toEqual({ '__/__/etc/a_b_': '/evil/x.txt' });
    const drive = { filePath: '/C:/', fileName: 'nul.txt' };
    await world.deps.db.updateTable('storedFiles').set(drive).where('id', '=', file).execute();
    expect(await filesIn(`bucketId=${id}&folder=/`)).toEqual({ 'C_/_nul.txt': '/evil/x.txt' });
  });

  test('leaves out what is not there, or is only said to be a folder', async () => {
    const bob = await world.as('Bob');
    const theirs = (await uploaded(world, bob, 'x', { path: '/theirs/' })).id;
    const [id = '', folder = ''] = await stored('/mine/a.txt', '/mine/b.txt');
    await world.deps.db
      .updateTable('storedFiles')
      .set({ fileName: '', fileSize: 0 })
      .where('id', '=', folder)
      .execute();
    expect(await filesIn(idsOf([id, theirs, folder]))).toEqual({ 'a.txt': '/mine/a.txt' });
    expect(await archive(idsOf([theirs]))).toMatchObject({ status: 404 });
  });

  test('is refused without files, and of too many', async () => {
    const [id = ''] = await stored('/mine/a.txt');
    const eve = await world.as('Eve');
    expect(await archive('folder=/none/')).toMatchObject({ status: 404 });
    expect(await archive('folder=/mine/', eve.cookie)).toMatchObject({ status: 404 });
    expect(await archive('folder=/mine/', '')).toMatchObject({ status: 401 });
    for (const query of ['', 'ids=x', `folder=/mine/&ids=${id}`, idsOf(Array(101).fill(id))]) {
      expect(await archive(query)).toMatchObject({ status: 400 });
    }
    const { db } = world.deps;
    const { ownerId, bucketId } = await db
      .selectFrom('storedFiles')
      .select(['ownerId', 'bucketId'])
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    await sql`
      insert into stored_files (owner_id, bucket_id, file_path, file_name, file_size, mime_type, is_public, object_key, etag, key)
      select ${ownerId}, ${bucketId}, '/thousands/', n || '.txt', 0, 'text/plain', false, 'files/none-' || n, '',
        'thousands/' || n || '.txt'
      from generate_series(0, 10000) n`.execute(db);
    const { body } = await ada.rest('GET /api/storage/archive?folder=/thousands/');
    expect(body).toMatchObject({ code: 'LIMIT', message: expect.stringContaining('10,000 files') });
  });

  test('breaks off where a file goes while it is read, and closes what it has open', async () => {
    const [first = '', second = ''] = await stored('/cut/a.txt', '/cut/b.txt');
    await world.deps.db
      .updateTable('storedFiles')
      .set({ objectKey: 'files/gone' })
      .where('id', '=', second)
      .execute();
    await expect(archive(idsOf([first, second]))).rejects.toThrow();
    await expect.poll(openObjects).toEqual([]);
  });
});

test('downloads are counted: those of one IPv6 network together, at both addresses', async () => {
  const limited = await createWorld({ settings: { rateLimits: true, trustProxy: '127.0.0.1' } });
  const id = '00000000-0000-7000-8000-000000000000';
  const download = (ip: string, host: number) =>
    limited.anyone.rest(host % 2 ? `GET /files/${id}/x` : `GET /api/storage/${id}/download`, {
      headers: { 'x-forwarded-for': ip },
    });
  try {
    const statuses: number[] = [];
    // Few at a time: all at once would wait for the one row that counts them longer than a request may.
    while (statuses.length < 301) {
      const hosts = Array.from({ length: 7 }, (_, index) => statuses.length + index);
      const calls = hosts.map((host) => download(`2001:db8::${host.toString(16)}`, host));
      statuses.push(...(await Promise.all(calls)).map(({ status }) => status));
    }
    expect(statuses).toHaveLength(301);
    expect(statuses.filter((status) => status === 429)).toHaveLength(1);
    expect((await download('2001:db8:0:1::1', 1)).status).toBe(404);
  } finally {
    await limited.close();
  }
});

test('uploads are counted, at both addresses', async () => {
  const limited = await createWorld({ settings: { rateLimits: true } });
  try {
    const bob = await limited.as('Bob');
    const doors = [
      () => bob.rest('POST /api/storage', { body: documented('x') }),
      () => upload(limited, bob, 'x'),
    ];
    for (const send of doors) {
      const answers = await Promise.all(Array.from({ length: 31 }, send));
      expect(answers.filter(({ status }) => status === 201)).toHaveLength(30);
      expect(answers.filter(({ status }) => status === 429)).toHaveLength(1);
    }
  } finally {
    await limited.close();
  }
});
