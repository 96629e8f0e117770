import { contract, type Workspace } from '@nephos/contracts';
import type { Row } from '@nephos/contracts/kit';
import { callTRPCProcedure } from '@trpc/server';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { describeError } from '../../src/http/describe-error.ts';
import { createWorld, type Person, type World } from '../world.ts';
import { codeOf } from './two-step.ts';

let world: World;
/** The admin. */
let root: Person;
let ada: Person;
let bob: Person;
let shop: Workspace;

const REFUSAL = {
  code: 'SECOND_FACTOR_DEMANDED',
  message: 'This workspace requires two-step login. Set it up on your Account page, then try again.',
};
const refused = { status: 403, body: expect.objectContaining(REFUSAL) };

async function setUp(person: Person): Promise<void> {
  const { secret } = await person.rpc.auth.beginTotp.mutate();
  await person.rpc.auth.confirmTotp.mutate({ code: codeOf(secret) });
}

const within = ({ id }: { id: string }) => ({ headers: { 'x-workspace': id } });
const demand = (demanded: boolean, person = ada) =>
  person.rest(`PUT /api/workspaces/${shop.id}/second-factor`, { body: { demanded } });

beforeAll(async () => {
  world = await createWorld({ running: true });
  [root, ada, bob] = [await world.as('Root'), await world.as('Ada'), await world.as('Bob')];
  shop = await ada.rpc.workspaces.create.mutate({ name: 'Shop' });
  await world.deps.db
    .insertInto('workspaceMembers')
    .values({ workspaceId: shop.id, userId: bob.user.id, role: 'developer' })
    .execute();
});

afterAll(() => world.close());

test('is made by an owner, or an administrator, who has one', async () => {
  const none = { code: 'NO_SECOND_FACTOR', message: 'Set up two-step login on your Account page first.' };
  expect(await demand(true)).toMatchObject({ status: 409, body: none });
  expect(await demand(true, bob)).toMatchObject({ status: 403, body: { code: 'FORBIDDEN' } });
  expect(await demand(true, root)).toMatchObject({ status: 404 });
  await expect(root.rpc.admin.demandSecondFactor.mutate({ demanded: true })).rejects.toMatchObject({
    data: { httpStatus: 409, reason: 'NO_SECOND_FACTOR' },
  });
  await expect(ada.rpc.admin.demandSecondFactor.mutate({ demanded: true })).rejects.toMatchObject({
    data: { httpStatus: 403, reason: 'FORBIDDEN' },
  });
  const read = await bob.rest(`GET /api/workspaces/${shop.id}/second-factor`);
  expect(read.body).toEqual({ demanded: false, lacking: 2 });
  await setUp(ada);
});

