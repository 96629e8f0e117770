import { randomUUID } from 'node:crypto';
import type { ManagedDatabase, Outputs } from '@nephos/contracts';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { addressOf, ask, makeDatabase, PATIENCE } from '../databases/database-fixtures.ts';
import { connectPostgres } from '../databases/postgres-session.ts';
import { createWorld, type Person, type World } from '../world.ts';

let world: World;
let ada: Person;
let bob: Person;
let database: ManagedDatabase;
let address: string;

beforeAll(async () => {
  world = await createWorld({ running: true });
  ada = await world.as('Ada');
  bob = await world.as('Bob');
  database = await makeDatabase(ada);
  address = await addressOf(ada, database);
  await ask(
    address,
    `create table "Odd ""name" (a int, b text, primary key (a, b));
     create table people (
       id bigint generated always as identity primary key,
       name text not null default 'nobody', born date, height numeric(5,2),
       loud text generated always as (upper(name)) stored, check (height > 0)
     );
     create index people_by_name on people (name);
     insert into people (name, born, height)
       select 'p' || n, case when n % 3 = 0 then null else date '2000-01-01' + n % 4 end, n
       from generate_series(1, 25) n;
     create table loose (n int);
     insert into loose select generate_series(1, 12);
     create view grown as select name from people;
     analyze people`,
  );
});
afterAll(() => world.close());

const of = (table: string, schema = 'public') => ({ id: database.id, schema, table });

function run(
  sql: string,
  more: Partial<Parameters<Person['rpc']['databaseContents']['run']['mutate']>[0]> = {},
) {
  return ada.rpc.databaseContents.run.mutate({ id: database.id, sql, ...more });
}

/** All pages of a table, as values of its first column. */
async function walk(input: Partial<Parameters<Person['rpc']['databaseContents']['rows']['query']>[0]>) {
  const seen: (string | null | undefined)[] = [];
  let cursor: string | null | undefined;
  do {
    const page: Outputs['databaseContents']['rows'] = await ada.rpc.databaseContents.rows.query({
      ...{ ...of('people'), limit: 4, ...input },
      ...(cursor && { cursor }),
    });
    seen.push(...page.rows.map(({ values }) => values[0]));
    cursor = page.next;
  } while (cursor);
  return seen;
}

describe('tables', () => {
  test('are listed with rows and size, and described, at both doors', async () => {
    const tables = await ada.rpc.databaseContents.tables.query({ id: database.id });
    expect(tables.map(({ name, kind, rows }) => [name, kind, rows])).toEqual([
      ['Odd "name', 'table', null],
      ['grown', 'view', null],
      ['loose', 'table', null],
      ['people', 'table', 25],
    ]);
    expect(tables[3]?.size).toBeGreaterThan(8192);
    expect((await ada.rest(`GET /api/databases/${database.id}/tables`)).body).toEqual(tables);

    const people = await ada.rpc.databaseContents.table.query(of('people'));
    expect(people.columns).toMatchObject([
      { name: 'id', type: 'bigint', nullable: false, generated: true, primary: true },
      { name: 'name', type: 'text', nullable: false, default: "'nobody'::text", primary: false },
      { name: 'born', type: 'date', nullable: true, default: null },
      { name: 'height', type: 'numeric(5,2)' },
      { name: 'loud', generated: true, default: null },
    ]);
    expect(people.indexes.map(({ name }) => name)).toEqual(['people_by_name', 'people_pkey']);
    expect(people.constraints.map(({ definition }) => definition)).toEqual([
      'CHECK ((height > (0)::numeric))',
      'PRIMARY KEY (id)',
    ]);
    const odd = encodeURIComponent('Odd "name');
    const answer = await ada.rest(`GET /api/databases/${database.id}/tables/public/${odd}`);
    expect(answer).toMatchObject({ status: 200, body: { columns: [{ name: 'a' }, { name: 'b' }] } });
    await expect(ada.rpc.databaseContents.table.query(of('pg_class', 'public'))).rejects.toThrow(
      'Not found.',
    );
  });

  test('are listed while somebody changes their structure', async () => {
    const busy = await connectPostgres(address);
    await busy.query('begin; lock table people in access exclusive mode');
    const tables = await ada.rpc.databaseContents.tables.query({ id: database.id });
    expect(tables.find(({ name }) => name === 'people')).toMatchObject({ size: 0 });
    await busy.end();
  });
});

