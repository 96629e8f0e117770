import { randomUUID } from 'node:crypto';
import { USAGE_TYPES } from '@nephos/contracts';
import { atomically, type Database } from '@nephos/db';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { postCharge } from '../../src/domains/ledger/ledger.ts';
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
  await recordOf(person, { resourceType, resourceId: randomUUID(), hour, cost });
}

async function recordOf(
  { user }: Person,
  record: Pick<Database['usageRecords'], 'resourceType' | 'resourceId' | 'hour' | 'cost'>,
) {
  await world.deps.db
    .insertInto('usageRecords')
    .values({ userId: user.id, amount: 1, ...record })
    .execute();
}

/** Its row alone: nothing of it runs. */
function createProject({ user }: Person, name: string): Promise<{ id: string }> {
  const unused = { description: '', repositoryUrl: '', branch: 'main', framework: 'nodejs' as const };
  return world.deps.db
    .insertInto('projects')
    .values({ ownerId: user.id, name, slug: randomUUID(), ...unused })
    .returning('id')
    .executeTakeFirstOrThrow();
}

async function deleteProject({ id }: { id: string }) {
  await world.deps.db.deleteFrom('projects').where('id', '=', id).execute();
}

/** What a card was charged, or was not; in cents. */
async function charge({ user }: Person, paymentDate: string, amount: number, failure = '') {
  await atomically(world.deps.db, async (trx) => {
    const reference = `INV-${randomUUID()}`;
    const ledgerTransactionId = failure === '' ? await postCharge(trx, { reference, amount }) : null;
    const status = failure === '' ? ('completed' as const) : ('failed' as const);
    await trx
      .insertInto('payments')
      .values({
        ...{ invoiceId: reference, userId: user.id, amount, status, failure, paymentDate },
        ...{ paymentMethod: 'Visa ending 4242', ledgerTransactionId },
      })
      .execute();
  });
}

test('without a history there are none, and the figures are zero', async () => {
  const carol = await world.as('Carol');
  expect(await carol.rpc.billing.usage.query()).toEqual([]);
  const summary = await carol.rpc.billing.summary.query();
  expect(summary).toMatchObject({
    hasHistory: false,
    percentChange: null,
    totalSpend: 0,
    usageChange: null,
    totalUsage: 0,
    activeResources: 0,
    paymentMethod: null,
  });
  expect(summary.months).toEqual(
    ['2025-10', '2025-11', '2025-12', '2026-01', '2026-02', '2026-03'].map((month) => ({
      month,
      charged: 0,
      cost: 0,
    })),
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
    expect(summary.totalUsage).toBe(46);
    expect(summary.usageChange).toBe(-87.5);
    // Usage alone costs nothing.
    expect(summary.months.map(({ charged }) => charged)).toEqual([0, 0, 0, 0, 0, 0]);
    expect([summary.totalSpend, summary.percentChange]).toEqual([0, null]);
    const costly = summary.days.filter(({ costs }) => Object.values(costs).some((cost) => cost > 0));
    expect(costly.map(({ day, costs: { database, egress } }) => [day, database, egress])).toEqual([
      ['2026-02-28', 10, 0],
      ['2026-03-01', 4.5, 0],
      ['2026-03-15', 0, 0.5],
    ]);
    expect((await bob.rpc.billing.summary.query()).usageChange).toBeNull();
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

test('what was charged is one figure, and what usage is worth another', async () => {
  const erin = await world.as('Erin');
  await charge(erin, '2025-09-30T23:59:59.999Z', 2900);
  await charge(erin, '2025-10-01T00:00:00.000Z', 2900);
  await charge(erin, '2026-02-28T23:59:59.999Z', 9900);
  await charge(erin, '2026-03-01T00:00:00.000Z', 29_900);
  await charge(erin, '2026-03-15T11:00:00.000Z', 100);
  await charge(erin, '2026-03-15T11:30:00.000Z', 29_900, 'Your card was declined.');
  await charge(bob, '2026-03-15T11:00:00.000Z', 9900);
  const summary = await erin.rpc.billing.summary.query();
  expect((await erin.rest('GET /api/billing/summary')).body).toEqual(summary);
  expect(summary).toMatchObject({ hasHistory: true, totalSpend: 42_800, totalUsage: 0, usageChange: null });
  expect(summary.months.map(({ charged }) => charged)).toEqual([2900, 0, 0, 0, 9900, 30_000]);
  expect(summary.percentChange).toBeCloseTo(203.03, 2);
});

test('a charge that failed is no history', async () => {
  const fred = await world.as('Fred');
  await charge(fred, '2026-03-15T11:30:00.000Z', 2900, 'Your card was declined.');
  expect((await fred.rpc.billing.summary.query()).hasHistory).toBe(false);
});

describe('records name their resource', () => {
  test('while it exists, and after it was deleted', async () => {
    const gina = await world.as('Gina');
    const project = await createProject(gina, 'Shop');
    const image = await gina.rpc.containers.create.mutate({ name: 'web' });
    const { id: repository } = await world.deps.db
      .selectFrom('containerRepositories')
      .select('id')
      .where('name', '=', image.name)
      .executeTakeFirstOrThrow();
    const hour = '2026-03-15T11:00:00.000Z';
    for (const [resourceType, resourceId] of [
      ['storage', null],
      ['database', randomUUID()],
      ['container', repository],
      ['egress', project.id],
      ['deployment', project.id],
    ] as const) {
      await recordOf(gina, { resourceType, resourceId, hour, cost: 1 });
    }
    const named = async () =>
      (await gina.rpc.billing.usage.query()).map(({ resourceType, resourceName, resourceDeleted }) => [
        resourceType,
        resourceName,
        resourceDeleted,
      ]);
    const others = [
      ['container', image.name, false],
      // Deleted before names were kept.
      ['database', null, true],
      ['storage', null, false],
    ];
    expect(await named()).toEqual([['deployment', 'Shop', false], ['egress', 'Shop', false], ...others]);
    await deleteProject(project);
    expect(await named()).toEqual([['deployment', 'Shop', true], ['egress', 'Shop', true], ...others]);
    const [record] = (await gina.rest('GET /api/billing/usage?limit=1')).body as unknown[];
    expect(record).toMatchObject({ resourceId: project.id, resourceName: 'Shop', resourceDeleted: true });
    // Nobody else knows it.
    expect(await bob.rpc.billing.usage.query()).not.toContainEqual(
      expect.objectContaining({ resourceName: 'Shop' }),
    );
  });

  test('which goes with its owner', async () => {
    const { db } = world.deps;
    const hank = await world.as('Hank');
    const first = await createProject(hank, 'Secret');
    const second = await createProject(hank, 'Other');
    await deleteProject(first);
    const kept = () =>
      db.selectFrom('formerResources').select('name').where('id', 'in', [first.id, second.id]).execute();
    expect(await kept()).toEqual([{ name: 'Secret' }]);
    await db.deleteFrom('users').where('id', '=', hank.user.id).execute();
    expect(await kept()).toEqual([]);
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
