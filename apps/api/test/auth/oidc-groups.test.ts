import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { createWorld, PASSWORD, type Person, type World } from '../world.ts';
import { submitForm } from './auth-forms.ts';
import { CONSOLE, logInAt, pathOf, verified } from './oidc-login.ts';
import { CLIENT, type OidcServer, startOidcServer } from './oidc-server.ts';

let server: OidcServer;
let world: World;
let root: Person;
/** Workspaces of `root`. */
let shop: string;
let bank: string;
/** As the provider is set; each test has workspaces of its own. */
const groups = {};

beforeAll(async () => {
  // The provider says at length that it is set up for a test.
  for (const level of ['info', 'warn'] as const) vi.spyOn(console, level).mockReturnValue();
  server = await startOidcServer(`${CONSOLE}${pathOf()}/callback`);
  world = await createWorld({
    settings: { publicUrl: new URL(CONSOLE), oidc: [{ ...CLIENT, issuer: server.issuer, groups }] },
  });
});
afterAll(async () => {
  vi.restoreAllMocks();
  await world.close();
  await server.close();
});
beforeEach(async () => {
  const { db } = world.deps;
  server.accounts.clear();
  await db.deleteFrom('users').execute();
  root = await world.as('Root');
  [shop, bank] = [
    (await root.rpc.workspaces.create.mutate({ name: 'Shop' })).id,
    (await root.rpc.workspaces.create.mutate({ name: 'Bank' })).id,
  ];
  Object.assign(groups, {
    admins: { admin: true, workspaces: {} },
    staff: { admin: false, workspaces: { [shop]: 'viewer', [bank]: 'viewer' } },
    builders: { admin: false, workspaces: { [shop]: 'developer' } },
    owners: { admin: false, workspaces: { [shop]: 'owner' } },
  });
});

interface Seen {
  id: string;
  role: string;
  cookie: string;
  /** In shop and bank. */
  roles: (string | undefined)[];
}

/** Logs in as a member of the groups. */
async function logIn(groups: string[] | undefined, login = 'ada'): Promise<Seen> {
  server.accounts.set(login, { ...verified(`${login}@example.com`), ...(groups && { groups }) });
  const { cookie, status } = await logInAt(world, login);
  expect(status).toBe(303);
  const { body } = await world.anyone.rest('GET /api/auth/user', { headers: { cookie } });
  const { id, role } = body as { id: string; role: string };
  return { id, role, cookie, roles: await rolesOf(id) };
}

async function rolesOf(userId: string): Promise<(string | undefined)[]> {
  const rows = await world.deps.db
    .selectFrom('workspaceMembers')
    .select(['workspaceId', 'role'])
    .where('userId', '=', userId)
    .execute();
  return [shop, bank].map((id) => rows.find(({ workspaceId }) => workspaceId === id)?.role);
}

const recordsIn = (chain: string) =>
  world.deps.db
    .selectFrom('auditLog')
    .select(['subjectName', 'before', 'after', 'via'])
    .where('procedure', 'like', '%.applyGroups')
    .where('chain', '=', chain)
    .orderBy('id')
    .execute();

test('groups grant roles at a log-in, change them, and take them again, each for the record', async () => {
  expect((await logIn(['staff', 'builders', 'nobody knows'])).roles).toEqual(['developer', 'viewer']);
  expect((await logIn(['staff'])).roles).toEqual(['viewer', 'viewer']);
  expect((await logIn(undefined)).roles).toEqual([undefined, undefined]);
  const about = { subjectName: 'ada@example.com', via: 'system' };
  expect(await recordsIn(shop)).toEqual([
    { ...about, before: null, after: { role: 'developer' } },
    { ...about, before: { role: 'developer' }, after: { role: 'viewer' } },
    { ...about, before: { role: 'viewer' }, after: null },
  ]);
});

test('an admin is made and unmade, but for the last one', async () => {
  expect((await logIn(['admins'])).role).toBe('admin');
  expect((await logIn([])).role).toBe('member');
  const { id } = await logIn(['admins']);
  await world.deps.db
    .updateTable('users')
    .set({ disabledAt: 'now' })
    .where('id', '=', root.user.id)
    .execute();
  expect((await logIn([])).role).toBe('admin');
  await world.deps.db.updateTable('users').set({ disabledAt: null }).where('id', '=', root.user.id).execute();
  expect((await logIn([])).role).toBe('member');
  const changes = await world.deps.db
    .selectFrom('roleChanges')
    .select('role')
    .where('userId', '=', id)
    .orderBy('id')
    .execute();
  expect(changes.map(({ role }) => role)).toEqual(['admin', 'member', 'admin', 'member']);
});

test('what people decided stays: a role by hand is neither changed nor taken', async () => {
  const { id } = await logIn([]);
  const { db } = world.deps;
  await db.insertInto('workspaceMembers').values({ workspaceId: shop, userId: id, role: 'admin' }).execute();
  await root.rpc.admin.changeRole.mutate({ userId: id, role: 'admin' });
  expect(await logIn(['staff'])).toMatchObject({ role: 'admin', roles: ['admin', 'viewer'] });
  expect(await logIn([])).toMatchObject({ role: 'admin', roles: ['admin', undefined] });
});

