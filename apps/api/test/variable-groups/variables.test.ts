// biome-ignore-all lint/suspicious/noTemplateCurlyInString: references are written so
import { MAX_LINKED_GROUPS, MAX_VARIABLE_GROUPS, type Project, type VariableGroup } from '@nephos/contracts';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { createAppLogs } from '../../src/domains/deployments/app-log.ts';
import { createLiveDeployments } from '../../src/domains/deployments/live.ts';
import { resolveVariables } from '../../src/domains/deployments/resolve-variables.ts';
import { createScriptedEngine } from '../databases/scripted-database-engine.ts';
import { ScriptedEngine } from '../deployments/fixtures/scripted-engine.ts';
import { createWorld, type Person, type World } from '../world.ts';

const REPOSITORY = 'https://git.example.com/ada/app.git';
const ABSENT = '01890000-0000-7000-8000-000000000000';
const PATIENCE = { timeout: 60_000, interval: 20 };
const NO: Parameters<Awaited<ReturnType<ScriptedEngine['runOf']>>['end']>[0] = {
  status: 'failed',
  step: 'build',
  error: 'No.',
};

let world: World;
let engine: ScriptedEngine;
let server: ReturnType<typeof createScriptedEngine>;
let ada: Person;
let bob: Person;

beforeAll(async () => {
  engine = new ScriptedEngine();
  server = createScriptedEngine('postgresql');
  const databaseEngines = {
    postgresql: server,
    mysql: createScriptedEngine('mysql'),
    mongodb: createScriptedEngine('mongodb'),
    redis: createScriptedEngine('redis'),
  };
  world = await createWorld({ overrides: { engine, databaseEngines }, running: true });
  ada = await world.as('Ada');
  bob = await world.as('Bob');
});

afterEach(async () => {
  server.before = async () => {};
  // Each run takes one of the places for builds until it ends.
  for (const run of engine.runs.splice(0)) run.end(NO);
  await world.deps.db.deleteFrom('projects').execute();
  await world.deps.db.deleteFrom('variableGroups').execute();
  for (const { id } of await ada.rpc.databases.list.query()) await ada.rpc.databases.remove.mutate({ id });
});

afterAll(() => world.close());

async function project(name = 'App', input: Record<string, unknown> = {}): Promise<Project> {
  const answer = await ada.rest('POST /api/projects', { body: { name, ...input } });
  expect(answer).toMatchObject({ status: 201 });
  return answer.body as Project;
}

async function database(name: string) {
  const { id } = await ada.rpc.databases.create.mutate({ name });
  await expect
    .poll(async () => (await ada.rpc.databases.get.query({ id })).status, PATIENCE)
    .toBe('available');
  return { id, url: (await ada.rpc.databases.connection.query({ id })).connectionString };
}

async function group(name: string, variables: Record<string, string> = {}): Promise<VariableGroup> {
  const list = Object.entries(variables).map(([key, value]) => ({ name: key, value }));
  return ada.rpc.variableGroups.create.mutate({ name, variables: list });
}

/** The next deployment of a project, as the engine is given it. */
async function deploy(id: string) {
  await ada.rpc.projects.update.mutate({ id, repositoryUrl: REPOSITORY });
  return engine.runOf((await ada.rpc.deployments.create.mutate({ id })).id);
}

async function ended(id: string) {
  const get = () => ada.rpc.deployments.get.query({ id });
  await expect.poll(async () => (await get()).finishedAt, PATIENCE).not.toBeNull();
  return get();
}

const logOf = async (id: string) => (await ada.rest(`GET /api/deployments/${id}/log`)).text;

