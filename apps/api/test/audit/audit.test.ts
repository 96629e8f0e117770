import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest';
import { INSTALLATION } from '../../src/platform/audit.ts';
import { createWorld, PASSWORD, type Person, type World } from '../world.ts';

let world: World;
let ada: Person;
let bob: Person;
/** The newest record before the test, or before what it looks at. */
let newest = INSTALLATION;

beforeAll(async () => {
  world = await createWorld({ running: true });
  ada = await world.as('Ada');
  bob = await world.as('Bob');
});
beforeEach(async () => {
  newest = (await all().execute()).at(-1)?.id ?? newest;
});
afterAll(() => world.close());

function all() {
  return world.deps.db.selectFrom('auditLog').selectAll().orderBy('id');
}

function records() {
  return all().where('id', '>', newest).execute();
}

async function create(person: Person, name: string, headers: Record<string, string> = {}): Promise<string> {
  const answer = await person.rest('POST /api/projects', { body: { name }, headers });
  expect(answer.status).toBe(201);
  return (answer.body as { id: string }).id;
}

test('a record says who did what, from where, and what it was before', async () => {
  const id = await create(ada, 'Shop');
  await ada.rpc.projects.update.mutate({ id, name: 'Market', settings: { nodeVersion: '22' } });
  const [, changed] = await records();
  expect(changed).toMatchObject({
    chain: ada.user.id,
    actorId: ada.user.id,
    actorEmail: 'ada@example.com',
    via: 'session',
    ip: '127.0.0.1',
    requestId: expect.stringMatching(/^[\da-f-]{36}$/),
    procedure: 'projects.update',
    subjectKind: 'project',
    subjectId: id,
    subjectName: 'Market',
    before: { name: 'Shop' },
    after: { name: 'Market', settings: { nodeVersion: '22' } },
    result: 'done',
  });
});

test('what is refused or undone leaves none, and what cannot be recorded is undone', async () => {
  const id = await create(ada, 'Mine');
  newest = (await records()).at(-1)?.id ?? newest;
  expect((await bob.rest(`PATCH /api/projects/${id}`, { body: { name: 'Theirs' } })).status).toBe(404);
  expect((await bob.rest(`DELETE /api/projects/${id}`)).status).toBe(404);
  expect((await bob.rest('POST /api/projects', { body: {} })).status).toBe(400);
  expect((await bob.rest('POST /api/admin/invitations', { body: {} })).status).toBe(403);
  const refused = { body: { name: 'Theirs' }, headers: { 'idempotency-key': 'refused' } };
  expect((await bob.rest(`PATCH /api/projects/${id}`, refused)).status).toBe(404);
  expect(await records()).toEqual([]);

  await sql`alter table unsealed_records add constraint unwritable check (record ->> 'procedure' <> 'projects.update') not valid`.execute(
    world.deps.db,
  );
  for (const headers of [{}, { 'idempotency-key': 'unwritable' }] as Record<string, string>[]) {
    const answer = await ada.rest(`PATCH /api/projects/${id}`, { body: { name: 'Unseen' }, headers });
    expect(answer.status).toBeGreaterThanOrEqual(400);
  }
  await sql`alter table unsealed_records drop constraint unwritable`.execute(world.deps.db);
  expect((await ada.rpc.projects.get.query({ id })).name).toBe('Mine');
  expect(await records()).toEqual([]);
});

test('what does not fit into the columns of a record is refused when it is written', async () => {
  const { db } = world.deps;
  const fits = {
    ...{ actor_email: '', via: 'system', procedure: 'billing.renew', result: 'done', subject_kind: 'bill' },
    ...{ actor_id: null, as_whom: ada.user.id },
  };
  const wrong = [
    ...[{ via: 'post' }, { result: null }, { actor_email: null }, { procedure: null }],
    ...[{ subject_kind: null }, { actor_id: 'ada' }, { as_whom: 'bob' }],
  ];
  for (const change of wrong) {
    const values = { chain: INSTALLATION, record: { ...fits, ...change } };
    await expect(db.insertInto('unsealedRecords').values(values).execute()).rejects.toThrow(
      /violates check|invalid input syntax for type uuid/,
    );
  }
  await db.insertInto('unsealedRecords').values({ chain: INSTALLATION, record: fits }).execute();
  expect(await records()).toMatchObject([{ actorId: null, asWhom: ada.user.id, before: null }]);
});