describe('rows', () => {
  const all = Array.from({ length: 25 }, (_, n) => String(n + 1));

  test('come page by page, each once, in the order of the key, of a column with nulls, and without a key', async () => {
    expect(await walk({})).toEqual(all);
    expect(await walk({ order: 'desc' })).toEqual(all.toReversed());
    for (const order of ['asc', 'desc'] as const) {
      const expected = await ask(
        address,
        `select id::text from people order by born ${order} nulls last, people.id`,
      );
      expect(await walk({ sort: 'born', order })).toEqual(expected.flat());
    }
    expect(await walk({ ...of('loose'), limit: 5 })).toEqual(all.slice(0, 12));
    const view = await ada.rpc.databaseContents.rows.query({ ...of('grown'), limit: 5 });
    expect(view).toMatchObject({ columns: ['name'], next: null, more: true });
    expect(view.rows[0]).toEqual({ key: null, values: ['p1'], cut: [] });
  });

  test('are compared as their type is', async () => {
    expect(await walk({ column: 'height', operator: '>', value: '9' })).toEqual(all.slice(9));
    expect(await walk({ column: 'name', operator: 'contains', value: 'P2' })).toEqual([
      '2',
      '20',
      '21',
      '22',
      '23',
      '24',
      '25',
    ]);
    expect(await walk({ column: 'born', operator: 'is null' })).toHaveLength(8);
    const injected = "'; drop table people; --";
    expect(await walk({ column: 'name', value: injected })).toEqual([]);
    await ask(
      address,
      "create table short (id int primary key, code varchar(3)); insert into short values (1, 'abc')",
    );
    const longer = { ...of('short'), column: 'code', value: 'abcdef' };
    expect((await ada.rpc.databaseContents.rows.query(longer)).rows).toEqual([]);
    const wrong = await ada.rest(
      `GET /api/databases/${database.id}/tables/public/people/rows?column=height&value=tall`,
    );
    expect(wrong).toMatchObject({
      status: 422,
      body: { code: 'REFUSED_BY_SERVER', message: 'invalid input syntax for type numeric: "tall"' },
    });
    for (const query of ['sort=weight', 'column=weight', 'cursor=bm8', 'operator=like']) {
      const answer = await ada.rest(`GET /api/databases/${database.id}/tables/public/people/rows?${query}`);
      expect(answer, query).toMatchObject({ status: 400, body: { code: 'VALIDATION' } });
    }
  });

  test('are looked at without changing anything, whatever a view does', async () => {
    await ask(
      address,
      `create table touched (n int);
       create function touch() returns int language sql as 'insert into touched values (1) returning n';
       create view touching as select touch() as n`,
    );
    await expect(ada.rpc.databaseContents.rows.query(of('touching'))).rejects.toThrow(
      'read-only transaction',
    );
    expect(await ask(address, 'select count(*)::int from touched')).toEqual([[0]]);
  });

  test('show the beginning of long values, and say so', async () => {
    await ask(
      address,
      `create table long (id int primary key, t text); insert into long values (1, repeat('x', 2001)), (2, repeat('y', 2000))`,
    );
    const { rows } = await ada.rpc.databaseContents.rows.query(of('long'));
    expect(rows).toEqual([
      { key: ['1'], values: ['1', 'x'.repeat(2000)], cut: [1] },
      { key: ['2'], values: ['2', 'y'.repeat(2000)], cut: [] },
    ]);
  });

  test('are changed by the statement that is shown, unless somebody else was quicker', async () => {
    const statement = async (input: object) =>
      (await ada.rpc.databaseContents.changeStatement.mutate({ ...of('people'), ...input } as never)).sql;
    const edit = await statement({
      ...{ action: 'update', key: ['3'] },
      values: [
        { column: 'name', value: "O'Hara\\", from: 'p3' },
        { column: 'born', value: null },
      ],
    });
    expect(edit).toContain('update "public"."people"');
    expect(await run(edit)).toMatchObject({ error: { sqlState: '25006' } });
    expect(await run(edit, { write: true })).toMatchObject({ command: 'UPDATE 1', error: null });
    expect(await ask(address, 'select name, born from people where id = 3')).toEqual([["O'Hara\\", null]]);
    expect(await run(edit, { write: true })).toMatchObject({ command: 'UPDATE 0' });
    const added = await statement({ action: 'insert', values: [{ column: 'name', value: 'new' }] });
    expect(await run(added, { write: true })).toMatchObject({ command: 'INSERT 1' });
    const gone = await statement({ action: 'delete', key: ['26'] });
    expect(await run(gone, { write: true })).toMatchObject({ command: 'DELETE 1' });
    expect(await statement({ action: 'insert' })).toBe('insert into "public"."people" default values;');

    const refuse = (input: object) =>
      ada.rest(`POST /api/databases/${database.id}/tables/public/people/statement`, { body: input });
    expect(
      await refuse({ action: 'update', key: ['1'], values: [{ column: 'loud', value: 'A' }] }),
    ).toMatchObject({
      status: 400,
      body: {
        fields: [{ path: 'values.0.column', message: 'The database makes the values of loud itself.' }],
      },
    });
    expect(await refuse({ action: 'delete', key: ['1', '2'] })).toMatchObject({ status: 400 });
    const loose = await ada.rest(`POST /api/databases/${database.id}/tables/public/loose/statement`, {
      body: { action: 'delete', key: ['1'] },
    });
    expect(loose).toMatchObject({ status: 409, body: { code: 'NO_KEY' } });
  });
});

