import type { WorkspaceRole } from '@nephos/contracts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { callerOf, createWorld, PASSWORD, type Person, type World } from '../world.ts';

let world: World;
let replica: World;
let admin: Person;
let heir: Person;

beforeAll(async () => {
  world = await createWorld({ running: true });
  replica = await createWorld({ databaseUrl: world.databaseUrl });
  admin = await world.as('Admin');
  heir = await world.as('Heir');
  await world.deps.db
    .insertInto('workspaceLimits')
    .values({ ownerId: heir.user.id, workspaces: 100 })
    .execute();
});

afterAll(async () => {
  await replica.close();
  await world.close();
});

let made = 0;
/** Another person, in each test. */
function someone(): Promise<Person> {
  made += 1;
  return world.as(`Person${made}`);
}

const remove = (
  who: Pick<Person, 'rest'>,
  { user }: Pick<Person, 'user'>,
  how: { email?: string; things?: string; handOverTo?: string } = {},
) =>
  who.rest(`DELETE /api/admin/users/${user.id}`, { body: { email: user.email, things: 'delete', ...how } });
const contentsOf = (userId: string) => admin.rest(`GET /api/admin/users/${userId}/contents`);
const rowsOf = (table: 'users' | 'workspaces' | 'variableGroups', column: 'id' | 'ownerId', id: string) =>
  world.deps.db
    .selectFrom(table as 'variableGroups')
    .selectAll()
    .where(column, '=', id)
    .execute();
const within = (id: string) => ({ headers: { 'x-workspace': id } });

async function share(owner: Person, name: string, others: readonly [Person, WorkspaceRole][] = []) {
  const workspace = await owner.rpc.workspaces.create.mutate({ name });
  for (const [{ user }, role] of others) {
    await world.deps.db
      .insertInto('workspaceMembers')
      .values({ workspaceId: workspace.id, userId: user.id, role })
      .execute();
  }
  return workspace;
}

test('somebody goes with all that is theirs, and their records stay', async () => {
  const ada = await someone();
  const { token } = await ada.rpc.auth.createToken.mutate({ name: 'laptop', scope: 'write' });
  await ada.rpc.variableGroups.create.mutate({ name: 'Shop' });
  const file = await ada.rest('POST /api/storage/upload?fileName=a.txt', {
    headers: { 'content-type': 'text/plain' },
    body: 'a',
  });
  expect(file.status).toBe(201);
  const { id: elsewhere } = await share(heir, 'Elsewhere', [[ada, 'developer']]);
  const mail = { recipient: ada.user.email, content: Buffer.from('sealed'), sendUntil: 'tomorrow' };
  await world.deps.db.insertInto('mails').values(mail).execute();
  expect(await contentsOf(ada.user.id)).toMatchObject({
    status: 200,
    body: { files: 1, variableGroups: 1, members: 1, ownedAlone: [], obstacle: '' },
  });

  expect(await remove(admin, ada, { email: ada.user.email.toUpperCase() })).toMatchObject({
    status: 200,
    body: { success: true },
  });
  expect((await ada.rest('GET /api/auth/user')).status).toBe(401);
  const headers = { authorization: `Bearer ${token}` };
  expect((await world.anyone.rest('GET /api/auth/user', { headers })).status).toBe(401);
  const login = { email: ada.user.email, password: PASSWORD };
  expect((await world.anyone.rest('POST /api/login', { body: login })).body).toMatchObject({
    code: 'INVALID_CREDENTIALS',
  });
  expect(await rowsOf('users', 'id', ada.user.id)).toEqual([]);
  await expect.poll(() => rowsOf('workspaces', 'id', ada.user.id)).toEqual([]);
  expect(await rowsOf('variableGroups', 'ownerId', ada.user.id)).toEqual([]);
  const members = await heir.rpc.workspaces.members.query({ id: elsewhere });
  expect(members.map(({ userId }) => userId)).toEqual([heir.user.id]);
  const { db } = world.deps;
  expect(await db.selectFrom('mails').select('id').where('recipient', '=', ada.user.email).execute()).toEqual(
    [],
  );
  const records = await db
    .selectFrom('auditLog')
    .select(['procedure', 'actorEmail', 'subjectName'])
    .where(({ or, eb }) => or([eb('actorId', '=', ada.user.id), eb('subjectId', '=', ada.user.id)]))
    .execute();
  expect(records).toContainEqual({
    procedure: 'variableGroups.create',
    actorEmail: ada.user.email,
    subjectName: 'Shop',
  });
  expect(records).toContainEqual({
    procedure: 'admin.removeUser',
    actorEmail: admin.user.email,
    subjectName: ada.user.email,
  });
  // The address is free again.
  expect((await world.anyone.rest('POST /api/signup', { body: login })).status).toBeLessThan(300);
  expect((await remove(admin, ada)).status).toBe(404);
});

