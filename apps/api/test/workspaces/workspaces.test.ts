import type { Member, Workspace } from '@nephos/contracts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { emptyWorkspace, type Removals } from '../../src/domains/workspaces/removal.ts';
import { readOwner } from '../../src/domains/workspaces/workspace-columns.ts';
import { INSTALLATION } from '../../src/platform/audit.ts';
import { ScriptedEngine } from '../deployments/fixtures/scripted-engine.ts';
import { uploaded } from '../storage/storage-world.ts';
import { createWorld, type Person, type World } from '../world.ts';

let world: World;
let root: Person;
let ada: Person;
let bob: Person;
let eve: Person;

beforeAll(async () => {
  world = await createWorld({ overrides: { engine: new ScriptedEngine() }, running: true });
  // Who is first is the admin of the installation, who has no more rights in workspaces than others.
  root = await world.as('Root');
  [ada, bob, eve] = [await world.as('Ada'), await world.as('Bob'), await world.as('Eve')];
  for (const { user } of [ada, root]) {
    await world.deps.db.insertInto('workspaceLimits').values({ ownerId: user.id, workspaces: 100 }).execute();
  }
});

afterAll(() => world.close());

let made = 0;
/** A workspace of Ada's, with others in it. */
async function shared(...others: (readonly [Person, Member['role']])[]): Promise<Workspace> {
  made += 1;
  const workspace = await ada.rpc.workspaces.create.mutate({ name: `Shop ${made}` });
  for (const [person, role] of others) await joining(person, { id: workspace.id, role });
  return workspace;
}

async function joining(person: Person, wanted: { id: string; role: Member['role']; email?: string }) {
  const { link } = await ada.rpc.workspaces.invite.mutate(wanted);
  const token = link.split('/').at(-1) ?? '';
  return person.rpc.workspaces.accept.mutate({ token });
}

const within = ({ id }: { id: string }) => ({ headers: { 'x-workspace': id } });

function code(body: unknown): unknown {
  return typeof body === 'object' && body !== null && 'code' in body ? body.code : undefined;
}