describe('the scope of a variable', () => {
  test('decides whether build, app or both get it, stays with its value, and goes back with a rollback', async () => {
    const { id } = await project();
    const set = (name: string, body: object) =>
      ada.rest(`PUT /api/projects/${id}/variables/${name}`, { body });
    expect(await set('BOTH', { value: '1' })).toMatchObject({ status: 200, body: { scope: 'all' } });
    expect(await set('BUILD', { value: '2', scope: 'build' })).toMatchObject({ body: { scope: 'build' } });
    await ada.rpc.projects.setVariable.mutate({ id, name: 'RUN', value: '3', scope: 'run' });
    // Replaced without a scope, it keeps the one it has.
    expect(await set('RUN', { value: '4' })).toMatchObject({ body: { scope: 'run' } });
    const first = await deploy(id);
    expect(first.job.variables).toEqual({ BOTH: '1', RUN: '4' });
    expect(first.job.buildVariables).toEqual({ BOTH: '1', BUILD: '2' });
    await first.job.onProgress({ releaseKept: true });
    await first.succeed();
    await ended(first.job.deploymentId);

    const change = { id, name: 'BOTH', scope: 'run' as const };
    expect(await ada.rpc.projects.scopeVariable.mutate(change)).toMatchObject({ scope: 'run' });
    const second = await deploy(id);
    expect(second.job.buildVariables).toEqual({ BUILD: '2' });
    second.end(NO);
    await ended(second.job.deploymentId);
    const rollback = await ada.rpc.deployments.rollback.mutate({ id: first.job.deploymentId });
    expect((await engine.runOf(rollback.id)).job.buildVariables).toEqual({ BOTH: '1', BUILD: '2' });
  });

  test('is one of three, of a variable that is there', async () => {
    const { id } = await project();
    const patch = (name: string, scope: string) =>
      ada.rest(`PATCH /api/projects/${id}/variables/${name}`, { body: { scope } });
    expect(await patch('A', 'test')).toMatchObject({
      status: 400,
      body: { fields: [{ path: 'scope', message: 'Scope must be one of all, build, run.' }] },
    });
    expect(await patch('A', 'run')).toMatchObject({ status: 404 });
  });

  test('of what an earlier server queued is all', async () => {
    const { id } = await project('Old', { variables: [{ name: 'A', value: 'x', scope: 'build' }] });
    const run = await deploy(id);
    await run.job.onProgress({ releaseKept: true });
    await run.succeed();
    await ended(run.job.deploymentId);
    await world.deps.db
      .updateTable('deployments')
      .set({ variableScopes: '{}', resolvedVariables: null })
      .where('id', '=', run.job.deploymentId)
      .execute();
    const rollback = await ada.rpc.deployments.rollback.mutate({ id: run.job.deploymentId });
    expect((await engine.runOf(rollback.id)).job.variables).toEqual({ A: 'x' });
  });
});

