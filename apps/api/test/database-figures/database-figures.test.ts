import type { CountedStatements, DatabaseFigures, ManagedDatabase, StatementSort } from '@nephos/contracts';
import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { storeSamples, sweepSamples } from '../../src/domains/database-figures/samples.ts';
import { createSampling } from '../../src/domains/database-figures/sampling.ts';
import { withoutValues } from '../../src/domains/database-figures/statements.ts';
import type { Counters } from '../../src/domains/databases/engines/postgres/observer.ts';
import { addressOf, ask, makeDatabase, PATIENCE } from '../databases/database-fixtures.ts';
import { type ManagedPostgres, startManagedPostgres } from '../databases/managed-postgres.ts';
import { connectPostgres } from '../databases/postgres-session.ts';
import { createScriptedEngine } from '../databases/scripted-database-engine.ts';
import { createWorld, type Person, type World } from '../world.ts';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const MB = 1024 ** 2;

/** A minute's thousandth: asleep as soon as somebody looks. */
const AT_ONCE = 0.001;

let server: ManagedPostgres;
let world: World;
let ada: Person;
let bob: Person;
let database: ManagedDatabase;
let address: string;
let name: string;
/** Keeps the database awake. */
let client: pg.Client;

beforeAll(async () => {
  server = await startManagedPostgres({}, { sleepAfter: AT_ONCE });
  const [mysql, mongodb] = [createScriptedEngine('mysql'), createScriptedEngine('mongodb')];
  const redis = createScriptedEngine('redis');
  const databaseEngines = { postgresql: server.engine, mysql, mongodb, redis };
  world = await createWorld({ running: true, overrides: { databaseEngines } });
  ada = await world.as('Ada');
  bob = await world.as('Bob');
  database = await makeDatabase(ada);
  address = await addressOf(ada, database);
  name = new URL(address).username;
  client = await connectPostgres(address);
});
afterAll(async () => {
  await client.end();
  await world.close();
  await server.close();
});

/** The start of the minute, so many minutes before the running one. */
function minute(ago: number): Date {
  return new Date(Math.floor(Date.now() / MINUTE) * MINUTE - ago * MINUTE);
}

function counters(changes: Partial<Counters> = {}): Counters {
  return {
    ...{ name, size: 8 * MB, connections: 1, commits: 100, rollbacks: 4, pagesHit: 900, pagesRead: 50 },
    ...changes,
  };
}

async function read(person: Person, search = ''): Promise<DatabaseFigures> {
  const { status, body } = await person.rest(`GET /api/databases/${database.id}/figures${search}`);
  expect(status).toBe(200);
  return body as DatabaseFigures;
}

describe('figures', () => {
  test('are what the counters grew by, without those of hours that nobody measured', async () => {
    const { db } = world.deps;
    await storeSamples(db, [counters(), counters({ name: 'db_gone' })], minute(9));
    const next = { connections: 3, commits: 130, rollbacks: 5, pagesHit: 990, pagesRead: 60 };
    await storeSamples(db, [counters({ ...next, size: 9 * MB })], minute(8));
    // Of another replica, which looked a little later.
    await storeSamples(db, [counters({ ...next, commits: 131 })], minute(8));
    await storeSamples(db, [counters({ commits: 7, rollbacks: 0, pagesHit: 10, pagesRead: 0 })], minute(3));
    const figures = await read(ada);
    expect(figures).toMatchObject({ range: '1h', step: 60 });
    expect(figures.points).toHaveLength(60);
    const at = (ago: number) => figures.points.find((point) => point.at === minute(ago).toISOString());
    const unknown = { commits: null, rollbacks: null, cacheHits: null };
    expect(at(9)).toMatchObject({ size: 8 * MB, connections: 1, ...unknown });
    expect(at(8)).toMatchObject({ size: 9 * MB, connections: 3, commits: 30, rollbacks: 1, cacheHits: 90 });
    expect(at(7)).toMatchObject({ size: null, connections: null, ...unknown });
    // Its server was killed meanwhile, and counts anew.
    expect(at(3)).toMatchObject({ connections: 1, commits: 7, rollbacks: 0, cacheHits: 100 });
    expect(await ada.rpc.databaseFigures.figures.query({ id: database.id })).toEqual(figures);

    const day = await read(ada, '?range=24h');
    const sum = (of: 'commits' | 'rollbacks') =>
      day.points.reduce((total, point) => total + (point[of] ?? 0), 0);
    expect([day.points.length, sum('commits'), sum('rollbacks')]).toEqual([144, 37, 1]);
    const before = await read(ada, `?until=${minute(8).toISOString()}`);
    expect(before.points.at(-1)).toMatchObject({ at: minute(9).toISOString(), size: 8 * MB });
    expect((await read(ada, `?until=${minute(3).toISOString()}`)).points.at(-5)).toMatchObject({
      commits: 30,
    });
  });

  test('are kept for 7 days', async () => {
    const { db } = world.deps;
    for (const days of [6.9, 7.1]) await storeSamples(db, [counters()], new Date(Date.now() - days * DAY));
    const count = async () =>
      (await read(ada, '?range=7d')).points.filter(({ size }) => size !== null).length;
    expect(await count()).toBeGreaterThan(1);
    await sweepSamples(db);
    const rows = await db.selectFrom('databaseMetrics').select('at').orderBy('at').execute();
    expect(Date.parse(rows[0]?.at ?? '')).toBeGreaterThan(Date.now() - 7 * DAY);
    expect(rows).toHaveLength(4);
  });

  test('are taken each minute of what runs', async () => {
    const { db, log } = world.deps;
    const { observer } = server.engine;
    if (!observer) throw new Error('there is no observer');
    await client.query('create table numbers as select n from generate_series(1, 5000) n');
    await db.deleteFrom('databaseMetrics').execute();
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'], now: Date.now() });
    const sampling = createSampling({ db, log, observer });
    sampling.start();
    vi.advanceTimersToNextTimer();
    vi.useRealTimers();
    await sampling.stop();
    const [row, ...others] = await db.selectFrom('databaseMetrics').selectAll().execute();
    expect(others).toEqual([]);
    expect(row).toMatchObject({ databaseId: database.id, connections: 1 });
    expect(row?.size).toBeGreaterThan(7 * MB);
    for (const figure of [row?.commits, row?.pagesHit]) expect(figure).toBeGreaterThan(0);
  });
});

