import { randomUUID } from 'node:crypto';
import { admin as table } from '@nephos/contracts';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { billingChecks } from '../../src/domains/billing/engine-checks.ts';
import { checkEngines } from '../../src/platform/engine-check.ts';
import { systemChecks } from '../../src/platform/system-checks.ts';
import { createScriptedEngine } from '../databases/scripted-database-engine.ts';
import { ScriptedEngine } from '../deployments/fixtures/scripted-engine.ts';
import { callerOf, createWorld, type Person, type World } from '../world.ts';

let world: World;
let admin: Person;
let ada: Person;
let odd: Person;

beforeAll(async () => {
  world = await createWorld({ running: true });
  admin = await world.as('Admin');
  ada = await world.as('Ada');
  odd = await world.as('Odd_1');
  await world.deps.db.updateTable('users').set({ firstName: '100%' }).where('id', '=', odd.user.id).execute();
  await fill();
});

afterAll(() => world.close());

const HOUR = '2026-11-01T10:00:00.000Z';
const RESOURCE = randomUUID();

/** Ada's and Odd's subscriptions, payments and usage. */
async function fill(): Promise<void> {
  const { db } = world.deps;
  for (const [person, planTier] of [
    [ada, 'starter'],
    [odd, 'enterprise'],
  ] as const) {
    const userId = person.user.id;
    await db
      .insertInto('subscriptions')
      .values({ userId, planTier, status: 'active', amount: 2900, anchorDay: 1, renewalDate: HOUR })
      .execute();
  }
  const payment = { userId: ada.user.id, paymentMethod: 'Visa ending 4242', paymentDate: HOUR };
  await db
    .insertInto('payments')
    .values([
      { ...payment, invoiceId: 'INV-2026-000001', amount: 2999, status: 'failed', failure: 'Declined.' },
      { ...payment, invoiceId: 'INV-2026-000002', amount: 2900, status: 'failed', failure: 'Declined.' },
    ])
    .execute();
  const record = { hour: HOUR, amount: 2, cost: 1.6 };
  await db
    .insertInto('usageRecords')
    .values([
      { ...record, userId: ada.user.id, resourceType: 'deployment', resourceId: RESOURCE },
      { ...record, userId: odd.user.id, resourceType: 'storage', resourceId: null },
    ])
    .execute();
}

const LISTS = ['users', 'subscriptions', 'payments', 'usage'] as const;

describe('the door', () => {
  test.each(Object.entries(table))('of %s lets nobody but admins in', async (name, row) => {
    const route = (row.route ?? '').replace('{userId}', admin.user.id);
    const options = row.kind === 'mutation' ? { body: { role: 'member' } } : {};
    expect((await world.anyone.rest(route, options)).status).toBe(401);
    expect(await ada.rest(route, options)).toMatchObject({ status: 403, body: { code: 'FORBIDDEN' } });
    const call = ada.rpc.admin[name as 'totals'] as unknown as {
      query?: () => Promise<unknown>;
      mutate?: (input: unknown) => Promise<unknown>;
    };
    const asked =
      row.kind === 'query' ? call.query?.() : call.mutate?.({ userId: ada.user.id, role: 'admin' });
    await expect(asked).rejects.toMatchObject({ data: { httpStatus: 403 } });
  });

  test.each(['limit=0', 'limit=1001', 'limit=x', 'cursor=x', `search=${'x'.repeat(101)}`])(
    'refuses %s in each list',
    async (query) => {
      for (const list of LISTS) {
        expect((await admin.rest(`GET /api/admin/${list}?${query}`)).status).toBe(400);
      }
    },
  );
});