describe('a reference', () => {
  test('is shown instead of its value, and resolved anew with each start', async () => {
    const shop = await database('Shop');
    const { id } = await project('App', {
      variables: [
        { name: 'DATABASE_URL', value: `\${{ databases.Shop.url }}` },
        { name: 'PGHOST', value: `\${{databases.${shop.id}.host}}` },
        { name: 'GREETING', value: `hello \${{databases.Shop.user}} at \${{projects.app.url}}` },
      ],
    });
    expect(await ada.rpc.projects.variables.query({ id })).toMatchObject([
      { name: 'DATABASE_URL', references: ['databases.Shop.url'], reference: 'databases.Shop.url' },
      { name: 'GREETING', references: ['databases.Shop.user', 'projects.app.url'], reference: null },
      { name: 'PGHOST', reference: `databases.${shop.id}.host` },
    ]);
    const first = await deploy(id);
    const user = new URL(shop.url).username;
    expect(first.job.variables).toEqual({
      DATABASE_URL: shop.url,
      PGHOST: '127.0.0.1',
      GREETING: `hello ${user} at ${world.deps.appAddress('app')}`,
    });
    // The password by itself is no more readable than the address that it is part of; a host is no secret.
    const password = new URL(shop.url).password;
    first.log.write('stdout', `url ${shop.url} password ${password} host 127.0.0.1\n`);
    await first.job.onProgress({ releaseKept: true });
    await first.succeed();
    await ended(first.job.deploymentId);
    expect(await logOf(first.job.deploymentId)).toBe('url *** password *** host 127.0.0.1\n');

    const { connectionString } = await ada.rpc.databases.rotatePassword.mutate({ id: shop.id });
    expect(connectionString).not.toBe(shop.url);
    const live = createLiveDeployments({ ...world.deps, appLogs: createAppLogs(world.deps) });
    // What runs has what it was started with, also where the server starts again.
    expect(await live.all()).toMatchObject([{ variables: { DATABASE_URL: shop.url } }]);
    const late = live.logFor(first.job);
    late.write('stdout', `still ${password}\n`);
    await late.close();
    expect(await logOf(first.job.deploymentId)).toContain('still ***\n');
    const restart = await ada.rpc.deployments.restartApp.mutate({ id });
    const second = await engine.runOf(restart.id);
    expect(second.job.variables.DATABASE_URL).toBe(connectionString);
    second.end(NO);
    await ended(restart.id);
    const rollback = await ada.rpc.deployments.rollback.mutate({ id: first.job.deploymentId });
    expect((await engine.runOf(rollback.id)).job.variables.DATABASE_URL).toBe(connectionString);
  });

  const refused: [string, string, string][] = [
    [
      'another kind',
      '${{secrets.KEY}}',
      '“${{secrets.KEY}}” is not a reference. Use ${{databases.<name>.url}} or ${{projects.<name>.url}}.',
    ],
    [
      'no field',
      '${{databases.shop}}',
      '“${{databases.shop}}” is not a reference. Use ${{databases.<name>.url}} or ${{projects.<name>.url}}.',
    ],
    [
      'another field',
      '${{databases.shop.uri}}',
      '“uri” is not a field of databases. They have url, host, port, name, user and password.',
    ],
    [
      'no end',
      'a ${{databases.shop.url',
      'A reference is not complete. Use ${{databases.<name>.url}} or ${{projects.<name>.url}}.',
    ],
    [
      'a database of nobody',
      '${{databases.shop.url}}',
      'You have no database named shop. Your databases: Mine.',
    ],
    ['a project of nobody', '${{projects.shop.url}}', 'You have no project named shop. Your projects: app.'],
  ];

  test('that leads nowhere is refused at its field, with what there is', async () => {
    const { id } = await project();
    await database('Mine');
    await bob.rpc.databases.create.mutate({ name: 'shop' });
    await bob.rpc.projects.create.mutate({ name: 'shop' });
    for (const [, value, message] of refused) {
      expect(await ada.rest(`PUT /api/projects/${id}/variables/A`, { body: { value } })).toMatchObject({
        status: 400,
        body: { message, code: 'VALIDATION', fields: [{ path: 'value', message }] },
      });
      const variables = [
        { name: 'B', value: 'x' },
        { name: 'A', value },
      ];
      expect(await ada.rest(`PUT /api/projects/${id}/variables`, { body: { variables } })).toMatchObject({
        status: 400,
        body: { fields: [{ path: 'variables.1.value', message }] },
      });
    }
    expect(await ada.rpc.projects.variables.query({ id })).toEqual([]);
    await bob.rpc.databases.remove.mutate({ id: (await bob.rpc.databases.list.query())[0]?.id ?? '' });
  });

  test('to one of several projects of a name asks for a slug', async () => {
    const { id } = await project('Twin');
    const { slug } = await project('Twin');
    const set = (value: string) => ada.rest(`PUT /api/projects/${id}/variables/A`, { body: { value } });
    const answer = await set('${{projects.Twin.url}}');
    expect(answer).toMatchObject({ status: 400 });
    expect((answer.body as { message: string }).message).toMatch(
      /^Several projects are named Twin\. Use one of/,
    );
    expect(await set(`\${{projects.${slug}.url}}`)).toMatchObject({ status: 200 });
  });

  test('to a database that was deleted fails the deployment, which says so, and not one that does not need it', async () => {
    const { id: shop } = await database('shop');
    const { id } = await project('App', {
      variables: [{ name: 'MIGRATE_URL', value: '${{databases.shop.url}}', scope: 'build' }],
    });
    expect((await ada.rest(`GET /api/databases/${shop}/projects`)).body).toEqual([{ id, name: 'App' }]);
    expect(await bob.rest(`GET /api/databases/${shop}/projects`)).toMatchObject({ status: 404 });
    const first = await deploy(id);
    await first.job.onProgress({ releaseKept: true });
    await first.succeed();
    await ended(first.job.deploymentId);
    await ada.rpc.databases.remove.mutate({ id: shop });
    const { id: failing } = await ada.rpc.deployments.create.mutate({ id });
    const error =
      'Reading variables failed: MIGRATE_URL refers to databases.shop.url, but there is no database named shop.';
    expect(await ended(failing)).toMatchObject({ status: 'failed', step: 'variables', error });
    expect(await logOf(failing)).toBe(`${error}\n`);
    // The release was built already.
    const rollback = await ada.rpc.deployments.rollback.mutate({ id: first.job.deploymentId });
    expect((await engine.runOf(rollback.id)).job.variables).toEqual({});
  });

  test('waits for a database that is being created, for as long as there is patience', async () => {
    const made = Promise.withResolvers<void>();
    server.before = (operation) => (operation === 'create' ? made.promise : Promise.resolve());
    const { id, latestDeployment } = await project('Waiting', {
      repositoryUrl: REPOSITORY,
      newDatabase: { name: 'slow' },
    });
    const deployment = latestDeployment?.id ?? '';
    const parts = { ...world.deps, databases: world.deps.domains.databases };
    const kept = [{ name: 'URL', scope: 'all' as const, text: '${{databases.slow.url}}' }];
    const impatient = {
      ownerId: ada.user.id,
      projectId: id,
      signal: new AbortController().signal,
      say: () => {},
      patience: 0,
    };
    await expect(resolveVariables(parts, kept, impatient)).rejects.toThrow(
      'Reading variables failed: URL refers to databases.slow.url, but this database was not ready within 0 minutes.',
    );
    await expect
      .poll(() => logOf(deployment), PATIENCE)
      .toBe('Waiting for the database slow to be created.\n');
    expect(await ada.rpc.deployments.get.query({ id: deployment })).toMatchObject({ step: 'variables' });
    made.resolve();
    const run = await engine.runOf(deployment);
    expect(run.job.variables.DATABASE_URL).toMatch(/^scripted:\/\/db_/);
    run.end(NO);
    await ended(deployment);

    server.before = async () => {
      throw new Error('no');
    };
    await ada.rpc.databases.create.mutate({ name: 'broken' });
    await ada.rpc.projects.setVariable.mutate({ id, name: 'OTHER', value: '${{databases.broken.port}}' });
    const { id: failing } = await ada.rpc.deployments.create.mutate({ id });
    expect((await ended(failing)).error).toMatch(
      /^Reading variables failed: OTHER refers to databases\.broken\.port, but this database could not be created\./,
    );
  });

  test('can be cancelled while it is waited for', async () => {
    const made = Promise.withResolvers<void>();
    server.before = (operation) => (operation === 'create' ? made.promise : Promise.resolve());
    const { latestDeployment } = await project('Given up', {
      repositoryUrl: REPOSITORY,
      newDatabase: { name: 'slow' },
    });
    const id = latestDeployment?.id ?? '';
    await expect
      .poll(async () => (await ada.rpc.deployments.get.query({ id })).step, PATIENCE)
      .toBe('variables');
    await ada.rpc.deployments.cancel.mutate({ id });
    expect(await ended(id)).toMatchObject({ status: 'cancelled', error: 'Cancelled.' });
    made.resolve();
  });
});