describe('a workspace', () => {
  test('everyone has one of their own, which is named after them', async () => {
    const own = { id: ada.user.id, handle: ada.user.handle, personal: true, role: 'owner', members: 1 };
    expect((await ada.rpc.workspaces.list.query())[0]).toMatchObject({ ...own, name: 'Ada Tester' });
    expect((await ada.rest('GET /api/auth/user')).body).toMatchObject({
      workspace: { id: ada.user.id, name: 'Ada Tester', personal: true, role: 'owner' },
    });
  });

  test('what is made in one is seen by its members alone, wherever their session is', async () => {
    const workspace = await shared([bob, 'viewer']);
    const created = await ada.rest('POST /api/variable-groups', {
      ...within(workspace),
      body: { name: 'Ours' },
    });
    expect(created.status).toBe(201);
    expect((await bob.rest('GET /api/variable-groups', within(workspace))).body).toMatchObject([
      { name: 'Ours' },
    ]);
    expect((await ada.rest('GET /api/variable-groups')).body).toEqual([]);
    expect(await eve.rest('GET /api/variable-groups', within(workspace))).toMatchObject({ status: 404 });
    expect(await eve.rest('GET /api/variable-groups', within({ id: 'shop' }))).toMatchObject({ status: 404 });
    await bob.rpc.workspaces.enter.mutate({ id: workspace.id });
    expect((await bob.rest('GET /api/variable-groups')).body).toMatchObject([{ name: 'Ours' }]);
    expect((await bob.rest('GET /api/variable-groups', within(bob.user))).body).toEqual([]);
    const refused = await bob.rest('POST /api/variable-groups', { body: { name: 'Mine' } });
    expect(refused).toMatchObject({
      status: 403,
      body: {
        code: 'FORBIDDEN',
        message: 'You need the role Developer in this workspace to do this. You have Viewer.',
      },
    });
    await bob.rpc.workspaces.enter.mutate({ id: bob.user.id });
  });

  test('a download names its workspace in its address, and the header goes before that', async () => {
    const workspace = await shared([bob, 'viewer']);
    const { id } = await uploaded(world, ada, 'ours', within(workspace));
    const path = `GET /api/storage/${id}/download`;
    expect(await bob.rest(path)).toMatchObject({ status: 404 });
    expect(await bob.rest(`${path}?workspace=${workspace.id}`)).toMatchObject({ status: 200, text: 'ours' });
    expect(await bob.rest(`${path}?workspace=${workspace.id}`, within(bob.user))).toMatchObject({
      status: 404,
    });
    expect((await eve.rest(`${path}?workspace=${workspace.id}`)).status).toBe(401);
    const groups = await bob.rest(`GET /api/variable-groups?workspace=${workspace.id}`);
    expect(groups).toMatchObject({ status: 200, body: [] });
  });

  test('one key of idempotency is another in another workspace', async () => {
    const workspace = await shared();
    const headers = { 'idempotency-key': 'the-same-key-twice' };
    const [here, there] = [
      await ada.rest('POST /api/variable-groups', { headers, body: { name: 'Keyed' } }),
      await ada.rest('POST /api/variable-groups', {
        headers: { ...headers, 'x-workspace': workspace.id },
        body: { name: 'Keyed' },
      }),
    ];
    expect([here.status, there.status]).toEqual([201, 201]);
    expect(there.headers.get('idempotency-replayed')).toBeNull();
    expect(here.body).not.toEqual(there.body);
  });

  test('what is done about one is recorded there, whichever the call is made in', async () => {
    const workspace = await shared([bob, 'viewer']);
    const { id } = workspace;
    await ada.rpc.workspaces.changeMember.mutate({ id, userId: bob.user.id, role: 'developer' });
    await bob.rpc.workspaces.leave.mutate({ id });
    const { body } = await ada.rest('GET /api/audit', within(workspace));
    expect((body as { procedure: string }[]).map(({ procedure }) => procedure)).toEqual(
      ['leave', 'changeMember', 'accept', 'invite', 'create'].map((name) => `workspaces.${name}`),
    );
    await bob.rest('PATCH /api/auth/user', {
      ...within(workspace),
      body: { firstName: 'Bob', lastName: '' },
    });
    const { records } = await world.deps.db
      .selectFrom('auditLog')
      .select(({ fn }) => fn.countAll<number>().as('records'))
      .where('chain', '=', INSTALLATION)
      .where('actorId', '=', bob.user.id)
      .executeTakeFirstOrThrow();
    expect(records).toBe(0);
  });

  test("guests of a personal one see nothing of its person's log-ins", async () => {
    const sam = await world.as('Sam');
    const { id } = sam.user;
    const { link } = await sam.rpc.workspaces.invite.mutate({ id, role: 'admin' });
    await eve.rpc.workspaces.accept.mutate({ token: link.split('/').at(-1) ?? '' });
    const seenBy = async (person: Person) => {
      const { body } = await person.rest('GET /api/audit', within(sam.user));
      return (body as { procedure: string }[]).map(({ procedure }) => procedure);
    };
    expect(await seenBy(sam)).toEqual(['workspaces.accept', 'workspaces.invite', 'auth.signUp']);
    expect(await seenBy(eve)).toEqual(['workspaces.accept', 'workspaces.invite']);
    expect((await eve.rest('GET /api/audit/export', within(sam.user))).status).toBe(403);
    expect((await sam.rest('GET /api/audit/export', within(sam.user))).status).toBe(200);
    await sam.rpc.workspaces.removeMember.mutate({ id, userId: eve.user.id });
  });

  test('is renamed, and called so', async () => {
    const { id, handle } = await shared();
    expect(await ada.rest(`PATCH /api/workspaces/${id}`, { body: { name: ' New  name' } })).toMatchObject({
      status: 200,
      body: { name: 'New  name', handle },
    });
  });

  test('nobody reads what another member asked the assistant', async () => {
    const workspace = await shared([bob, 'developer']);
    const { body } = await ada.rest('POST /api/assistant/sessions', {
      ...within(workspace),
      body: { resourceScope: 'general' },
    });
    const { id } = body as { id: string };
    const messages = `GET /api/assistant/sessions/${id}/messages`;
    expect((await ada.rest(messages, within(workspace))).status).toBe(200);
    expect((await bob.rest(messages, within(workspace))).status).toBe(404);
  });
});

