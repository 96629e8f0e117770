import { afterAll, beforeAll, expect, test } from 'vitest';
import { createWorld, type Person, type World } from '../world.ts';

let world: World;
let replica: World;
let admin: Person;
let ada: Person;

beforeAll(async () => {
  world = await createWorld();
  replica = await createWorld({ databaseUrl: world.databaseUrl });
  admin = await world.as('Admin');
  ada = await world.as('Ada');
});

afterAll(async () => {
  await replica.close();
  await world.close();
});

const patch = (who: Pick<Person, 'rest'>, userId: string, role: unknown) =>
  who.rest(`PATCH /api/admin/users/${userId}/role`, { body: { role } });

/** The same person at the other replica. */
function atReplica({ cookie }: Person, role: 'admin' | 'member', userId: string) {
  return fetch(`${replica.url}/api/admin/users/${userId}/role`, {
    method: 'PATCH',
    headers: { cookie, 'content-type': 'application/json' },
    body: JSON.stringify({ role }),
  });
}

test('a role changes from the next request on, and who did it is written down', async () => {
  expect((await ada.rest('GET /api/admin/totals')).status).toBe(403);
  expect(await patch(admin, ada.user.id, 'admin')).toMatchObject({
    status: 200,
    body: { ...ada.user, role: 'admin' },
  });
  expect((await ada.rest('GET /api/admin/totals')).status).toBe(200);
  expect(await admin.rpc.admin.changeRole.mutate({ userId: ada.user.id, role: 'admin' })).toMatchObject({
    role: 'admin',
  });
  expect(await admin.rpc.admin.changeRole.mutate({ userId: ada.user.id, role: 'member' })).toMatchObject({
    role: 'member',
  });
  expect((await ada.rest('GET /api/admin/totals')).status).toBe(403);
  const changes = await world.deps.db.selectFrom('roleChanges').selectAll().orderBy('id').execute();
  expect(changes).toMatchObject([
    { userId: ada.user.id, changedBy: admin.user.id, role: 'admin' },
    { userId: ada.user.id, changedBy: admin.user.id, role: 'member' },
  ]);
});

test("one's own role stays", async () => {
  for (const role of ['member', 'admin']) {
    expect(await patch(admin, admin.user.id, role)).toMatchObject({
      status: 403,
      body: { code: 'CANNOT_CHANGE_OWN_ROLE', message: "You can't change your own role." },
    });
  }
});

test('nobody, and no other role, can be named', async () => {
  for (const id of ['0197a000-0000-7000-8000-000000000001', 'nobody']) {
    expect(await patch(admin, id, 'admin')).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } });
  }
  for (const role of ['owner', '', null, 1, undefined]) {
    expect((await patch(admin, ada.user.id, role)).status).toBe(400);
  }
});

test('two admins who take the role from each other at once leave exactly one', async () => {
  let [one, other] = [admin, ada];
  for (let round = 0; round < 20; round += 1) {
    expect((await patch(one, other.user.id, 'admin')).status).toBe(200);
    const answers = await Promise.all([
      patch(one, other.user.id, 'member'),
      atReplica(other, 'member', one.user.id),
    ]);
    const statuses = answers.map(({ status }) => status);
    expect(statuses.toSorted()).toEqual([200, 403]);
    const admins = await world.deps.db.selectFrom('users').select('id').where('role', '=', 'admin').execute();
    expect(admins).toHaveLength(1);
    if (admins[0]?.id === other.user.id) [one, other] = [other, one];
  }
});