describe('the lists', () => {
  test('say the same at both doors, newest first, in the units of the page', async () => {
    for (const list of LISTS) {
      expect((await admin.rest(`GET /api/admin/${list}`)).body).toEqual(await admin.rpc.admin[list].query());
    }
    const users = await admin.rpc.admin.users.query();
    expect(users.map(({ id }) => id)).toEqual([odd, ada, admin].map(({ user }) => user.id));
    expect(users[1]).toEqual({ ...ada.user, disabledAt: null, consentEndsAt: null });
    const subscriptions = await admin.rpc.admin.subscriptions.query();
    expect(subscriptions).toMatchObject([
      { userId: odd.user.id, userEmail: odd.user.email, planTier: 'enterprise', amount: 2900 },
      { userId: ada.user.id, planTier: 'starter' },
    ]);
    const payments = await admin.rpc.admin.payments.query();
    expect(payments.map(({ amount }) => amount)).toEqual([29, 29.99]);
    const usage = await admin.rpc.admin.usage.query();
    expect(usage).toMatchObject([
      { userId: odd.user.id, resourceType: 'storage', resourceId: null, cost: 0.016, timestamp: HOUR },
      { userId: ada.user.id, resourceType: 'deployment', resourceId: RESOURCE, amount: 2 },
    ]);
    const { userEmail, ...own } = usage[1] ?? {};
    expect(await ada.rpc.billing.usage.query()).toMatchObject([{ ...own, cost: 1.6 }]);
    expect([userEmail, payments[0]?.userEmail]).toEqual([ada.user.email, ada.user.email]);
  });

  test('go on after the row that is named', async () => {
    for (const list of LISTS) {
      const all = await admin.rpc.admin[list].query();
      const paged: unknown[] = [];
      for (let cursor: string | undefined; ; ) {
        const page = await admin.rpc.admin[list].query({ limit: 1, cursor });
        if (page.length === 0) break;
        paged.push(...page);
        cursor = page[0]?.id;
      }
      expect(paged).toEqual(all);
    }
  });

  const found = async (list: (typeof LISTS)[number], search: string) =>
    (await admin.rpc.admin[list].query({ search })).map((row) => ('email' in row ? row.id : row.userId));

  test.each([
    ['users', 'ADA@exam', () => [ada.user.id]],
    ['users', 'da tes', () => [ada.user.id]],
    ['users', 'd_1@', () => [odd.user.id]],
    ['users', '%', () => [odd.user.id]],
    ['users', '_', () => [odd.user.id]],
    ['users', '\\', () => []],
    ['users', "'; drop table users", () => []],
    ['subscriptions', 'ada@', () => [ada.user.id]],
    ['subscriptions', 'ENTERPRISE', () => [odd.user.id]],
    ['subscriptions', 'active', () => [odd.user.id, ada.user.id]],
    ['payments', 'inv-2026-000001', () => [ada.user.id]],
    ['payments', '4242', () => [ada.user.id, ada.user.id]],
    ['payments', '100%', () => []],
    ['usage', 'STORAGE', () => [odd.user.id]],
    ['usage', RESOURCE.slice(3, 20).toUpperCase(), () => [ada.user.id]],
    ['usage', 'example.com', () => [odd.user.id, ada.user.id]],
    ['usage', 'D_1@', () => [odd.user.id]],
    ['usage', 'd%1@', () => []],
  ] as const)('%s: %s finds what holds it', async (list, search, expected) => {
    expect(await found(list, search)).toEqual(expected());
  });

  test('find by the id of a person, and page what they found', async () => {
    for (const list of ['subscriptions', 'payments', 'usage', 'users'] as const) {
      const [whole, middle] = [ada.user.id, ada.user.id.slice(12, 30)];
      expect(new Set(await found(list, whole))).toEqual(new Set([whole]));
      expect(await found(list, middle)).toEqual(await found(list, whole));
    }
    const [first, second] = await admin.rpc.admin.payments.query({ search: 'ada@' });
    expect(await admin.rpc.admin.payments.query({ search: 'ada@', limit: 1 })).toEqual([first]);
    expect(await admin.rpc.admin.payments.query({ search: 'ada@', cursor: first?.id })).toEqual([second]);
  });

  test('find by the name of a workspace what is its, and who is in it', async () => {
    const { id } = await odd.rpc.workspaces.create.mutate({ name: 'Difference Engines' });
    const { db } = world.deps;
    await db
      .insertInto('payments')
      .values({
        ...{
          userId: id,
          invoiceId: 'INV-2026-000009',
          amount: 2900,
          paymentMethod: 'Visa',
          status: 'failed',
        },
        ...{ failure: 'Declined.', paymentDate: HOUR },
      })
      .execute();
    expect(await found('payments', 'difference eng')).toEqual([id]);
    expect(await found('users', 'difference eng')).toEqual([odd.user.id]);
    await db.deleteFrom('payments').where('userId', '=', id).execute();
    await db.deleteFrom('workspaces').where('id', '=', id).execute();
  });

  test('find someone whom many others match', async () => {
    await sql`
      insert into users (email, handle, role) select 'many' || n || '@example.org', 'many' || n, 'member'
      from generate_series(1, 150) n`.execute(world.deps.db);
    await sql`update users set email = 'ada.many@example.com' where id = ${ada.user.id}`.execute(
      world.deps.db,
    );
    expect(await found('usage', 'many')).toEqual([ada.user.id]);
    expect(await found('users', 'many149@')).toHaveLength(1);
    await sql`delete from users where email like '%@example.org'`.execute(world.deps.db);
    await sql`update users set email = ${ada.user.email} where id = ${ada.user.id}`.execute(world.deps.db);
  });
});

test('totals', async () => {
  expect(await admin.rpc.admin.totals.query()).toEqual({
    users: 3,
    admins: 1,
    subscriptions: 2,
    activeSubscriptions: 2,
    revenue: 0,
    payments: 2,
    usageRecords: 2,
  });
});

test('a cancelled subscription that has run out is not counted as active, though nobody has written that down', async () => {
  const { db } = world.deps;
  const ofAda = db.updateTable('subscriptions').where('userId', '=', ada.user.id);
  await ofAda.set({ cancelAtPeriodEnd: true }).execute();
  expect(await admin.rpc.admin.totals.query()).toMatchObject({ subscriptions: 2, activeSubscriptions: 1 });
  await ofAda.set({ renewalDate: sql<string>`now() + interval '1 day'` }).execute();
  expect(await admin.rpc.admin.totals.query()).toMatchObject({ activeSubscriptions: 2 });
  await ofAda.set({ cancelAtPeriodEnd: false, renewalDate: HOUR }).execute();
});