test('somebody goes, and another one has their things with all members', async () => {
  const ada = await someone();
  const bob = await someone();
  const group = await ada.rpc.variableGroups.create.mutate({ name: 'Shop' });
  const member = { workspaceId: ada.user.id, userId: bob.user.id, role: 'viewer' } as const;
  await world.deps.db.insertInto('workspaceMembers').values(member).execute();
  const { id: alone } = await share(ada, 'Engines', [[bob, 'admin']]);
  await share(ada, 'Owned by two', [[bob, 'owner']]);
  expect((await contentsOf(ada.user.id)).body).toMatchObject({ ownedAlone: ['Engines'] });

  const { userId, email } = { userId: ada.user.id, email: ada.user.email };
  const input = { userId, email, things: 'handOver', handOverTo: heir.user.email } as const;
  expect(await admin.rpc.admin.removeUser.mutate(input)).toEqual({ success: true });
  expect(await rowsOf('users', 'id', userId)).toEqual([]);
  const got = await heir.rpc.workspaces.list.query();
  expect(got).toContainEqual(
    expect.objectContaining({
      ...{ id: userId, name: `${ada.user.firstName} ${ada.user.lastName}'s things`, handle: ada.user.handle },
      ...{ personal: false, role: 'owner', members: 2 },
    }),
  );
  expect(got).toContainEqual(expect.objectContaining({ id: alone, role: 'owner', members: 2 }));
  expect(got.map(({ name }) => name)).not.toContain('Owned by two');
  expect((await heir.rest('GET /api/variable-groups', within(userId))).body).toMatchObject([
    { id: group.id },
  ]);
  expect((await bob.rest('GET /api/variable-groups', within(userId))).body).toHaveLength(1);
});

test('no workspace is left without an owner, and no money without one', async () => {
  const ada = await someone();
  await share(ada, 'Engines', [[heir, 'admin']]);
  expect(await remove(admin, ada)).toMatchObject({
    status: 409,
    body: {
      code: 'LAST_OWNER',
      message: `${ada.user.email} is the only owner of Engines. Say who gets that.`,
    },
  });
  const account = await ada.rpc.paymentGateway.createVirtualAccount.mutate({ accountName: 'Till' });
  await ada.rpc.paymentGateway.receive.mutate({
    ...{ virtualAccountId: account.id, amount: 500, senderAccountNumber: '123456789012' },
    ...{ senderAccountName: 'Customer', senderBankName: 'Elsewhere' },
  });
  const handOverTo = heir.user.email;
  expect(await remove(admin, ada, { handOverTo })).toMatchObject({
    status: 409,
    body: { code: 'NOT_EMPTY' },
  });
  expect((await contentsOf(ada.user.id)).body).toMatchObject({
    obstacle: expect.stringContaining('hold money'),
  });
  // What was refused has changed nothing.
  expect((await ada.rest('GET /api/auth/user')).body).toMatchObject({ workspace: { personal: true } });
  expect((await remove(admin, ada, { things: 'handOver', handOverTo })).status).toBe(200);
  expect(
    (await heir.rest('GET /api/payment-gateway/virtual-accounts', within(ada.user.id))).body,
  ).toHaveLength(1);
});

