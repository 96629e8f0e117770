import { sql } from 'kysely';
import type pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createDb, createPool } from '../src/client.ts';
import { type Parameter, prepare } from '../src/prepared.ts';
import { createTestDatabase, type TestDatabase } from '../src/testing.ts';

let database: TestDatabase;
let pool: pg.Pool;
let db: ReturnType<typeof createDb>;

beforeAll(async () => {
  database = await createTestDatabase();
  pool = createPool({ url: database.url, max: 3 });
  db = createDb(pool);
  const people = ['ada', 'bob', 'eve'].map((handle) => ({
    handle,
    email: `${handle}@x.org`,
    role: 'member' as const,
  }));
  await db
    .insertInto('users')
    .values(
      people.map((person) => ({
        ...person,
        passwordHash: null,
        firstName: null,
        lastName: null,
        profileImageUrl: null,
        trialEndDate: null,
      })),
    )
    .execute();
});

afterAll(async () => {
  await db.destroy();
  await database.drop();
});

let builds = 0;
const membersBut = prepare((db, parameter: Parameter<{ handle: string; limit: number }>) => {
  builds += 1;
  return db
    .selectFrom('users')
    .select(['handle', 'createdAt'])
    .where('role', '=', 'member')
    .where('handle', '<>', parameter('handle'))
    .orderBy('handle')
    .limit(parameter('limit'))
    .compile();
});

test('a prepared query is built once and runs with the values of each call, on every connection', async () => {
  const calls = Array.from({ length: 30 }, (_, index) => ['ada', 'bob', 'eve'][index % 3] ?? '');
  const answers = await Promise.all(calls.map((handle) => membersBut(db, { handle, limit: 1 })));
  expect(answers.map(([first]) => first?.handle)).toEqual(
    calls.map((handle) => (handle === 'ada' ? 'bob' : 'ada')),
  );
  expect(answers[0]?.[0]?.createdAt).toMatch(/^\d{4}-\d\d-\d\dT.*Z$/);
  expect(builds).toBe(1);
});

test('its statement is kept by the connection', async () => {
  await db.connection().execute(async (connection) => {
    await membersBut(connection, { handle: 'ada', limit: 2 });
    const { rows } = await sql<{ count: number }>`
      select count(*)::int as count from pg_prepared_statements where statement like '%"handle" <> $%'`.execute(
      connection,
    );
    expect(rows).toEqual([{ count: 1 }]);
  });
});

test('queries of one text share a statement, and the next one has its own', async () => {
  const number = (text: string) => prepare((any) => sql<{ number: number }>`${sql.raw(text)}`.compile(any));
  const [one, again, two] = ['select 1 as number', 'select 1 as number', 'select 2 as number'].map(number);
  await db.connection().execute(async (connection) => {
    for (const [query, expected] of [
      [one, 1],
      [again, 1],
      [two, 2],
      [one, 1],
    ] as const) {
      expect(await query?.(connection, {})).toEqual([{ number: expected }]);
    }
  });
});

test('it runs inside the transaction that it is given', async () => {
  await db
    .transaction()
    .execute(async (trx) => {
      await trx.deleteFrom('users').where('handle', '=', 'ada').execute();
      expect(await membersBut(trx, { handle: 'eve', limit: 9 })).toMatchObject([{ handle: 'bob' }]);
      throw new Error('undo');
    })
    .catch(() => undefined);
  expect(await membersBut(db, { handle: 'eve', limit: 9 })).toHaveLength(2);
});