describe('members', () => {
  test('join by a link once, and only who it is for', async () => {
    const { id, name } = await shared();
    const invited = await ada.rest(`POST /api/workspaces/${id}/invitations`, {
      body: { role: 'developer', email: 'bob@example.com' },
    });
    expect(invited).toMatchObject({
      status: 201,
      body: { email: 'bob@example.com', invitedBy: 'ada@example.com' },
    });
    const token = (invited.body as { link: string }).link.split('/join/')[1];
    const link = `/api/workspace-invitations/${token}`;
    expect((await world.anyone.rest(`GET ${link}`)).body).toEqual({
      workspace: name,
      role: 'developer',
      invitedBy: 'ada@example.com',
      email: 'bob@example.com',
      state: 'open',
    });
    expect(code((await eve.rest(`POST ${link}`)).body)).toBe('INVITATION_EMAIL');
    expect(await bob.rest(`POST ${link}`)).toMatchObject({
      status: 200,
      body: { id, role: 'developer', members: 2 },
    });
    expect(await bob.rest(`POST ${link}`)).toMatchObject({ status: 409, body: { code: 'INVITATION_USED' } });
    expect((await world.anyone.rest(`GET ${link}`)).body).toMatchObject({ state: 'used' });
    expect((await eve.rest('POST /api/workspace-invitations/none')).status).toBe(404);
    expect((await ada.rest(`GET /api/workspaces/${id}/members`)).body).toMatchObject([
      { email: 'bob@example.com', role: 'developer', service: false },
      { email: 'ada@example.com', role: 'owner' },
    ]);
  });

  test('are listed in pages, those who joined last first, also of one moment', async () => {
    const workspace = await shared([bob, 'viewer'], [eve, 'viewer']);
    const { id } = workspace;
    const moment = new Date().toISOString();
    await world.deps.db
      .updateTable('workspaceMembers')
      .set({ joinedAt: moment })
      .where('workspaceId', '=', id)
      .where('userId', '!=', bob.user.id)
      .execute();
    const all = await ada.rpc.workspaces.members.query({ id });
    expect(all.map(({ userId }) => userId)).toEqual([eve.user.id, ada.user.id, bob.user.id]);
    const second = await ada.rpc.workspaces.members.query({ id, limit: 1, cursor: eve.user.id });
    expect(second).toEqual(all.slice(1, 2));
    expect(await ada.rpc.workspaces.members.query({ id, cursor: ada.user.id })).toEqual(all.slice(2));
    expect(await ada.rpc.workspaces.members.query({ id, cursor: root.user.id })).toEqual([]);
  });

  test('a link ends with who made it, and with the workspace', async () => {
    const { id, name } = await shared([bob, 'admin'], [eve, 'admin']);
    const kim = await world.as('Kim');
    const linkBy = async (person: Person) => {
      const { link } = await person.rpc.workspaces.invite.mutate({ id, role: 'viewer' });
      return `POST /api/workspace-invitations/${link.split('/').at(-1)}`;
    };
    const [ofBob, ofEve, ofAda] = [await linkBy(bob), await linkBy(eve), await linkBy(ada)];
    await ada.rpc.workspaces.changeMember.mutate({ id, userId: bob.user.id, role: 'viewer' });
    await ada.rpc.workspaces.removeMember.mutate({ id, userId: eve.user.id });
    for (const link of [ofBob, ofEve]) {
      expect(await kim.rest(link)).toMatchObject({ status: 409, body: { code: 'INVITATION_REVOKED' } });
    }
    await ada.rpc.workspaces.remove.mutate({ id, name });
    expect((await kim.rest(ofAda)).status).toBe(404);
  });

  test('an invitation that was revoked, or is over, says so', async () => {
    const { id } = await shared();
    const links = [];
    for (const role of ['viewer', 'viewer'] as const) {
      const invitation = await ada.rpc.workspaces.invite.mutate({ id, role });
      links.push({ ...invitation, token: invitation.link.split('/').at(-1) ?? '' });
    }
    const [first, second] = links;
    await ada.rpc.workspaces.revokeInvitation.mutate({ id, invitationId: first?.id ?? '' });
    await world.deps.db
      .updateTable('workspaceInvitations')
      .set({ expiresAt: '2020-01-01T00:00:00Z' })
      .where('id', '=', second?.id ?? '')
      .execute();
    expect(await ada.rpc.workspaces.invitations.query({ id })).toEqual([]);
    for (const [link, state] of [
      [first, 'REVOKED'],
      [second, 'ENDED'],
    ] as const) {
      const answer = await eve.rest(`POST /api/workspace-invitations/${link?.token}`);
      expect(answer).toMatchObject({ status: 409, body: { code: `INVITATION_${state}` } });
    }
  });

  test('two people at once use one link once', async () => {
    const { id } = await shared();
    const { link } = await ada.rpc.workspaces.invite.mutate({ id, role: 'viewer' });
    const path = `POST /api/workspace-invitations/${link.split('/').at(-1)}`;
    const answers = await Promise.all([bob.rest(path), eve.rest(path)]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409]);
  });

  test('only owners make and unmake owners, and the last one stays', async () => {
    const { id } = await shared([bob, 'admin'], [eve, 'viewer']);
    const at = (person: Person) => `/api/workspaces/${id}/members/${person.user.id}`;
    const role = (value: string) => ({ body: { role: value } });
    expect((await bob.rest(`PATCH ${at(eve)}`, role('owner'))).status).toBe(403);
    expect((await bob.rest(`PATCH ${at(ada)}`, role('viewer'))).status).toBe(403);
    expect((await bob.rest(`DELETE ${at(ada)}`)).status).toBe(403);
    expect((await bob.rest(`PATCH ${at(eve)}`, role('developer'))).body).toMatchObject({ role: 'developer' });
    for (const answer of [
      await ada.rest(`PATCH ${at(ada)}`, role('admin')),
      await ada.rest(`DELETE ${at(ada)}`),
      await ada.rest(`POST /api/workspaces/${id}/leave`),
    ]) {
      expect(answer).toMatchObject({ status: 409, body: { code: 'LAST_OWNER' } });
    }
    expect((await ada.rest(`POST /api/workspaces/${ada.user.id}/leave`)).body).toMatchObject({
      code: 'PERSONAL',
    });
    expect((await eve.rest(`DELETE ${at(bob)}`)).status).toBe(403);
    expect((await eve.rest(`POST /api/workspaces/${id}/leave`)).status).toBe(200);
    expect((await eve.rest(`GET /api/workspaces/${id}/members`)).status).toBe(404);
  });

  test('of two owners who leave at once, one stays', async () => {
    const { id } = await shared([bob, 'owner']);
    const answers = await Promise.all([ada, bob].map((one) => one.rest(`POST /api/workspaces/${id}/leave`)));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409]);
  });

  test('who is removed has nothing open there any more', async () => {
    const workspace = await shared([bob, 'developer']);
    await bob.rpc.workspaces.enter.mutate({ id: workspace.id });
    const { token } = await bob.rpc.auth.createToken.mutate({ name: 'CI', scope: 'read' });
    const authorization = `Bearer ${token}`;
    expect((await world.anyone.rest('GET /api/projects', { headers: { authorization } })).status).toBe(200);
    const stream = await fetch(`${world.url}/trpc/databases.changes`, {
      headers: { cookie: bob.cookie, accept: 'text/event-stream' },
    });
    const reader = stream.body?.getReader();
    await reader?.read();
    const ended = (async () => {
      for (;;) if ((await reader?.read())?.done !== false) return;
    })().catch(() => {});
    await ada.rpc.workspaces.removeMember.mutate({ id: workspace.id, userId: bob.user.id });
    await ended;
    expect((await world.anyone.rest('GET /api/projects', { headers: { authorization } })).status).toBe(401);
    expect((await bob.rest('GET /api/auth/user')).body).toMatchObject({ workspace: { id: bob.user.id } });
  });
});

