import type { PlanUse, WorkspaceLimits } from '@nephos/contracts';
import { GB, LIMITED } from '@nephos/contracts/constants';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ScriptedEngine } from '../deployments/fixtures/scripted-engine.ts';
import { callerOf, createWorld, type Person, type World } from '../world.ts';

let sold: World;
let free: World;
let admin: Person;

beforeAll(async () => {
  const overrides = { engine: new ScriptedEngine() };
  sold = await createWorld({ overrides });
  free = await createWorld({ overrides, databaseUrl: sold.databaseUrl, settings: { billing: false } });
  admin = await sold.as('Admin');
});

afterAll(async () => {
  await free.close();
  await sold.close();
});

const path = (ownerId: string) => `/api/admin/workspaces/${ownerId}/limits`;
const set = (ownerId: string, changes: object) => admin.rest(`PATCH ${path(ownerId)}`, { body: changes });

describe.each(['sold', 'free'] as const)('where plans are %s', (mode) => {
  const there = () => ({ sold, free })[mode];

  test('a limit that an admin set is kept, said before, and taken back', async () => {
    const ada = await there().as(`Ada${mode}`);
    const standard = (await admin.rest(`GET ${path(ada.user.id)}`)).body as WorkspaceLimits;
    expect(standard.limits.databases).toEqual({ used: 0, standard: 20, set: null });
    const answer = await set(ada.user.id, { projects: 1, storage: GB });
    expect(answer).toMatchObject({
      status: 200,
      body: { limits: { projects: { set: 1 }, storage: { set: GB }, databases: { set: null } } },
    });
    const use = (await ada.rest('GET /api/billing/limits')).body as PlanUse;
    expect(use).toMatchObject({
      plan: mode === 'sold' ? 'Starter' : 'Unlimited',
      setByAdmin: ['projects', 'storage'],
      projects: { used: 0, limit: 1 },
      storage: { limit: GB },
      dnsZones: { used: 0, limit: 100 },
    });
    expect(await ada.rpc.billing.limits.query()).toEqual(use);

    const made = await Promise.all(
      ['one', 'two', 'three'].map((name) => ada.rest('POST /api/projects', { body: { name } })),
    );
    expect(made.map(({ status }) => status).toSorted()).toEqual([201, 403, 403]);
    expect(made.find(({ status }) => status === 403)?.body).toMatchObject({
      code: 'PLAN_LIMIT_REACHED',
      message: 'An admin limits you to 1 projects. Delete one or ask an admin for more.',
    });

    await set(ada.user.id, { storage: 3 });
    const upload = await ada.rest('POST /api/storage/upload?fileName=a.txt', {
      body: 'four',
      headers: { 'content-type': 'text/plain' },
    });
    expect(upload).toMatchObject({
      status: 403,
      body: {
        code: 'QUOTA_EXCEEDED',
        message: expect.stringMatching(/^An admin limits your storage to 3 B .+ask an admin for more\.$/),
      },
    });

    await admin.rpc.admin.setLimits.mutate({ ownerId: ada.user.id, projects: null, storage: null });
    expect((await ada.rest('POST /api/projects', { body: { name: 'two' } })).status).toBe(201);
    expect((await ada.rest('GET /api/billing/limits')).body).toMatchObject({ setByAdmin: [] });
  });

  test('one that is alike in every plan can be raised and lowered', async () => {
    const ada = await there().as(`Grace${mode}`);
    await set(ada.user.id, { databases: 0, dnsZones: 0, virtualAccounts: 0 });
    expect(
      await ada.rest('POST /api/payment-gateway/virtual-accounts', { body: { accountName: 'One' } }),
    ).toMatchObject({ status: 403, body: { code: 'PLAN_LIMIT_REACHED' } });
    expect(
      await ada.rest('POST /api/dns', {
        body: { domain: `${mode}.example`, recordType: 'A', name: '@', value: '192.0.2.1', ttl: 300 },
      }),
    ).toMatchObject({ status: 403, body: { message: 'You can have at most 0 domains.' } });
    await set(ada.user.id, { virtualAccounts: 21 });
    expect((await ada.rest('GET /api/billing/limits')).body).toMatchObject({
      virtualAccounts: { used: 0, limit: 21 },
    });
  });
});