describe('statements', () => {
  const list = (sort?: StatementSort) => ada.rpc.databaseFigures.statements.query({ id: database.id, sort });

  test('are counted without their values, sorted, and counted anew', async () => {
    for (const n of [1, 2, 3])
      await client.query(`select n, 'hush-${n}' as secret from numbers where n < ${n}`);
    await client.query("comment on table numbers is 'hush'");
    await client.query('select pg_sleep(0.05)');
    const found = await list();
    expect(found.state).toBe('asked');
    expect(Date.parse(found.since ?? '')).toBeGreaterThan(Date.now() - 5 * MINUTE);
    expect(JSON.stringify(found)).not.toMatch(/hush|pg_database|comment on/);
    const numbers = found.statements.find(({ text }) => text.includes('from numbers'));
    expect(numbers).toMatchObject({
      text: 'select n, $1 as secret from numbers where n < $2',
      calls: 3,
      rows: 3,
    });
    const slow = await list('longest');
    expect(slow.statements[0]).toMatchObject({ text: 'select pg_sleep($1)', calls: 1 });
    expect(slow.statements[0]?.longest).toBeGreaterThan(49);
    expect(slow.statements.reduce((sum, { share }) => sum + share, 0)).toBeCloseTo(1, 1);
    const { body } = await ada.rest(`GET /api/databases/${database.id}/statement-figures?sort=calls`);
    expect((body as CountedStatements).statements.map(({ calls }) => calls)).toEqual(
      (await list('calls')).statements.map(({ calls }) => calls),
    );
    expect(withoutValues("select $1, E'a\\'b', 'hush'")).toBe('select $1, E…');
    expect(withoutValues('select $$hush$$, $2')).toBe('select …');

    const other = await makeDatabase(bob);
    await ask(await addressOf(bob, other), 'select 1 as of_another');
    expect((await ada.rest(`DELETE /api/databases/${database.id}/statement-figures`)).status).toBe(200);
    await client.query('select 2 as after_it');
    expect((await list()).statements.map(({ text }) => text)).toEqual(['select $1 as after_it']);
  });

  test('outlast sleep, which no look ends', async () => {
    await client.end();
    await expect.poll(() => server.pidOf(name), PATIENCE).toBeUndefined();
    expect(await list()).toEqual({ state: 'asleep', since: null, statements: [] });
    expect(await server.pidOf(name)).toBeUndefined();
    await ada.rpc.databaseFigures.wake.mutate({ id: database.id });
    expect(await server.pidOf(name)).toBeDefined();
    client = await connectPostgres(address);
    expect((await list()).statements).toMatchObject([{ text: 'select $1 as after_it', calls: 1 }]);
  });
});