describe('a statement', () => {
  test('answers with columns, types and rows as text, and says when there were more', async () => {
    const answer = await ada.rest(`POST /api/databases/${database.id}/statements`, {
      body: { sql: "select 1.50::numeric(5,2) as price, null as n, '{1,2}'::int[] as list, 1 as n" },
    });
    expect(answer).toMatchObject({
      status: 200,
      body: {
        columns: [
          { name: 'price', type: 'numeric(5,2)' },
          { name: 'n', type: 'text' },
          { name: 'list', type: 'integer[]' },
          { name: 'n', type: 'integer' },
        ],
        rows: [['1.50', null, '{1,2}', '1']],
        ...{ more: false, command: 'SELECT 1', error: null },
      },
    });
    expect(await run('select generate_series(1, 100)', { limit: 3 })).toMatchObject({
      ...{ rows: [['1'], ['2'], ['3']], more: true },
    });
    await expect(run(' ')).rejects.toThrow('Enter a statement.');
  });

  test('changes nothing unless it may, however it tries', async () => {
    await ask(
      address,
      `create function sneak() returns text language plpgsql as $$
       begin
         perform set_config('transaction_read_only', 'off', true);
         insert into loose values (99); return 'in';
       end $$`,
    );
    for (const sql of [
      'insert into loose values (99)',
      'select sneak()',
      'commit; insert into loose values (99)',
      'with a as (insert into loose values (99) returning n) select * from a',
      'create table made (n int)',
    ]) {
      expect((await run(sql)).error, sql).not.toBeNull();
    }
    for (const sql of ['commit', 'rollback', 'set transaction read write', 'begin']) await run(sql);
    expect(await ask(address, 'select count(*)::int from loose where n = 99')).toEqual([[0]]);
    expect(await run('select sneak()', { write: true })).toMatchObject({ error: null, rows: [['in']] });
  });

  test('tells where it went wrong, in the words of the server', async () => {
    expect((await run('select  nothing from people')).error).toEqual({
      ...{ message: 'column "nothing" does not exist', detail: '', hint: '' },
      ...{ sqlState: '42703', position: 9 },
    });
    const explained = await ada.rpc.databaseContents.explain.mutate({
      id: database.id,
      sql: 'select nothing',
    });
    expect(explained.error).toMatchObject({ position: 8 });
  });

  test('is the database user’s, who reaches nothing else', async () => {
    expect((await run('select current_user = current_database() as own')).rows).toEqual([['t']]);
    expect((await run("select pg_read_file('/etc/passwd')")).error).toMatchObject({ sqlState: '42501' });
    expect((await run("copy people to program 'id'", { write: true })).error).toMatchObject({
      sqlState: '42501',
    });
  });

  test('is refused where three of a person run, and a look waits a moment before', async () => {
    const runs = [randomUUID(), randomUUID(), randomUUID()];
    const slow = runs.map((runId) => run('select pg_sleep(50)', { runId }));
    const running = "select count(*)::int from pg_stat_activity where query like 'select pg_sleep(50)%'";
    await expect.poll(() => ask(address, running), PATIENCE).toEqual([[3]]);
    const look = () => ada.rest(`GET /api/databases/${database.id}/tables`);
    expect(await look()).toMatchObject({
      status: 503,
      body: { message: 'Too many statements are running. Cancel one, or try again in a moment.' },
    });
    await expect(run('select 1')).rejects.toThrow('Too many statements are running');
    const looking = look();
    const { cancel } = ada.rpc.databaseContents;
    for (const runId of runs) await cancel.mutate({ id: database.id, runId });
    expect((await looking).status).toBe(200);
    await Promise.all(slow);
  });

  test('can be cancelled however many there are, and is given up once nobody waits for it', async () => {
    const runs = [randomUUID(), randomUUID(), randomUUID()];
    const slow = runs.map((runId) => run('select pg_sleep(30)', { runId }));
    const { cancel } = ada.rpc.databaseContents;
    for (const runId of runs) {
      expect(await cancel.mutate({ id: database.id, runId })).toEqual({ cancelled: true });
    }
    await Promise.all(slow);

    const left = new AbortController();
    const writing = ada.rpc.databaseContents.run.mutate(
      { id: database.id, sql: 'insert into loose select 8000 from pg_sleep(20)', write: true },
      { signal: left.signal },
    );
    const working = () =>
      ask(
        address,
        "select count(*)::int from pg_stat_activity where query like 'insert into loose select 8000%'",
      );
    await expect.poll(working, PATIENCE).toEqual([[1]]);
    left.abort();
    await expect(writing).rejects.toThrow();
    await expect.poll(working, PATIENCE).toEqual([[0]]);
    expect(await ask(address, 'select count(*)::int from loose where n = 8000')).toEqual([[0]]);
    const kept = () => ada.rpc.databaseContents.statements.query({ id: database.id });
    await expect
      .poll(async () => (await kept())[0]?.error, PATIENCE)
      .toContain('It may have been carried out all the same.');
  });

  test('ends at its limit in time, by a cancel, and where its answer is too large', async () => {
    expect((await run('select pg_sleep(30)', { seconds: 1 })).error).toMatchObject({ sqlState: '57014' });
    const runId = randomUUID();
    const slow = run('select pg_sleep(30)', { runId });
    const { cancel } = ada.rpc.databaseContents;
    expect(await cancel.mutate({ id: database.id, runId })).toEqual({ cancelled: true });
    expect((await slow).error).toMatchObject({ sqlState: '57014' });
    const wide = await run("select n, repeat('x', 100) from generate_series(1, 300000) n");
    expect(wide).toMatchObject({ more: true, error: null, command: 'SELECT 500' });
    expect(wide.rows).toHaveLength(500);
    const large = await run("select repeat('x', 1000000) from generate_series(1, 100)");
    expect(large.error?.message).toBe('The answer is larger than 16 MB. Ask for fewer rows or columns.');
    expect((await run("select repeat('x', 300000000)", { write: true })).error?.message).toContain('16 MB');
    await expect
      .poll(() =>
        ask(
          address,
          "select count(*)::int from pg_stat_activity where application_name like 'nephos%' and usename = current_user",
        ),
      )
      .toEqual([[0]]);
  });

  test('keeps no transaction of ours waiting', async () => {
    const asking = ada.rest(`POST /api/databases/${database.id}/statements/explain`, {
      body: { sql: 'select pg_sleep(1)', analyze: true },
      headers: { 'idempotency-key': 'explain' },
    });
    await expect
      .poll(
        () => ask(address, "select count(*)::int from pg_stat_activity where query like 'explain%'"),
        PATIENCE,
      )
      .toEqual([[1]]);
    const { rows } = await sql`
      select from pg_stat_activity
      where datname = current_database() and state = 'idle in transaction'`.execute(world.deps.db);
    expect(rows).toEqual([]);
    expect(await asking).toMatchObject({ status: 200, body: { error: null } });
  });

  test('is explained, and analyzed without changing anything', async () => {
    const { explain } = ada.rpc.databaseContents;
    const planned = await explain.mutate({ id: database.id, sql: 'select * from people where id = 1' });
    expect(JSON.parse(planned.plan)).toMatchObject([{ Plan: { 'Relation Name': 'people' } }]);
    const ran = await explain.mutate({ id: database.id, sql: 'select count(*) from people', analyze: true });
    expect(JSON.parse(ran.plan)).toMatchObject([
      { Plan: { 'Actual Rows': 1 }, 'Execution Time': expect.any(Number) },
    ]);
    const writing = { id: database.id, sql: 'delete from people', analyze: true };
    expect((await explain.mutate(writing)).error).toMatchObject({ sqlState: '25006' });
    expect(await ask(address, 'select count(*)::int from people')).toEqual([[25]]);
  });

  test('runs once for a key', async () => {
    const call = () =>
      ada.rest(`POST /api/databases/${database.id}/statements`, {
        body: { sql: 'insert into loose values (7000)', write: true },
        headers: { 'idempotency-key': 'run-once' },
      });
    expect(await call()).toMatchObject({ status: 200, body: { command: 'INSERT 1' } });
    expect(await call()).toMatchObject({ status: 409, body: { code: 'ALREADY_RUN' } });
    expect(await ask(address, 'select count(*)::int from loose where n = 7000')).toEqual([[1]]);
  });

  test('is on the list of who ran it, sealed, the last hundred of them', async () => {
    for (let n = 0; n < 101; n += 1) await run(`select ${n} as secret_word`);
    const kept = await ada.rpc.databaseContents.statements.query({ id: database.id });
    expect(kept).toHaveLength(100);
    expect(kept[0]).toMatchObject({
      sql: 'select 100 as secret_word',
      write: false,
      command: 'SELECT 1',
      error: '',
    });
    await run('select nothing');
    const [failed] = (await ada.rest(`GET /api/databases/${database.id}/statements`)).body as {
      error: string;
    }[];
    expect(failed?.error).toBe('column "nothing" does not exist');
    const stored = await world.deps.db
      .selectFrom('databaseStatements')
      .select(({ fn }) => [fn.countAll<number>().as('n')])
      .where(({ eb, cast }) =>
        eb(cast('sealedSql', 'text'), 'like', `%${Buffer.from('secret_word').toString('hex')}%`),
      )
      .executeTakeFirstOrThrow();
    expect(stored.n).toBe(0);
  });
});