describe('tokens', () => {
  test('open the workspace that they were made in, and no other', async () => {
    const workspace = await shared();
    const made = await ada.rest('POST /api/auth/tokens', {
      ...within(workspace),
      body: { name: 'CI', scope: 'write' },
    });
    expect(made.body).toMatchObject({ workspaceId: workspace.id, resource: null });
    const authorization = `Bearer ${(made.body as { token: string }).token}`;
    const group = await world.anyone.rest('POST /api/variable-groups', {
      headers: { authorization },
      body: { name: 'By token' },
    });
    expect(group.status).toBe(201);
    expect((await ada.rest('GET /api/variable-groups', within(workspace))).body).toMatchObject([
      { name: 'By token' },
    ]);
    const headers = { authorization, 'x-workspace': ada.user.id };
    expect((await world.anyone.rest('GET /api/variable-groups', { headers })).status).toBe(404);
    const list = await world.anyone.rest('GET /api/workspaces', { headers: { authorization } });
    expect(list.body).toMatchObject([{ id: workspace.id }]);
  });

  test('that are bound to a project open it alone', async () => {
    const projects = [];
    for (const name of ['one', 'two']) {
      const { body } = await ada.rest('POST /api/projects', { body: { name, template: 'static-site' } });
      projects.push(body as { id: string });
    }
    const [one, two] = projects;
    const body = { name: 'CI', scope: 'write', resource: { kind: 'project', id: one?.id } };
    const made = await ada.rest('POST /api/auth/tokens', { body });
    expect(made).toMatchObject({ status: 201, body: { resource: { kind: 'project', id: one?.id } } });
    const headers = { authorization: `Bearer ${(made.body as { token: string }).token}` };
    const asked = async (route: string) => (await world.anyone.rest(route, { headers })).status;
    expect(await asked(`GET /api/projects/${one?.id}`)).toBe(200);
    expect(await asked(`GET /api/projects/${two?.id}`)).toBe(404);
    expect(await asked('GET /api/projects')).toBe(403);
    expect(await asked(`DELETE /api/projects/${one?.id}`)).toBe(403);
    const foreign = { ...body, resource: { kind: 'project', id: one?.id } };
    expect((await eve.rest('POST /api/auth/tokens', { body: foreign })).status).toBe(400);
  });

  test('of service accounts end with the last owner who is let in', async () => {
    const sue = await world.as('Sue');
    const { id } = await sue.rpc.workspaces.create.mutate({ name: 'Sues' });
    const asked = { id, name: 'Deploys', role: 'developer' } as const;
    const { userId } = await sue.rpc.workspaces.createServiceAccount.mutate(asked);
    const { token } = await sue.rpc.workspaces.serviceToken.mutate({
      id,
      userId,
      name: 'CI',
      scope: 'write',
    });
    const status = async () => {
      const headers = { authorization: `Bearer ${token}` };
      return (await world.anyone.rest('GET /api/projects', { headers })).status;
    };
    expect(await status()).toBe(200);
    await root.rpc.admin.disable.mutate({ userId: sue.user.id });
    expect(await status()).toBe(401);
    await root.rpc.admin.enable.mutate({ userId: sue.user.id });
    expect(await status()).toBe(200);
  });

  test("of service accounts are no admin's of the installation", async () => {
    const { id } = await root.rpc.workspaces.create.mutate({ name: 'Roots' });
    const trust = async () => (await readOwner(world.deps.db, id))?.trust;
    expect(await trust()).toBe('admin');
    await root.rpc.workspaces.createServiceAccount.mutate({ id, name: 'Reads', role: 'viewer' });
    expect(await trust()).toBe('admin');
    await root.rpc.workspaces.createServiceAccount.mutate({ id, name: 'Deploys', role: 'developer' });
    expect(await trust()).toBe('member');
  });

  test('of service accounts go with the person whose workspace it was', async () => {
    const { user, rpc } = await world.as('Tom');
    const asked = { id: user.id, name: 'Deploys', role: 'developer' } as const;
    const { userId } = await rpc.workspaces.createServiceAccount.mutate(asked);
    const { db } = world.deps;
    await db.deleteFrom('users').where('id', '=', user.id).execute();
    expect(await db.selectFrom('users').select('id').where('id', '=', userId).execute()).toEqual([]);
  });

  test('are told with the name of what they open, while it is there', async () => {
    const record = { domain: 'bound.test', recordType: 'A', name: '@', value: '192.0.2.1' } as const;
    const { id: recordId } = await ada.rpc.dns.create.mutate(record);
    const zone = (await ada.rpc.dns.zones.query()).find(({ domain }) => domain === record.domain);
    const resource = { kind: 'zone', id: zone?.id ?? '' } as const;
    const made = await ada.rpc.auth.createToken.mutate({ name: 'DNS', scope: 'write', resource });
    const headers = { authorization: `Bearer ${made.token}` };
    const asked = async (route: string) => (await world.anyone.rest(route, { headers })).status;
    expect(await asked('GET /api/dns-zones/bound.test/zone-file')).toBe(200);
    expect(await asked('GET /api/dns-zones')).toBe(403);
    const named = async () => (await ada.rpc.auth.tokens.query()).find(({ id }) => id === made.id)?.resource;
    expect(made.resource).toEqual({ ...resource, name: 'bound.test' });
    expect(await named()).toEqual({ ...resource, name: 'bound.test' });
    await ada.rpc.dns.remove.mutate({ id: recordId });
    expect(await named()).toEqual({ ...resource, name: null });
  });

  test('of a service account are listed with their use, and ended one by one', async () => {
    const { id } = await shared([bob, 'admin']);
    const account = { id, name: 'Deploys', role: 'developer' } as const;
    const { userId } = await bob.rpc.workspaces.createServiceAccount.mutate(account);
    const tokens: { id: string; token: string }[] = [];
    for (const name of ['one', 'two']) {
      tokens.push(await bob.rpc.workspaces.serviceToken.mutate({ id, userId, name, scope: 'read' }));
    }
    const status = async (at: number) => {
      const headers = { authorization: `Bearer ${tokens[at]?.token}` };
      return (await world.anyone.rest('GET /api/projects', { headers })).status;
    };
    expect(await status(0)).toBe(200);
    const listed = await ada.rpc.workspaces.serviceTokens.query({ id, userId });
    expect(listed).toMatchObject([
      { name: 'two', lastUsedAt: null },
      { name: 'one', lastUsedAt: expect.any(String) },
    ]);
    expect(JSON.stringify(listed)).not.toContain('nph_');
    const path = `/api/workspaces/${id}/service-accounts`;
    expect((await ada.rest(`GET ${path}/${bob.user.id}/tokens`)).status).toBe(404);
    const own = await bob.rpc.auth.createToken.mutate({ name: 'Own', scope: 'read' });
    expect((await ada.rest(`DELETE ${path}/${bob.user.id}/tokens/${own.id}`)).status).toBe(404);
    expect((await ada.rest(`DELETE ${path}/${userId}/tokens/${own.id}`)).status).toBe(404);
    expect((await eve.rest(`DELETE ${path}/${userId}/tokens/${tokens[0]?.id}`)).status).toBe(404);
    expect((await ada.rest(`DELETE ${path}/${userId}/tokens/${tokens[0]?.id}`)).status).toBe(200);
    expect([await status(0), await status(1)]).toEqual([401, 200]);
  });

  test('of service accounts are all that these have', async () => {
    const { id, handle } = await shared([bob, 'admin']);
    const account = await bob.rest(`POST /api/workspaces/${id}/service-accounts`, {
      body: { name: 'Deploys', role: 'developer' },
    });
    expect(account).toMatchObject({ status: 201, body: { service: true, email: '', firstName: 'Deploys' } });
    const { userId } = account.body as Member;
    const path = `POST /api/workspaces/${id}/service-accounts/${userId}/tokens`;
    const made = await bob.rest(path, { body: { name: 'CI', scope: 'write' } });
    expect(made.status).toBe(201);
    const { token } = made.body as { token: string };
    const headers = { authorization: `Bearer ${token}` };
    expect((await world.anyone.rest('GET /api/projects', { headers })).status).toBe(200);
    const basic = Buffer.from(`${handle}:${token}`).toString('base64');
    const login = await fetch(`${world.url}/v2/token?scope=repository:${handle}/app:pull,push`, {
      headers: { authorization: `Basic ${basic}` },
    });
    expect(login.status).toBe(200);
    const ofPerson = path.replace(userId, bob.user.id);
    expect((await bob.rest(ofPerson, { body: { name: 'CI', scope: 'write' } })).status).toBe(404);
    const own = await ada.rest(`PATCH /api/workspaces/${id}/members/${userId}`, { body: { role: 'owner' } });
    expect(own.status).toBe(422);
    await bob.rpc.workspaces.removeMember.mutate({ id, userId });
    expect((await world.anyone.rest('GET /api/projects', { headers })).status).toBe(401);
    const gone = await world.deps.db.selectFrom('users').select('id').where('id', '=', userId).execute();
    expect(gone).toEqual([]);
  });

  test('push to the handle of their workspace as far as the role goes', async () => {
    const workspace = await shared([bob, 'viewer']);
    const tokenOf = async (person: Person) => {
      const { body } = await person.rest('POST /api/auth/tokens', {
        ...within(workspace),
        body: { name: 'Docker', scope: 'write' },
      });
      return (body as { token: string }).token;
    };
    const push = async (person: Person, namespace: string) => {
      const answer = await fetch(`${world.url}/v2/${namespace}/app/blobs/uploads/`, {
        method: 'POST',
        headers: { authorization: `Bearer ${await tokenOf(person)}` },
      });
      return answer.status;
    };
    expect(await push(ada, workspace.handle)).toBe(202);
    expect(await push(ada, ada.user.handle)).toBe(403);
    expect(await push(bob, workspace.handle)).toBe(403);
  });
});