describe('sessions', () => {
  const list = async () => {
    const { state, sessions } = await ada.rpc.databaseFigures.sessions.query({ id: database.id });
    expect(state).toBe('asked');
    return sessions;
  };

  test('say who waits for whom, and are cancelled and ended', async () => {
    const waiter = await connectPostgres(`${address}?application_name=waiter`);
    await client.query("begin; update numbers set n = n where n = 1; select 'held' as what");
    const waiting = waiter
      .query('update numbers set n = n + 1')
      .catch((error: pg.DatabaseError) => error.code);
    await expect.poll(async () => (await list())[0]?.waitsSince ?? null, PATIENCE).not.toBeNull();
    const [first, second, ...others] = await list();
    expect(others).toEqual([]);
    expect(first).toMatchObject({
      ...{ application: 'waiter', user: name, state: 'active', statement: 'update numbers set n = n + 1' },
      waitsFor: [second?.id],
    });
    expect(second).toMatchObject({ state: 'idle in transaction', waitsFor: [], waitsSince: null });
    expect(second?.statement).toContain("'held'");
    const { body } = await ada.rest(`GET /api/databases/${database.id}/sessions`);
    expect(body).toMatchObject({ state: 'asked', sessions: [{ id: first?.id }, { id: second?.id }] });

    const path = `/api/databases/${database.id}/sessions`;
    const headers = { 'idempotency-key': 'cancel-once' };
    const cancel = () => ada.rest(`POST ${path}/${first?.id}/cancel`, { headers });
    expect(await cancel()).toMatchObject({ status: 200, body: { found: true } });
    expect(await waiting).toBe('57014');
    const again = waiter.query('select pg_sleep(0.2)');
    expect(await cancel()).toMatchObject({ status: 200, body: { found: true } });
    await again;

    // Another session's process may get the same number: it is not meant.
    const [pid] = second?.id.split('-') ?? [];
    expect(await ada.rest(`DELETE ${path}/${pid}-17`)).toMatchObject({ body: { found: false } });
    expect(await ada.rest(`DELETE ${path}/${pid}`)).toMatchObject({ status: 400 });
    const end = { id: database.id, session: second?.id ?? '' };
    expect(await ada.rpc.databaseFigures.endSession.mutate(end)).toEqual({ found: true });
    await expect.poll(async () => (await list()).length, PATIENCE).toBe(1);
    expect(await ada.rpc.databaseFigures.endSession.mutate(end)).toEqual({ found: false });
    await waiter.end();
    client = await connectPostgres(address);
    const records = world.deps.db.selectFrom('auditLog').where('procedure', 'like', 'databaseFigures.%');
    expect(await records.select('procedure').orderBy('id').execute()).toEqual([
      { procedure: 'databaseFigures.resetStatements' },
      { procedure: 'databaseFigures.cancelSession' },
      ...Array.from({ length: 3 }, () => ({ procedure: 'databaseFigures.endSession' })),
    ]);
  });

  test('of the administrator are neither listed nor ended', async () => {
    await server.engine.observer?.during(name, async (administrator) => {
      const url = new URL((administrator as pg.Pool).options.connectionString ?? '');
      url.pathname = `/${name}`;
      const own = await connectPostgres(url.href);
      const { rows } = await own.query<{ id: string }>(
        `select pid || '-' || (extract(epoch from backend_start) * 1000000)::bigint as id
         from pg_stat_activity where pid = pg_backend_pid()`,
      );
      const session = rows[0]?.id ?? '';
      expect((await list()).map(({ id }) => id)).not.toContain(session);
      const end = { id: database.id, session };
      expect(await ada.rpc.databaseFigures.endSession.mutate(end)).toEqual({ found: false });
      await own.query('select 1');
      await own.end();
    });
  });
});

test('a viewer sees what a database does; strangers find nothing, and other types have none', async () => {
  const member = { workspaceId: ada.user.id, userId: bob.user.id, role: 'viewer' } as const;
  const path = `/api/databases/${database.id}/figures`;
  const session = `/api/databases/${database.id}/sessions`;
  const sessionRows = [`GET ${session}`, `DELETE ${session}/1-1`, `POST ${session}/1-1/cancel`];
  const counted = `/api/databases/${database.id}/statement-figures`;
  const rows = [
    `GET ${path}`,
    `GET ${counted}`,
    `DELETE ${counted}`,
    `POST /api/databases/${database.id}/wake`,
    ...sessionRows,
  ];
  for (const row of rows) {
    expect([row, (await bob.rest(row)).status]).toEqual([row, 404]);
    expect([row, (await world.anyone.rest(row)).status]).toEqual([row, 401]);
  }
  await world.deps.db.insertInto('workspaceMembers').values(member).execute();
  const headers = { 'x-workspace': ada.user.id };
  for (const row of rows) {
    const { status } = await bob.rest(row, { headers });
    expect([row, status]).toEqual([row, row === `GET ${path}` || row === `GET ${counted}` ? 200 : 403]);
  }
  expect(await ada.rest(`GET ${path}?range=90d`)).toMatchObject({
    status: 400,
    body: { fields: [{ path: 'range', message: 'Range must be 1h, 24h or 7d.' }] },
  });
  await world.deps.db.updateTable('managedDatabases').set({ type: 'mysql' }).execute();
  expect(await ada.rest(`GET ${path}`)).toMatchObject({ status: 409, body: { code: 'NOT_POSTGRESQL' } });
  await world.deps.db.updateTable('managedDatabases').set({ type: 'postgresql' }).execute();
});