describe('of the members of a workspace', () => {
  test('keeps out who has none, by every door, until they have one', async () => {
    const robot = await ada.rpc.workspaces.createServiceAccount.mutate({
      ...{ id: shop.id, name: 'CI', role: 'developer' },
    });
    const { token: service } = await ada.rpc.workspaces.serviceToken.mutate({
      ...{ id: shop.id, userId: robot.userId, name: 'CI', scope: 'write' },
    });
    const bobs = await bob.rest('POST /api/auth/tokens', {
      ...within(shop),
      body: { name: 'mine', scope: 'write' },
    });
    const { token } = bobs.body as { token: string };
    const file = await ada.rest('POST /api/storage/upload?fileName=a.txt', {
      headers: { ...within(shop).headers, 'content-type': 'text/plain' },
      body: 'a',
    });
    const { id: fileId } = file.body as { id: string };
    await bob.rpc.workspaces.enter.mutate({ id: shop.id });
    const project = await bob.rpc.projects.create.mutate({
      ...{ name: 'Site', repositoryUrl: 'file:///nowhere/app.git' },
    });
    const heard = Promise.withResolvers<void>();
    const ended = Promise.withResolvers<unknown>();
    const stream = bob.rpc.deployments.changes.subscribe(
      { id: project.id },
      { onData: () => heard.resolve(), onError: ended.resolve },
    );
    await heard.promise;

    expect(await demand(true)).toMatchObject({ status: 200, body: { demanded: true, lacking: 1 } });
    expect(await ended.promise).toMatchObject({ data: { reason: REFUSAL.code } });
    stream.unsubscribe();

    const bearer = (secret: string) => ({ headers: { authorization: `Bearer ${secret}` } });
    const basic = (account: string, secret: string) => ({
      headers: { authorization: `Basic ${Buffer.from(`${account}:${secret}`).toString('base64')}` },
    });
    const git = 'GET /git/site.git/info/refs?service=git-receive-pack';
    const doors = {
      rest: () => bob.rest('GET /api/projects', within(shop)),
      session: () => bob.rest('GET /api/projects'),
      elsewhere: () =>
        bob.rest(`GET /api/workspaces/${shop.id}/members`, { headers: within(bob.user).headers }),
      upload: () => bob.rest('POST /api/storage/upload?fileName=b.txt', { body: '"b"' }),
      download: () => bob.rest(`GET /api/storage/${fileId}/download`),
      token: () => world.anyone.rest('GET /api/projects', bearer(token)),
      git: () => world.anyone.rest(git, basic(bob.user.email, token)),
      login: () => world.anyone.rest('GET /v2/token', basic(bob.user.email, token)),
      registry: () => world.anyone.rest('GET /v2/', bearer(token)),
      terminal: () => bob.rest(`GET /api/projects/${project.id}/terminal`, within(bob.user)),
    };
    const answers = async () =>
      Object.fromEntries(
        await Promise.all(
          Object.entries(doors).map(async ([name, ask]) => [name, (await ask()).status] as const),
        ),
      );
    const all = (status: number) => Object.fromEntries(Object.keys(doors).map((name) => [name, status]));
    expect(await doors.rest()).toMatchObject(refused);
    expect(await doors.elsewhere()).toMatchObject(refused);
    expect((await doors.git()).text).toContain(REFUSAL.message);
    expect((await doors.login()).body).toMatchObject({
      errors: [{ code: 'DENIED', message: REFUSAL.message }],
    });
    await expect(bob.rpc.projects.list.query()).rejects.toMatchObject({ data: { reason: REFUSAL.code } });
    expect(await answers()).toEqual(all(403));

    // What is about the person, their other workspaces and those who need none goes on.
    expect((await bob.rest('GET /api/projects', within(bob.user))).status).toBe(200);
    expect((await bob.rpc.workspaces.list.query()).length).toBe(2);
    expect((await world.anyone.rest('GET /api/projects', bearer(service))).status).toBe(200);
    const demandedBy = { installation: false, workspaces: ['Shop'] };
    expect(await bob.rpc.auth.factors.query()).toMatchObject({ totp: false, demandedBy });

    await setUp(bob);
    // There is no app to open a terminal in, and the project is deployed from elsewhere.
    const opened = await answers();
    expect(opened).toEqual({ ...all(200), upload: 201, git: opened.git });
    expect((await doors.git()).text).not.toContain(REFUSAL.message);
    await bob.rpc.auth.removeTotp.mutate();
    expect(await answers()).toEqual(all(403));
    expect(await demand(false)).toMatchObject({ body: { demanded: false, lacking: 1 } });
    expect((await doors.rest()).status).toBe(200);
  });

  test('goes on the record of the workspace', async () => {
    const records = await world.deps.db
      .selectFrom('auditLog')
      .select(['chain', 'before', 'after'])
      .where('procedure', '=', 'workspaces.demandSecondFactor')
      .where('result', '=', 'done')
      .orderBy('id')
      .execute();
    expect(records.map(({ chain, after }) => [chain, after])).toEqual([
      [shop.id, expect.objectContaining({ demanded: true })],
      [shop.id, expect.objectContaining({ demanded: false })],
    ]);
  });
});

describe('of everyone on the server', () => {
  const ROWS = Object.entries(contract).flatMap(([domain, table]) =>
    Object.entries<Row>(table).map(([name, row]) => ({ path: `${domain}.${name}`, row })),
  );

  /** The rows that refuse a person for want of a second factor, each called with what none takes. */
  async function refusing({ cookie }: Person): Promise<string[]> {
    const identity = await world.deps.identify({ authorization: undefined, cookie, workspace: shop.id });
    const paths: string[] = [];
    for (const { path, row } of ROWS) {
      const input = row.workspaceField === undefined ? 'nothing' : { [row.workspaceField]: shop.id };
      const reason = await callTRPCProcedure({
        router: row.kind === 'bytes' ? world.deps.bytes : world.deps.router,
        ...{ path, type: row.kind === 'bytes' ? 'mutation' : row.kind, signal: undefined, batchIndex: 0 },
        ...{ ctx: { ...identity, requestId: 'walk' }, getRawInput: async () => input },
      }).then(
        () => '',
        (error) => describeError(error).reason,
      );
      if (reason === REFUSAL.code) paths.push(path);
    }
    return paths;
  }

  test('leaves only what is about the person, to an administrator as to anybody', async () => {
    await setUp(root);
    await world.deps.db.updateTable('users').set({ role: 'admin' }).where('id', '=', bob.user.id).execute();
    expect(await refusing(bob)).toEqual([]);
    expect(await root.rpc.admin.demandSecondFactor.mutate({ demanded: true })).toEqual({
      demanded: true,
      lacking: 1,
    });
    const closed = ROWS.filter(({ row }) =>
      row.access === 'public'
        ? row.kind === 'bytes'
        : row.access === 'admin' || row.needs !== 'account' || row.workspaceField !== undefined,
    );
    expect(await refusing(bob)).toEqual(closed.map(({ path }) => path));
    expect((await bob.rest('GET /api/projects')).body).toMatchObject({
      message: 'This server requires two-step login. Set it up on your Account page, then try again.',
    });
    expect(await refusing(ada)).toEqual([]);
    await root.rpc.admin.demandSecondFactor.mutate({ demanded: false });
    expect(await refusing(bob)).toEqual([]);
  });
});