test('of shared workspaces without a plan one person owns three, unless an admin says otherwise', async () => {
  const [ada, bea] = [await sold.as('Owner'), await sold.as('Heir')];
  const make = (who: Person, name: string) => who.rest('POST /api/workspaces', { body: { name } });
  const made: string[] = [];
  for (const name of ['one', 'two', 'three']) made.push(((await make(ada, name)).body as { id: string }).id);
  const refused = await make(ada, 'four');
  expect(refused).toMatchObject({
    status: 409,
    body: {
      code: 'LIMIT',
      message: 'You own 3 of 3 workspaces without a plan. Delete one first, or ask an admin for more.',
    },
  });
  expect((await ada.rest('GET /api/billing/limits')).body).toMatchObject({
    workspaces: { used: 3, limit: 3 },
  });
  // The same person where nothing is sold.
  const { rpc } = callerOf(free.url, ada.cookie);
  expect(await rpc.billing.limits.query()).toMatchObject({ workspaces: { used: 3, limit: 20 } });

  // What is paid for does not count.
  const subscription = { planTier: 'starter', status: 'active', amount: 2900, anchorDay: 1 } as const;
  await sold.deps.db
    .insertInto('subscriptions')
    .values({ userId: made[0] ?? '', ...subscription, renewalDate: '2099-01-01T00:00:00.000Z' })
    .execute();
  expect((await make(ada, 'four')).status).toBe(201);
  expect((await make(ada, 'five')).status).toBe(409);
  await set(ada.user.id, { workspaces: 4 });
  expect((await make(ada, 'five')).status).toBe(201);

  // What is handed over counts with who gets it.
  await set(bea.user.id, { workspaces: 0 });
  const shared = made[1] ?? '';
  const { db } = sold.deps;
  await db
    .insertInto('workspaceMembers')
    .values({ workspaceId: shared, userId: bea.user.id, role: 'viewer' })
    .execute();
  const promote = () =>
    ada.rest(`PATCH /api/workspaces/${shared}/members/${bea.user.id}`, { body: { role: 'owner' } });
  expect(await promote()).toMatchObject({
    status: 409,
    body: {
      message:
        'heir@example.com owns 0 of 0 workspaces without a plan, and this would add 1. An admin can allow more.',
    },
  });
  const remove = () =>
    admin.rest(`DELETE /api/admin/users/${ada.user.id}`, {
      body: { email: ada.user.email, things: 'handOver', handOverTo: bea.user.email },
    });
  expect(await remove()).toMatchObject({
    status: 409,
    body: { message: expect.stringContaining('this would add 5.') },
  });
  await set(bea.user.id, { workspaces: 1 });
  expect((await promote()).status).toBe(200);
  // Who gets it keeps it, whatever a group at the provider gave them before.
  const member = {
    workspaceId: made[2] ?? '',
    userId: bea.user.id,
    role: 'viewer',
    fromGroup: true,
  } as const;
  await db.insertInto('workspaceMembers').values(member).execute();
  await set(bea.user.id, { workspaces: 5 });
  expect((await remove()).status).toBe(200);
  const owned = db.selectFrom('workspaceMembers').select('fromGroup').where('userId', '=', bea.user.id);
  expect(await owned.where('workspaceId', '=', made[2] ?? '').execute()).toEqual([{ fromGroup: false }]);
});

test('limits are for admins, of somebody, and within bounds', async () => {
  const ada = await sold.as('Ada');
  const token = (await admin.rpc.auth.createToken.mutate({ name: 'x', scope: 'write' })).token;
  const bearer = { headers: { authorization: `Bearer ${token}` }, body: { projects: 1 } };
  for (const [who, status] of [
    [ada, 403],
    [sold.anyone, 401],
  ] as const) {
    expect((await who.rest(`GET ${path(ada.user.id)}`)).status).toBe(status);
    expect((await who.rest(`PATCH ${path(ada.user.id)}`, { body: { projects: 9 } })).status).toBe(status);
  }
  expect((await callerOf(sold.url, '').rest(`PATCH ${path(ada.user.id)}`, bearer)).status).toBe(403);
  for (const id of ['0197a000-0000-7000-8000-000000000001', 'nobody']) {
    expect((await admin.rest(`GET ${path(id)}`)).status).toBe(404);
    expect((await set(id, { projects: 1 })).status).toBe(404);
  }
  for (const name of LIMITED) {
    for (const wrong of [-1, 1.5, '1', 1024 ** 5 + 1]) {
      expect(await set(ada.user.id, { [name]: wrong })).toMatchObject({
        status: 400,
        body: { fields: [{ path: name }] },
      });
    }
    expect((await set(ada.user.id, { [name]: 0 })).status).toBe(200);
  }
});
