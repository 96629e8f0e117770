import { randomUUID } from 'node:crypto';
import { USAGE_TYPES } from '@nephos/contracts';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createWorld, type Person, type World } from '../world.ts';
import { tellTime } from './metering-world.ts';

let world: World;
let ada: Person;
let bob: Person;

beforeAll(async () => {
  world = await createWorld();
  ada = await world.as('Ada');
  bob = await world.as('Bob');
  const at = await tellTime(world.deps.db, '2026-03-15T12:00:00.000Z');
  await at(0);
});

afterAll(() => world.close());

async function record(
  person: Person,
  hour: string,
  cost: number,
  resourceType: 'database' | 'egress' = 'database',
) {
  await world.deps.db
    .insertInto('usageRecords')
    .values({ userId: person.user.id, resourceType, resourceId: randomUUID(), hour, amount: 1, cost })
    .execute();
}

test('without a history there are none, and the figures are zero', async () => {
  const carol = await world.as('Carol');
  expect(await carol.rpc.billing.usage.query()).toEqual([]);
  const summary = await carol.rpc.billing.summary.query();
  expect(summary).toMatchObject({
    hasHistory: false,
    percentChange: null,
    totalSpend: 0,
    activeResources: 0,
    paymentMethod: null,
  });
  expect(summary.months).toEqual(
    ['2025-10', '2025-11', '2025-12', '2026-01', '2026-02', '2026-03'].map((month) => ({ month, cost: 0 })),
  );
  expect(summary.days).toHaveLength(30);
  expect(summary.days[0]).toEqual({
    day: '2026-02-14',
    costs: Object.fromEntries(USAGE_TYPES.map((type) => [type, 0])),
  });
  expect(summary.days[29]?.day).toBe('2026-03-15');
});

describe('with a history', () => {
  beforeAll(async () => {
    // Before the six months, at their edges in UTC, and now.
    await record(ada, '2025-09-30T23:00:00.000Z', 1000);
    await record(ada, '2025-10-01T00:00:00.000Z', 1);
    await record(ada, '2026-02-28T23:00:00.000Z', 10);
    await record(ada, '2026-02-13T23:00:00.000Z', 30);
    await record(ada, '2026-03-01T00:00:00.000Z', 4.5);
    await record(ada, '2026-03-15T10:00:00.000Z', 0.25, 'egress');
    await record(ada, '2026-03-15T11:00:00.000Z', 0.25, 'egress');
    await record(bob, '2026-03-15T11:00:00.000Z', 7777);
  });

  test('months, days and change are of calendar months in UTC, in cents', async () => {
    const summary = await ada.rpc.billing.summary.query();
    expect((await ada.rest('GET /api/billing/summary')).body).toEqual(summary);
    expect(summary.hasHistory).toBe(true);
    expect(summary.months.map(({ cost }) => cost)).toEqual([1, 0, 0, 0, 40, 5]);
    expect(summary.totalSpend).toBe(46);
    expect(summary.percentChange).toBe(-87.5);
    const costly = summary.days.filter(({ costs }) => Object.values(costs).some((cost) => cost > 0));
    expect(costly.map(({ day, costs: { database, egress } }) => [day, database, egress])).toEqual([
      ['2026-02-28', 10, 0],
      ['2026-03-01', 4.5, 0],
      ['2026-03-15', 0, 0.5],
    ]);
    expect((await bob.rpc.billing.summary.query()).percentChange).toBeNull();
  });

  test('records are listed newest first, by pages, and nobody sees those of others', async () => {
    const all = await ada.rpc.billing.usage.query();
    expect(all).toHaveLength(7);
    expect(all.every(({ userId }) => userId === ada.user.id)).toBe(true);
    expect(all[0]).toMatchObject({
      resourceType: 'egress',
      cost: 0.25,
      timestamp: '2026-03-15T11:00:00.000Z',
    });
    const first = await ada.rpc.billing.usage.query({ limit: 3 });
    const rest = await ada.rest(`GET /api/billing/usage?cursor=${first[2]?.id}`);
    expect([...first, ...(rest.body as typeof all)]).toEqual(all);
    const ofBob = (await bob.rpc.billing.usage.query())[0]?.id;
    expect(await ada.rpc.billing.usage.query({ cursor: ofBob })).toEqual(all);
    expect((await ada.rest('GET /api/billing/usage?limit=0')).status).toBe(400);
    for (const path of ['usage', 'summary']) {
      expect((await world.anyone.rest(`GET /api/billing/${path}`)).status).toBe(401);
    }
  });
});

test('resources that exist are counted: what runs, databases, files and pushed images', async () => {
  const ownerId = bob.user.id;
  await sql`
    insert into stored_files (owner_id, file_name, file_path, file_size, mime_type, is_public, object_key, sha256)
    select ${ownerId}, 'a', '/', 1, 'text/plain', false, 'f' || n, '' from generate_series(1, 3) n`.execute(
    world.deps.db,
  );
  await sql`
    insert into managed_databases (owner_id, name, type, region, storage_size, status, engine_name, password)
    select ${ownerId}, s, 'postgresql', 'us-east-1', 10, s, s, ''
    from unnest(array['available', 'failed', 'creating']) s`.execute(world.deps.db);
  await bob.rpc.containers.create.mutate({ name: 'reserved' });
  expect((await bob.rpc.billing.summary.query()).activeResources).toBe(4);
});
