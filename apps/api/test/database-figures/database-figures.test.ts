import type { DatabaseFigures, ManagedDatabase } from '@nephos/contracts';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { storeSamples, sweepSamples } from '../../src/domains/database-figures/samples.ts';
import { createSampling } from '../../src/domains/database-figures/sampling.ts';
import type { Counters } from '../../src/domains/databases/engines/postgres/observer.ts';
import { addressOf, makeDatabase } from '../databases/database-fixtures.ts';
import { connectPostgres } from '../databases/postgres-session.ts';
import { createWorld, type Person, type World } from '../world.ts';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const MB = 1024 ** 2;

let world: World;
let ada: Person;
let bob: Person;
let database: ManagedDatabase;
let address: string;
let name: string;

beforeAll(async () => {
  world = await createWorld({ running: true });
  ada = await world.as('Ada');
  bob = await world.as('Bob');
  database = await makeDatabase(ada);
  address = await addressOf(ada, database);
  name = new URL(address).username;
});
afterAll(() => world.close());

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
    const { db, log, domains } = world.deps;
    const { observer } = domains.databases.servers.postgresql;
    if (!observer) throw new Error('there is no observer');
    const client = await connectPostgres(address);
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
    await client.end();
  });
});

test('a viewer sees what a database does; strangers find nothing, and other types have none', async () => {
  const member = { workspaceId: ada.user.id, userId: bob.user.id, role: 'viewer' } as const;
  const path = `/api/databases/${database.id}/figures`;
  expect((await bob.rest(`GET ${path}`)).status).toBe(404);
  expect((await world.anyone.rest(`GET ${path}`)).status).toBe(401);
  await world.deps.db.insertInto('workspaceMembers').values(member).execute();
  const headers = { 'x-workspace': ada.user.id };
  expect((await bob.rest(`GET ${path}`, { headers })).status).toBe(200);
  expect(await ada.rest(`GET ${path}?range=90d`)).toMatchObject({
    status: 400,
    body: { fields: [{ path: 'range', message: 'Range must be 1h, 24h or 7d.' }] },
  });
  await world.deps.db.updateTable('managedDatabases').set({ type: 'mysql' }).execute();
  expect(await ada.rest(`GET ${path}`)).toMatchObject({ status: 409, body: { code: 'NOT_POSTGRESQL' } });
  await world.deps.db.updateTable('managedDatabases').set({ type: 'postgresql' }).execute();
});