describe('engines', () => {
  test('are asked, and say what runs without a secret', async () => {
    const engines = await admin.rpc.admin.engines.query();
    const states = Object.fromEntries(engines.map(({ id, state }) => [id, state]));
    expect(states).toMatchObject({
      'own-database': 'healthy',
      'job-queue': 'healthy',
      'deployment-runtime': 'healthy',
      'object-store': 'healthy',
      dns: 'off',
      postgresql: 'healthy',
      mongodb: 'off',
      payments: 'healthy',
      model: 'healthy',
    });
    for (const { name, running, detail, settings } of engines) {
      expect([name, running, detail].every((text) => text.length > 0)).toBe(true);
      expect(settings.length).toBeGreaterThan(0);
    }
    expect(await world.deps.objects.stat('checks/x')).toBeUndefined();
  });

  test('list the machines of a swarm, and give the command by which another joins to who asks for it', async () => {
    const route = 'POST /api/admin/join-command';
    expect(await admin.rest(route, { body: { renew: false } })).toMatchObject({
      status: 503,
      body: { message: 'Apps run on this machine alone. Set DEPLOY_RUNTIME=swarm to add others.' },
    });
    const engine = new ScriptedEngine();
    let reason = '';
    const node = {
      name: 'alpha',
      address: '192.0.2.1',
      role: 'manager',
      state: 'ready',
      version: '28',
    } as const;
    engine.cluster = {
      nodes: () => [{ ...node, availability: 'active', isHere: true, instances: 2 }],
      reason: () => reason,
      joinCommand: async ({ renew }) => `docker swarm join --token ${renew ? 'new' : 'old'} 192.0.2.1:2377`,
    };
    const swarm = await createWorld({ databaseUrl: world.databaseUrl, overrides: { engine } });
    const there = callerOf(swarm.url, admin.cookie);
    const engines = await there.rpc.admin.engines.query();
    expect(engines.find(({ id }) => id === 'deployment-runtime')?.nodes).toEqual(engine.cluster.nodes());
    expect(JSON.stringify(engines)).not.toContain('--token');
    expect(await there.rpc.admin.joinCommand.mutate({ renew: true })).toEqual({
      joinCommand: 'docker swarm join --token new 192.0.2.1:2377',
    });
    expect(await there.rest(route, { body: { renew: false } })).toMatchObject({ status: 200 });
    reason = 'The swarm has no leader.';
    expect(await there.rest(route, { body: { renew: false } })).toMatchObject({
      status: 503,
      body: { message: reason },
    });
    await swarm.close();
  });

  test('are told as they are now, not as they began', async () => {
    const postgresql = createScriptedEngine('postgresql');
    const databaseEngines = {
      postgresql,
      mysql: createScriptedEngine('mysql'),
      mongodb: createScriptedEngine('mongodb'),
      redis: createScriptedEngine('redis'),
    };
    const { databaseUrl } = world;
    const replica = await createWorld({ databaseUrl, overrides: { databaseEngines } });
    const there = callerOf(replica.url, admin.cookie);
    const look = async () => (await there.rpc.admin.engines.query()).find(({ id }) => id === 'postgresql');
    expect(await look()).toMatchObject({ state: 'healthy' });
    postgresql.reason = 'MANAGED_POSTGRES_PORT 5433 is in use by another program.';
    expect(await look()).toMatchObject({ state: 'unhealthy', detail: postgresql.reason });
    await replica.close();
  });

  test('that hang or fail are unhealthy, soon, and tell nothing of themselves', async () => {
    const hanging = new Promise<never>(() => {});
    const failing = Promise.reject(new Error('password=hunter2'));
    failing.catch(() => {});
    const { deps } = world;
    const before = performance.now();
    const provider = { ...deps.domains.billing.provider, readIntent: () => hanging };
    const broken = { ...deps, objects: { ...deps.objects, put: () => failing } };
    const checks = [...systemChecks(broken), ...billingChecks(deps.settings, provider)];
    const engines = await checkEngines(checks, deps.log);
    expect(performance.now() - before).toBeLessThan(4000);
    const of = (id: string) => engines.find((one) => one.id === id);
    expect(of('payments')).toMatchObject({
      state: 'unhealthy',
      detail: 'No response within two seconds.',
    });
    expect(of('object-store')).toMatchObject({ state: 'unhealthy' });
    expect(of('own-database')).toMatchObject({ state: 'healthy' });
    expect(JSON.stringify(engines)).not.toContain('hunter2');
  });
});

test('no backup begins where none are set up', async () => {
  expect(await admin.rest('POST /api/admin/backups', { body: { kind: 'backup' } })).toMatchObject({
    status: 409,
    body: { message: 'Backups are not set up. Set BACKUP_URL, and run nephos backup init once.' },
  });
});
