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