test('what is repeated with its key is recorded once', async () => {
  const key = { 'idempotency-key': 'once' };
  expect(await create(ada, 'Once', key)).toBe(await create(ada, 'Once', key));
  expect(await records()).toHaveLength(1);
});

test('an access token is named, and its first use recorded once', async () => {
  const { token } = await ada.rpc.auth.createToken.mutate({ name: 'CI', scope: 'write' });
  const headers = { authorization: `Bearer ${token}` };
  await world.anyone.rest('GET /api/projects', { headers });
  await world.anyone.rest('POST /api/variable-groups', { body: { name: 'Mail' }, headers });
  expect((await records()).map(({ procedure, via, tokenName }) => [procedure, via, tokenName])).toEqual([
    ['auth.createToken', 'session', null],
    ['auth.useToken', 'token', 'CI'],
    ['variableGroups.create', 'token', 'CI'],
  ]);
});

test('who comes, goes or is refused is recorded, and never what was typed for a password', async () => {
  const logIn = (email: string, password: string) =>
    world.anyone.rest('POST /api/login', { body: { email, password } });
  await logIn('ada@example.com', 'not the password');
  await logIn('secret-typed-here@example.com', PASSWORD);
  const { headers } = await logIn('ada@example.com', PASSWORD);
  const cookie = headers
    .getSetCookie()
    .map((one) => one.split(';')[0])
    .join('; ');
  await world.anyone.rest('GET /api/logout', { headers: { cookie } });
  await world.anyone.rest('GET /api/logout', { headers: { cookie } });
  await world.as('Carol');
  const told = (await records()).map(({ procedure, result, chain }) => [procedure, result, chain]);
  expect(told.slice(0, 4)).toEqual([
    ['auth.logIn', 'refused', ada.user.id],
    ['auth.logIn', 'refused', INSTALLATION],
    ['auth.logIn', 'done', ada.user.id],
    ['auth.logOut', 'done', ada.user.id],
  ]);
  expect(told.slice(4)).toEqual([['auth.signUp', 'done', expect.any(String)]]);
  const text = JSON.stringify(await records());
  for (const typed of ['not the password', 'secret-typed-here', PASSWORD]) expect(text).not.toContain(typed);
});

test('words are searched for thirty times a minute and person, and the list is there without', async () => {
  const search = async (person: Person) => (await person.rest('GET /api/audit?search=x')).status;
  world.deps.settings.rateLimits = true;
  onTestFinished(() => {
    world.deps.settings.rateLimits = false;
  });
  const answers: number[] = [];
  for (let n = 0; n < 31; n += 1) answers.push(await search(ada));
  expect(answers).toEqual([...Array.from({ length: 30 }, () => 200), 429]);
  expect((await ada.rest('GET /api/admin/audit?search=x')).status).toBe(429);
  expect((await ada.rest('GET /api/audit')).status).toBe(200);
  expect(await search(bob)).toBe(200);
});

test('what administrators do belongs to the installation; long and odd values are cut and kept', async () => {
  await ada.rpc.admin.changeRole.mutate({ userId: bob.user.id, role: 'admin' });
  await ada.rpc.admin.changeRole.mutate({ userId: bob.user.id, role: 'member' });
  const variables = Array.from({ length: 90 }, (_, n) => ({ name: `V_${n}_${'X'.repeat(90)}`, value: 'v' }));
  const id = await create(bob, 'Odd 😀');
  await bob.rpc.projects.setVariables.mutate({ id, variables });
  const [role, back, , set] = await records();
  expect(role).toMatchObject({
    ...{ chain: INSTALLATION, subjectKind: 'person', subjectId: bob.user.id },
    ...{ before: { role: 'member' }, after: { role: 'admin' } },
  });
  expect(back).toMatchObject({ before: { role: 'admin' }, after: { role: 'member' } });
  expect(JSON.stringify(set?.after).length).toBeLessThanOrEqual(2000);
  expect(set?.after).toMatchObject({ tooLong: true });
});
