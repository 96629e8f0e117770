import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { addressOf, ask, makeDatabase, PATIENCE } from '../databases/database-fixtures.ts';
import { connectPostgres } from '../databases/postgres-session.ts';
import { createWorld, type Person, type World } from '../world.ts';

let world: World;
let ada: Person;
let id: string;
let owner: string;

beforeAll(async () => {
  world = await createWorld({ running: true });
  ada = await world.as('Ada');
  ({ id } = await makeDatabase(ada));
  owner = await addressOf(ada, { id });
});
afterAll(() => world.close());

async function store(dump: string | Buffer, fileName = 'dump.sql'): Promise<string> {
  const fileData = `data:application/octet-stream;base64,${Buffer.from(dump).toString('base64')}`;
  const { id: fileId } = await ada.rpc.storage.create.mutate({
    fileName,
    fileData,
    fileSize: Buffer.byteLength(dump),
  });
  return fileId;
}

/** What has become of an import. */
async function ended() {
  return vi.waitFor(async () => {
    const [last] = await ada.rpc.databaseImports.list.query({ id });
    expect(last?.status).not.toBe('running');
    expect((await ada.rpc.databases.get.query({ id })).work).toBeNull();
    return last;
  }, PATIENCE);
}

async function imported(dump: string | Buffer) {
  await ada.rpc.databaseImports.start.mutate({ id, fileId: await store(dump) });
  return ended();
}

const DUMP = `--
-- PostgreSQL database dump
--

\\restrict x

SET statement_timeout = 0;
SET transaction_timeout = 0;
SET of_another_server.no = 1;
SET nobodys_setting = 1;
SET client_encoding = 'UTF8';
SELECT pg_catalog.set_config('search_path', '', false);
CREATE FUNCTION public.twice(i integer) RETURNS integer LANGUAGE sql
    BEGIN ATOMIC
 SELECT (twice.i * 2);
END;
ALTER FUNCTION public.twice(i integer) OWNER TO "some ""body""";
CREATE TABLE public.notes (id integer NOT NULL, body text);
ALTER TABLE public.notes OWNER TO postgres;
COPY public.notes (id, body) FROM stdin;
1	it's; -- \\\\.
2	\\N
\\.
ALTER TABLE ONLY public.notes ADD CONSTRAINT notes_pkey PRIMARY KEY (id);
GRANT SELECT ON TABLE public.notes TO reporting;
GRANT SELECT ON TABLE public.notes TO PUBLIC;
ALTER DEFAULT PRIVILEGES FOR ROLE postgres IN SCHEMA public GRANT ALL ON TABLES TO reporting;
COMMENT ON EXTENSION plpgsql IS 'x';
BEGIN;
COMMIT;

\\unrestrict x
`;

test('runs a dump as the database’s own user, and tells what it left out', async () => {
  const fileId = await store(gzipSync(DUMP), 'notes.sql.gz');
  const started = await ada.rest(`POST /api/databases/${id}/imports`, { body: { fileId } });
  expect(started).toMatchObject({
    status: 201,
    body: { name: 'notes.sql.gz', status: 'running', endedAt: null },
  });
  const done = await ended();
  expect(done).toMatchObject({ status: 'done', error: '', statements: 10, size: gzipSync(DUMP).length });
  expect(done?.skipped).toEqual([
    '1 statement about settings that this version does not know were left out.',
    "2 statements about who owns what were left out: the database's own user owns all of it.",
    '2 statements about rights of users who are not here were left out.',
    '1 statement about what extensions are for were left out.',
    '2 statements about where transactions begin and end were left out: all was one.',
  ]);
  expect(await ask(owner, 'select id, body, public.twice(id) from notes order by id')).toEqual([
    [1, "it's; -- \\.", 2],
    [2, null, 4],
  ]);
  expect(
    await ask(owner, "select tableowner = current_user from pg_tables where tablename = 'notes'"),
  ).toEqual([[true]]);
  expect((await ada.rest(`GET /api/databases/${id}/imports`)).body).toEqual([done]);
});