test('nobody else reaches it, nor somebody signed out, nor databases of other types', async () => {
  const calls = [
    ['GET', 'tables'],
    ['GET', 'tables/public/people'],
    ['GET', 'tables/public/people/rows'],
    ['POST', 'tables/public/people/statement', { action: 'insert' }],
    ['POST', 'statements', { sql: 'select 1' }],
    ['POST', 'statements/explain', { sql: 'select 1' }],
    ['POST', `statements/${randomUUID()}/cancel`],
    ['GET', 'statements'],
  ] as const;
  const { id: other } = await world.deps.db
    .insertInto('managedDatabases')
    .values({
      ...{ ownerId: ada.user.id, name: 'other', type: 'mysql', region: 'us-east-1', storageSize: 10 },
      ...{ status: 'available', engineName: 'db_x', password: Buffer.from('x') },
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  for (const [method, path, body] of calls) {
    const call = (person: Pick<Person, 'rest'>, id = database.id) =>
      person.rest(`${method} /api/databases/${id}/${path}`, body ? { body } : {});
    expect(await call(bob), path).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } });
    expect(await call(world.anyone), path).toMatchObject({ status: 401 });
    expect(await call(ada, other), path).toMatchObject({ status: 409, body: { code: 'NOT_POSTGRESQL' } });
  }
});