test('what the books refer to stays', async () => {
  const ada = await someone();
  await ada.rpc.paymentGateway.createVirtualAccount.mutate({ accountName: 'Empty' });
  expect((await remove(admin, ada)).status).toBe(200);
  await expect
    .poll(() => rowsOf('workspaces', 'id', ada.user.id))
    .toMatchObject([{ closedAt: expect.any(String), handle: `closed-${ada.user.id}` }]);
});

test('is for admins, by the right address, of others, and to somebody who is there', async () => {
  const ada = await someone();
  expect(await remove(admin, admin)).toMatchObject({
    status: 403,
    body: { code: 'OWN_ACCOUNT', message: "You can't delete your own account." },
  });
  expect((await remove(ada, heir)).status).toBe(403);
  expect((await remove(world.anyone, ada)).status).toBe(401);
  const { token } = await admin.rpc.auth.createToken.mutate({ name: 'CI', scope: 'write' });
  const headers = { authorization: `Bearer ${token}` };
  const body = { email: ada.user.email, things: 'delete' };
  const path = `DELETE /api/admin/users/${ada.user.id}`;
  expect((await world.anyone.rest(path, { headers, body })).status).toBe(403);
  expect(await remove(admin, ada, { email: 'x@example.com' })).toMatchObject({
    status: 400,
    body: { fields: [{ path: 'email' }] },
  });
  expect((await remove(admin, ada, { things: 'keep' })).status).toBe(400);
  for (const handOverTo of [undefined, 'nobody@example.com', ada.user.email]) {
    const answer = await remove(admin, ada, { things: 'handOver', ...(handOverTo && { handOverTo }) });
    expect(answer).toMatchObject({ status: 400, body: { fields: [{ path: 'handOverTo' }] } });
  }
  for (const id of ['0197a000-0000-7000-8000-000000000001', 'nobody']) {
    expect((await remove(admin, { user: { ...ada.user, id } })).status).toBe(404);
    expect((await contentsOf(id)).status).toBe(404);
  }
  const { userId } = await ada.rpc.workspaces.createServiceAccount.mutate({
    ...{ id: ada.user.id, name: 'CI', role: 'viewer' },
  });
  const service = { user: { ...ada.user, id: userId, email: '' } };
  expect((await remove(admin, service)).status).toBeGreaterThanOrEqual(400);
  expect((await ada.rest('GET /api/auth/user')).status).toBe(200);
});

test('two admins who delete each other at once leave exactly one', async () => {
  for (let round = 0; round < 3; round += 1) {
    const [one, other] = [await someone(), await someone()];
    for (const { user } of [one, other]) {
      await admin.rpc.admin.changeRole.mutate({ userId: user.id, role: 'admin' });
    }
    const answers = await Promise.all([remove(one, other), remove(callerOf(replica.url, other.cookie), one)]);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    const left = await world.deps.db
      .selectFrom('users')
      .select('id')
      .where('id', 'in', [one.user.id, other.user.id])
      .execute();
    expect(left).toHaveLength(1);
  }
});

test('who is to get something and is deleted at once gets nothing that is lost', async () => {
  const [ada, bob] = [await someone(), await someone()];
  await Promise.all([
    remove(admin, ada, { things: 'handOver', handOverTo: bob.user.email }),
    remove(callerOf(replica.url, admin.cookie), bob),
  ]);
  const owners = await world.deps.db
    .selectFrom('workspaces')
    .leftJoin('workspaceMembers', 'workspaceId', 'workspaces.id')
    .select(['workspaces.id', 'userId'])
    .where('workspaces.id', '=', ada.user.id)
    .execute();
  // Theirs still, or the other's, whose deletion was refused for being the last owner.
  expect([ada.user.id, bob.user.id]).toContain(owners[0]?.userId);
});