test('variables that no process can be given fail the deployment with how many there are', async () => {
  const { id } = await project();
  const wide = '€'.repeat(16_384);
  for (const at of [0, 10, 20, 30]) {
    const variables = Array.from({ length: 10 }, (_, n) => ({ name: `V${at + n}`, value: wide }));
    await ada.rpc.projects.setVariables.mutate({ id, variables });
  }
  await ada.rpc.projects.update.mutate({ id, repositoryUrl: REPOSITORY });
  const deployment = await ada.rpc.deployments.create.mutate({ id });
  expect(await ended(deployment.id)).toMatchObject({
    step: 'variables',
    error:
      'Reading variables failed: all variables together take 1.9 MiB, and a process can be given up to 1.5 MiB.',
  });
});

describe('a new project', () => {
  test('has its variables and an existing database from its first deployment on', async () => {
    const { id: databaseId, url } = await database('shop');
    const created = await project('Linked', {
      repositoryUrl: REPOSITORY,
      databaseId,
      variables: [{ name: 'TOKEN', value: 'abc', scope: 'build' }],
    });
    const run = await engine.runOf(created.latestDeployment?.id ?? '');
    expect(run.job.variables).toEqual({ DATABASE_URL: url });
    expect(run.job.buildVariables).toEqual({ DATABASE_URL: url, TOKEN: 'abc' });
    expect(await ada.rpc.projects.variables.query({ id: created.id })).toMatchObject([
      { name: 'DATABASE_URL', reference: 'databases.shop.url' },
      { name: 'TOKEN', scope: 'build' },
    ]);
  });

  test('is not made where its variables or its database cannot be', async () => {
    const { id: databaseId } = await database('shop');
    const foreign = await bob.rpc.databases.create.mutate({ name: 'theirs' });
    const variables = [{ name: 'DATABASE_URL', value: 'x' }];
    const cases: [object, number, string, string | undefined][] = [
      [
        { databaseId: foreign.id },
        400,
        "This database doesn't exist anymore. Choose another one.",
        'databaseId',
      ],
      [
        { databaseId, newDatabase: { name: 'x' } },
        400,
        'Choose an existing database or create one, not both.',
        'databaseId',
      ],
      [
        { databaseId, variables },
        400,
        'DATABASE_URL is set by the database you chose. Remove one of them.',
        'variables.0.name',
      ],
      [{ newDatabase: { name: 'shop' } }, 409, 'You already have a database named shop.', undefined],
      [{ newDatabase: { name: ' ' } }, 400, 'Database name is required.', 'newDatabase.name'],
      [
        { newDatabase: { name: 'fresh' }, variables: [{ name: 'A', value: '${{databases.x.url}}' }] },
        400,
        'You have no database named x. Your databases: fresh, shop.',
        'variables.0.value',
      ],
    ];
    for (const [input, status, message, path] of cases) {
      const answer = await ada.rest('POST /api/projects', { body: { name: 'No', ...input } });
      expect(answer).toMatchObject({
        status,
        body: { message, ...(path && { fields: [{ path, message }] }) },
      });
    }
    expect(await ada.rpc.projects.list.query()).toEqual([]);
    expect((await ada.rpc.databases.list.query()).map(({ name }) => name)).toEqual(['shop']);
    await bob.rpc.databases.remove.mutate({ id: foreign.id });
  });
});