test('a role that a group gave and a person changed stays as that person said', async () => {
  const { id } = await logIn(['admins', 'staff']);
  await root.rpc.workspaces.changeMember.mutate({ id: shop, userId: id, role: 'developer' });
  await root.rpc.admin.changeRole.mutate({ userId: id, role: 'member' });
  const byHand = { role: 'member', roles: ['developer', 'viewer'] };
  expect(await logIn(['admins', 'staff'])).toMatchObject(byHand);
  expect(await logIn([])).toMatchObject({ role: 'member', roles: ['developer', undefined] });
});

test('who was given a workspace of somebody deleted stays its owner', async () => {
  const { id } = await logIn(['staff']);
  const eve = await world.as('Eve');
  const { db } = world.deps;
  await db
    .updateTable('workspaceMembers')
    .set({ userId: eve.user.id })
    .where('workspaceId', '=', shop)
    .where('userId', '=', root.user.id)
    .execute();
  await root.rpc.admin.removeUser.mutate({
    ...{ userId: eve.user.id, email: eve.user.email, things: 'handOver', handOverTo: 'ada@example.com' },
  });
  expect(await rolesOf(id)).toEqual(['owner', 'viewer']);
  // Another owner, without whom it would stay one for being the last.
  await db
    .insertInto('workspaceMembers')
    .values({ workspaceId: shop, userId: root.user.id, role: 'owner' })
    .execute();
  expect((await logIn(['staff'])).roles).toEqual(['owner', 'viewer']);
});

test('an admin by a group whom an admin made one anew stays one', async () => {
  const { id } = await logIn(['admins']);
  await root.rpc.admin.changeRole.mutate({ userId: id, role: 'member' });
  await root.rpc.admin.changeRole.mutate({ userId: id, role: 'admin' });
  expect((await logIn([])).role).toBe('admin');
});

test('the last owner of a workspace stays one', async () => {
  const { id } = await logIn(['owners']);
  const { db } = world.deps;
  await db
    .deleteFrom('workspaceMembers')
    .where('workspaceId', '=', shop)
    .where('userId', '=', root.user.id)
    .execute();
  expect((await logIn(['staff'])).roles[0]).toBe('owner');
  expect((await logIn([])).roles[0]).toBe('owner');
  await db
    .insertInto('workspaceMembers')
    .values({ workspaceId: shop, userId: root.user.id, role: 'owner' })
    .execute();
  expect((await logIn([])).roles[0]).toBeUndefined();
  expect(await rolesOf(id)).toEqual([undefined, undefined]);
});

test('two owners by a group who lose it at once leave one', async () => {
  await logIn(['owners'], 'ada');
  await logIn(['owners'], 'bob');
  await world.deps.db
    .deleteFrom('workspaceMembers')
    .where('workspaceId', '=', shop)
    .where('userId', '=', root.user.id)
    .execute();
  const seen = await Promise.all([logIn([], 'ada'), logIn([], 'bob')]);
  const owners = await Promise.all(seen.map(({ id }) => rolesOf(id)));
  expect(owners.map(([role]) => role).filter(Boolean)).toEqual(['owner']);
});

test('the same person in three browsers at once gets each role once', async () => {
  await logIn([]);
  server.accounts.set('ada', { ...verified('ada@example.com'), groups: ['staff'] });
  const { db } = world.deps;
  const pages = await db.transaction().execute(async (trx) => {
    await trx.selectFrom('workspaces').select('id').where('id', 'in', [shop, bank]).forUpdate().execute();
    const coming = Promise.all([1, 2, 3].map(() => logInAt(world, 'ada')));
    // All have seen that the roles are missing, and wait for the one who holds the workspace.
    await vi.waitFor(async () => {
      const { rows } = await sql`
        select from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock' and query like '%"workspaces"%'`.execute(
        db,
      );
      expect(rows).toHaveLength(3);
    }, 10_000);
    return { coming };
  });
  expect((await pages.coming).map(({ status }) => status)).toEqual([303, 303, 303]);
  expect([(await recordsIn(shop)).length, (await recordsIn(bank)).length]).toEqual([1, 1]);
});

test('a workspace that is gone, and one that is being deleted, take nobody in', async () => {
  const { db } = world.deps;
  await db.updateTable('workspaces').set({ closingSince: 'now' }).where('id', '=', shop).execute();
  expect((await logIn(['staff'])).roles).toEqual([undefined, 'viewer']);
});

describe('an account that had a password before', () => {
  async function connected(groups: string[]): Promise<Person> {
    const ada = await world.as('Ada');
    server.accounts.set('ada', { ...verified('ada@example.com'), groups });
    const stopped = await logInAt(world, 'ada');
    expect(await rolesOf(ada.user.id)).toEqual([undefined, undefined]);
    const form = new URL('/api/login/connect', world.url);
    const { status } = await submitForm(form, { password: PASSWORD }, { cookie: stopped.cookie });
    expect(status).toBe(303);
    return ada;
  }

  test('gets its roles once it is connected, and not before', async () => {
    const ada = await connected(['staff']);
    expect(await rolesOf(ada.user.id)).toEqual(['viewer', 'viewer']);
  });

  test('loses them when it is disconnected', async () => {
    const ada = await connected(['staff', 'admins']);
    const { connections } = await ada.rpc.auth.connections.query();
    await ada.rpc.auth.disconnect.mutate({ id: connections[0]?.id ?? '' });
    expect(await rolesOf(ada.user.id)).toEqual([undefined, undefined]);
    expect((await ada.rpc.auth.user.query()).role).toBe('member');
  });
});