describe('deleting a workspace', () => {
  test('takes its name, and everything in it goes', async () => {
    const { id, name } = await shared([bob, 'admin']);
    const at = within({ id });
    const project = await ada.rest('POST /api/projects', {
      ...at,
      body: { name: 'gone', template: 'static-site' },
    });
    expect(project.status).toBe(201);
    const file = await ada.rest('POST /api/storage/upload?fileName=a.txt', {
      headers: { ...at.headers, 'content-type': 'text/plain' },
      body: 'a',
    });
    expect(file.status).toBe(201);
    expect(await ada.rpc.workspaces.consequences.query({ id })).toMatchObject({
      projects: 1,
      files: 1,
      members: 2,
      obstacle: '',
    });
    const path = `DELETE /api/workspaces/${id}`;
    expect((await bob.rest(path, { body: { name } })).status).toBe(403);
    expect((await ada.rest(path, { body: { name: 'Other' } })).status).toBe(400);
    expect((await ada.rest(path, { body: { name } })).status).toBe(200);
    expect((await ada.rest('GET /api/projects', at)).status).toBe(404);
    await expect
      .poll(() => world.deps.db.selectFrom('workspaces').select('id').where('id', '=', id).execute(), {
        timeout: 60_000,
      })
      .toEqual([]);
    const files = await world.deps.db
      .selectFrom('storedFiles')
      .select('id')
      .where('ownerId', '=', id)
      .execute();
    expect(files).toEqual([]);
  });

  test('that nothing works on any more is gone on with, and one thing that fails keeps no other', async () => {
    const { id } = await shared();
    const { db, domains } = world.deps;
    const at = within({ id });
    await ada.rest('POST /api/projects', { ...at, body: { name: 'kept', template: 'static-site' } });
    await ada.rest('POST /api/storage/upload?fileName=a.txt', {
      headers: { ...at.headers, 'content-type': 'text/plain' },
      body: 'a',
    });
    await db
      .updateTable('workspaces')
      .set({ closingSince: new Date().toISOString() })
      .where('id', '=', id)
      .execute();
    const removed: string[] = [];
    const removals: Removals = [
      ['projects', () => Promise.reject(new Error('No.'))],
      ['storedFiles', async (_, file) => removed.push(file)],
    ];
    const signal = new AbortController().signal;
    await expect(emptyWorkspace(db, { id, removals, signal })).rejects.toThrow('No.');
    expect(removed).toHaveLength(1);
    await domains.workspaces.sweeps?.closingWorkspaces?.();
    await expect
      .poll(() => db.selectFrom('workspaces').select('id').where('id', '=', id).execute(), {
        timeout: 60_000,
      })
      .toEqual([]);
    const works = db
      .selectFrom('auditLog')
      .where('chain', '=', id)
      .where('procedure', '=', 'workspaces.empty');
    expect(await works.select(['subjectKind', 'via']).orderBy('id').execute()).toEqual(
      ['file', 'project', 'file'].map((subjectKind) => ({ subjectKind, via: 'system' })),
    );
  });

  test('is refused while it holds money, and for a personal one', async () => {
    const { id, name } = await shared();
    const at = within({ id });
    const account = await ada.rest('POST /api/payment-gateway/virtual-accounts', {
      ...at,
      body: { accountName: 'Till' },
    });
    expect(account.status).toBe(201);
    const received = await ada.rest('POST /api/payment-gateway/transactions/receive', {
      ...at,
      body: {
        virtualAccountId: (account.body as { id: string }).id,
        ...{ amount: 500, senderAccountNumber: '123456789012' },
        ...{ senderAccountName: 'Customer', senderBankName: 'Elsewhere' },
      },
    });
    expect(received.status).toBe(201);
    const refused = await ada.rest(`DELETE /api/workspaces/${id}`, { body: { name } });
    expect(refused).toMatchObject({ status: 409, body: { code: 'NOT_EMPTY' } });
    const own = await ada.rest(`DELETE /api/workspaces/${ada.user.id}`, { body: { name: 'Ada Tester' } });
    expect(own).toMatchObject({ status: 409, body: { code: 'PERSONAL' } });
  });

  test('keeps what the books refer to, and nothing else', async () => {
    const { id, name } = await shared();
    const account = await ada.rest('POST /api/payment-gateway/virtual-accounts', {
      ...within({ id }),
      body: { accountName: 'Empty' },
    });
    expect(account.status).toBe(201);
    const channel = await ada.rest('POST /api/alert-channels', {
      ...within({ id }),
      body: { type: 'webhook', name: 'Ours', kinds: [], address: 'https://hooks.example.test/secret' },
    });
    expect(channel.status).toBe(201);
    await ada.rpc.workspaces.remove.mutate({ id, name });
    await expect
      .poll(
        () =>
          world.deps.db
            .selectFrom('workspaces')
            .select(['closedAt', 'handle'])
            .where('id', '=', id)
            .execute(),
        { timeout: 60_000 },
      )
      .toEqual([{ closedAt: expect.any(String), handle: `closed-${id}` }]);
    const channels = world.deps.db.selectFrom('alertChannels').select('id').where('ownerId', '=', id);
    expect(await channels.execute()).toEqual([]);
  });
});