test.each([
  [
    'COPY notes FROM stdin;\n7\tsecret\nx\tsecret\n\\.\n',
    'Line 5, COPY notes FROM stdin: invalid input syntax for type integer: "…".',
  ],
  [
    "INSERT INTO notes (id) VALUES ('secret');",
    'Line 3, INSERT INTO notes …: invalid input syntax for type integer: "…".',
  ],
  [
    "INSERT INTO notes VALUES (1, 'secret');",
    'Line 3, INSERT INTO notes …: duplicate key value violates unique constraint "notes_pkey".',
  ],
  ["select 'secret' from;", 'Line 3, select …: syntax error at or near "…".'],
  ['vacuum;', 'Line 3, vacuum: VACUUM cannot run inside a transaction block.'],
  [
    'create extension file_fdw;',
    'Line 3, create extension file_fdw: permission denied to create extension "file_fdw". Add it under Extensions first.',
  ],
  ['rollback;', 'Line 3 ends the transaction in which a dump is imported. Take it out.'],
  [
    "set client_encoding = 'LATIN1';",
    'Line 3 says that the dump is in LATIN1. Make it with pg_dump --encoding=UTF8.',
  ],
  ["do $$begin raise exception 'secret'; end$$;", 'Line 3, do …: a function or trigger refused it.'],
  ["select repeat('x', 20000000);", 'A statement of the dump answers with more than 16 MB.'],
  ['\\! id', 'Line 3 has \\!, a command of psql. Only SQL is run here: make the dump with pg_dump.'],
  ["select 'a", 'The dump ends within the statement that begins in line 3. It was cut off.'],
])('leaves nothing of a dump that fails, and tells the line without values: %s', async (bad, error) => {
  expect(await imported(`create table half (id int);\ninsert into half values (1);\n${bad}`)).toMatchObject({
    status: 'failed',
    error,
    skipped: [],
  });
  expect(await ask(owner, "select to_regclass('half') is null, count(*)::int from notes")).toEqual([
    [true, 2],
  ]);
});

test('says what it cannot read, and fetches nothing of a private network', async () => {
  const cut = gzipSync('select 1;'.repeat(10)).subarray(0, -9);
  expect(await imported(cut)).toMatchObject({
    error: 'The dump was cut off or damaged: gzip cannot unpack it.',
  });
  expect(await imported(Buffer.from('PK\x03\x04aaaaaaaa'))).toMatchObject({
    error: 'The dump is a ZIP archive. Make it as plain SQL or in the custom format.',
  });
  const gone = await store('select 1;');
  for (const [url, error] of [
    ['https://127.0.0.1/secret?token=x', '127.0.0.1 is not a public https address.'],
    ['https://[::1]:5432/', '[::1]:5432 is not a public https address.'],
  ] as const) {
    await ada.rpc.databaseImports.start.mutate({ id, url });
    expect(await ended()).toMatchObject({ status: 'failed', error, name: new URL(url).host });
  }
  await ada.rpc.storage.remove.mutate({ id: gone });
  const start = (body: object, who = ada, of = id) => who.rest(`POST /api/databases/${of}/imports`, { body });
  expect(await start({ fileId: gone })).toMatchObject({ status: 400 });
  expect(await start({})).toMatchObject({ status: 400 });
  expect(await start({ fileId: gone, url: 'https://example.com/' })).toMatchObject({ status: 400 });
  expect(await start({ url: 'http://example.com/' })).toMatchObject({ status: 400 });
  const bob = await world.as('Bob');
  expect(await start({ url: 'https://example.com/' }, bob)).toMatchObject({ status: 404 });
  expect(await bob.rest(`GET /api/databases/${id}/imports`)).toMatchObject({ status: 404 });
});

const WAITING = "select application_name from pg_stat_activity where wait_event_type = 'Lock'";

test('is cancelled in the midst of a statement, and keeps others out meanwhile', async () => {
  const other = await connectPostgres(owner);
  try {
    await other.query('begin; lock table notes');
    const fileId = await store('create table half (id int);\ninsert into notes values (3);');
    await ada.rpc.databaseImports.start.mutate({ id, fileId });
    expect(await ada.rest(`POST /api/databases/${id}/imports`, { body: { fileId } })).toMatchObject({
      status: 409,
      body: { code: 'BUSY' },
    });
    await vi.waitFor(async () => {
      expect(await ask(owner, WAITING)).toEqual([['nephos import']]);
    }, PATIENCE);
    await ada.rpc.databases.cancelWork.mutate({ id });
    expect(await ended()).toMatchObject({ status: 'cancelled', error: '' });
  } finally {
    await other.end();
  }
  expect(await ask(owner, "select to_regclass('half') is null, count(*)::int from notes")).toEqual([
    [true, 2],
  ]);
});

test('does not run again what was committed before a stop', async () => {
  const done = await imported('create table once (id int);');
  expect(done).toMatchObject({ status: 'done' });
  const { db, domains } = world.deps;
  const row = db.updateTable('databaseImports').where('id', '=', done?.id ?? '');
  await row.set({ status: 'running', endedAt: null }).execute();
  await db.updateTable('managedDatabases').set({ work: 'importing' }).where('id', '=', id).execute();
  await domains.databaseImports.sweeps?.databaseImports?.();
  const again = await ended();
  expect({ ...again, endedAt: null }).toEqual({ ...done, endedAt: null });
});