describe('a group of variables', () => {
  test('gives its variables to the projects it is linked to: their own win, then the group linked last', async () => {
    const { id } = await project();
    const mail = await ada.rest('POST /api/variable-groups', {
      body: {
        name: ' Mail ',
        variables: [
          { name: 'HOST', value: 'mail' },
          { name: 'KEY', value: 'k1' },
        ],
      },
    });
    expect(mail).toMatchObject({
      status: 201,
      body: { name: 'Mail', projects: [], variables: [{ name: 'HOST' }, { name: 'KEY' }] },
    });
    const { id: groupId } = mail.body as VariableGroup;
    const { id: lastId } = await group('Last', { HOST: 'last', OWN: 'group' });
    await ada.rpc.projects.setVariable.mutate({ id, name: 'OWN', value: 'project' });
    for (const linked of [groupId, lastId]) {
      expect(await ada.rest(`PUT /api/projects/${id}/variable-groups/${linked}`)).toMatchObject({
        status: 200,
      });
    }
    expect(await ada.rpc.variableGroups.ofProject.query({ id })).toMatchObject([
      { name: 'Mail', projects: [{ id, name: 'App' }] },
      { name: 'Last' },
    ]);
    expect((await ada.rest('GET /api/variable-groups')).body).toMatchObject([
      { name: 'Last' },
      { name: 'Mail' },
    ]);
    const first = await deploy(id);
    expect(first.job.variables).toEqual({ HOST: 'last', KEY: 'k1', OWN: 'project' });
    first.log.write('stdout', 'sent by project\n');
    first.end(NO);
    await ended(first.job.deploymentId);
    expect(await logOf(first.job.deploymentId)).toBe('sent by ***\n');

    // Linked again, it comes last; and what changes in it reaches the next deployment.
    await ada.rpc.variableGroups.link.mutate({ id, groupId });
    await ada.rpc.variableGroups.setVariable.mutate({
      id: groupId,
      name: 'KEY',
      value: 'k2',
      scope: 'build',
    });
    expect(await ada.rest(`DELETE /api/variable-groups/${lastId}/variables/OWN`)).toMatchObject({
      status: 200,
    });
    const second = await deploy(id);
    expect(second.job.variables).toEqual({ HOST: 'mail', OWN: 'project' });
    expect(second.job.buildVariables).toEqual({ HOST: 'mail', KEY: 'k2', OWN: 'project' });
    second.end(NO);
    await ended(second.job.deploymentId);

    expect(await ada.rest(`DELETE /api/projects/${id}/variable-groups/${groupId}`)).toMatchObject({
      status: 200,
    });
    expect(await ada.rest(`DELETE /api/projects/${id}/variable-groups/${groupId}`)).toMatchObject({
      status: 404,
    });
    expect(await ada.rest(`DELETE /api/variable-groups/${lastId}`)).toMatchObject({ status: 200 });
    expect((await deploy(id)).job.variables).toEqual({ OWN: 'project' });
  });

  test('has a name of its own, which can change', async () => {
    const { id } = await group('Mail');
    await group('Other');
    const message = 'You already have a variable group named Other.';
    const conflict = { status: 409, body: { code: 'EXISTS', message } };
    expect(await ada.rest('POST /api/variable-groups', { body: { name: 'Other' } })).toMatchObject(conflict);
    const rename = (name: string) => ada.rest(`PATCH /api/variable-groups/${id}`, { body: { name } });
    expect(await rename('Other')).toMatchObject(conflict);
    expect(await rename('Mail')).toMatchObject({ status: 200 });
    expect(await rename('Post')).toMatchObject({ status: 200, body: { name: 'Post' } });
    expect(await rename('x'.repeat(101))).toMatchObject({ status: 400 });
    expect(await rename('x'.repeat(100))).toMatchObject({ status: 200 });
    expect((await bob.rest('POST /api/variable-groups', { body: { name: 'Other' } })).status).toBe(201);
  });

  test('holds as many variables as a project, refused like its', async () => {
    const { id } = await group(
      'Full',
      Object.fromEntries(Array.from({ length: 100 }, (_, n) => [`V${n}`, 'x'])),
    );
    const set = (name: string, value: string) =>
      ada.rest(`PUT /api/variable-groups/${id}/variables/${name}`, { body: { value } });
    expect(await set('V1', 'y')).toMatchObject({ status: 200 });
    expect(await set('W', 'y')).toMatchObject({
      status: 403,
      body: { code: 'QUOTA_EXCEEDED', message: 'A group can have up to 100 variables.' },
    });
    expect(await set('PORT', 'y')).toMatchObject({ status: 400 });
    expect(await set('V1', '${{databases.none.url}}')).toMatchObject({
      status: 400,
      body: { message: 'You have no database named none. You have no databases yet.' },
    });
    const variables = [{ name: 'V2', value: 'z' }];
    const many = await ada.rest(`PUT /api/variable-groups/${id}/variables`, { body: { variables } });
    expect(many).toMatchObject({ status: 200, body: [{ name: 'V2' }] });
    const scope = { body: { scope: 'run' } };
    expect(await ada.rest(`PATCH /api/variable-groups/${id}/variables/V2`, scope)).toMatchObject({
      body: { scope: 'run' },
    });
  });

  test('are at most so many, of a person and of a project', async () => {
    const { id } = await project();
    const groups = await world.deps.db
      .insertInto('variableGroups')
      .values(
        Array.from({ length: MAX_VARIABLE_GROUPS }, (_, n) => ({ ownerId: ada.user.id, name: `G${n}` })),
      )
      .returning('id')
      .execute();
    expect(await ada.rest('POST /api/variable-groups', { body: { name: 'One more' } })).toMatchObject({
      status: 403,
      body: {
        code: 'PLAN_LIMIT_REACHED',
        message: 'You can have up to 50 variable groups. Delete one first.',
      },
    });
    const link = (groupId = '') => ada.rest(`PUT /api/projects/${id}/variable-groups/${groupId}`);
    for (const { id: groupId } of groups.slice(0, MAX_LINKED_GROUPS)) await link(groupId);
    expect(await link(groups[MAX_LINKED_GROUPS]?.id)).toMatchObject({
      status: 403,
      body: { code: 'QUOTA_EXCEEDED', message: 'A project can have up to 10 variable groups.' },
    });
    expect(await link(groups[0]?.id)).toMatchObject({ status: 200 });
  });

  test("is not there for who is signed out, and for somebody else the same as one that isn't", async () => {
    const { id } = await project();
    const { id: groupId } = await group('Mine', { A: 'x' });
    const { id: theirs } = await bob.rpc.projects.create.mutate({ name: 'Theirs' });
    const at = `/api/variable-groups/${groupId}`;
    const routes: [string, unknown][] = [
      [`GET ${at}`, undefined],
      [`PATCH ${at}`, { name: 'x' }],
      [`PUT ${at}/variables/A`, { value: 'y' }],
      [`PUT ${at}/variables`, { variables: [{ name: 'A', value: 'y' }] }],
      [`PATCH ${at}/variables/A`, { scope: 'run' }],
      [`DELETE ${at}/variables/A`, undefined],
      [`PUT /api/projects/${theirs}/variable-groups/${groupId}`, undefined],
      [`DELETE /api/projects/${theirs}/variable-groups/${groupId}`, undefined],
      [`PUT /api/projects/${id}/variable-groups/${groupId}`, undefined],
      [`GET /api/projects/${id}/variable-groups`, undefined],
      [`DELETE ${at}`, undefined],
    ];
    for (const [route, body] of routes) {
      expect(await world.anyone.rest(route, { body })).toMatchObject({ status: 401 });
      const foreign = await bob.rest(route, { body });
      const missing = await bob.rest(route.replace(groupId, ABSENT).replace(id, ABSENT), { body });
      expect(foreign.status).toBe(404);
      expect({ ...(foreign.body as object), requestId: '' }).toEqual({
        ...(missing.body as object),
        requestId: '',
      });
    }
    expect(await world.anyone.rest('GET /api/variable-groups')).toMatchObject({ status: 401 });
    expect(await ada.rpc.variableGroups.get.query({ id: groupId })).toMatchObject({
      variables: [{ name: 'A', scope: 'all' }],
    });
    expect((await ada.rest(`GET /api/variable-groups`)).text).not.toContain('value');
  });
});
