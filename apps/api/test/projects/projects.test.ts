import { DETECTED_SETTINGS, MAX_PAGE, PLANS, type Project } from '@nephos/contracts';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { Settings } from '../../src/core/settings.ts';
import { slugsFor } from '../../src/domains/projects/slug.ts';
import { createAppAddress } from '../../src/platform/host-address.ts';
import { ScriptedEngine } from '../deployments/fixtures/scripted-engine.ts';
import { createWorld, type Person, type World } from '../world.ts';

const REPOSITORY = 'https://git.example.com/ada/app.git';
const ABSENT = '01890000-0000-7000-8000-000000000000';

let world: World;
let engine: ScriptedEngine;
let ada: Person;
let bob: Person;

beforeAll(async () => {
  engine = new ScriptedEngine();
  world = await createWorld({ overrides: { engine }, running: true });
  ada = await world.as('Ada');
  bob = await world.as('Bob');
});

afterEach(() => world.deps.db.deleteFrom('projects').execute());

afterAll(() => world.close());

async function create(person: Person, input: Record<string, unknown> = {}): Promise<Project> {
  const answer = await person.rest('POST /api/projects', { body: { name: 'App', ...input } });
  expect(answer).toMatchObject({ status: 201 });
  return answer.body as Project;
}

/** Cases named by their value, long ones in short. */
function named<T extends readonly unknown[]>(cases: readonly T[]): [string, ...T][] {
  return cases.map((values) => [JSON.stringify(values).slice(0, 60), ...values]);
}

test('settings change one by one, what is not set is detected, and what cannot be is said at its field', async () => {
  const created = await ada.rest('POST /api/projects', {
    body: { name: 'Set', settings: { rootDirectory: '/apps/web/', nodeVersion: 'v22' } },
  });
  const { id } = created.body as Project;
  const set = { ...DETECTED_SETTINGS, rootDirectory: 'apps/web', nodeVersion: '22' };
  expect(created).toMatchObject({ status: 201, body: { settings: set } });
  const changed = await ada.rpc.projects.update.mutate({
    id,
    settings: { nodeVersion: '', port: 8080, startCommand: ' node server.js && true ' },
  });
  expect(changed.settings).toEqual({
    ...{ ...set, nodeVersion: '', port: 8080, startCommand: 'node server.js && true' },
  });
  const refused = { rootDirectory: '../x', port: 0, nodeVersion: 'lts', buildCommand: 'a\nb' };
  const answer = await ada.rest(`PATCH /api/projects/${id}`, { body: { settings: refused } });
  expect(answer).toMatchObject({
    status: 400,
    body: {
      fields: expect.arrayContaining(
        Object.keys(refused).map((name) => expect.objectContaining({ path: `settings.${name}` })),
      ),
    },
  });
});

describe('creating a project', () => {
  test('gives it its defaults, an address of its own, and no deployment without a repository', async () => {
    const answer = await ada.rest('POST /api/projects', { body: { name: '  Über App!  ' } });
    expect(answer.status).toBe(201);
    expect(answer.body).toEqual({
      id: expect.any(String),
      name: 'Über App!',
      description: '',
      repositoryUrl: '',
      hasRepositoryToken: false,
      pushUrl: `${world.deps.settings.publicUrl.origin}/git/uber-app.git`,
      pushed: false,
      template: null,
      recipe: null,
      image: '',
      imageDigest: null,
      hasImageCredentials: false,
      hasDockerfile: false,
      branch: 'main',
      framework: 'nodejs',
      healthPath: '',
      settings: DETECTED_SETTINGS,
      detected: null,
      slug: 'uber-app',
      url: world.deps.appAddress('uber-app'),
      state: 'none',
      latestDeployment: null,
      liveDeploymentId: null,
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
    });
    expect(await ada.rpc.projects.list.query()).toEqual([answer.body]);
  });

  test('deploys a template with the framework that it brings, at first and again', async () => {
    const project = await create(ada, { template: 'static-site' });
    expect(project).toMatchObject({ template: 'static-site', framework: 'static', repositoryUrl: '' });
    expect(project.latestDeployment).not.toBeNull();
    const again = await ada.rpc.deployments.create.mutate({ id: project.id });
    expect(again.id).not.toBe(project.latestDeployment?.id);
    await ada.rpc.projects.remove.mutate({ id: project.id });
  });

  test('takes a repository or a template, not both', async () => {
    const body = { name: 'Both', template: 'node-api', repositoryUrl: REPOSITORY };
    const message = 'Choose one source: a repository, a template or an image.';
    expect(await ada.rest('POST /api/projects', { body })).toMatchObject({
      status: 400,
      body: { message, code: 'VALIDATION', fields: [{ path: 'template', message }] },
    });
    const unknown = await ada.rest('POST /api/projects', { body: { name: 'X', template: '../etc' } });
    expect(unknown.status).toBe(400);
    expect(await ada.rpc.projects.list.query()).toEqual([]);
  });

  test('queues its first deployment with it', async () => {
    const project = await ada.rpc.projects.create.mutate({ name: 'Queued', repositoryUrl: REPOSITORY });
    expect(project.latestDeployment).toMatchObject({ status: 'queued' });
    const { job, end } = await engine.runOf(project.latestDeployment?.id ?? '');
    expect(job).toMatchObject({
      projectId: project.id,
      slug: 'queued',
      branch: 'main',
      repositoryUrl: REPOSITORY,
    });
    end({ status: 'failed', step: 'clone', error: 'No.' });
  });

  test('takes nothing that the server decides', async () => {
    const forged = { slug: 'mine', ownerId: bob.user.id, liveDeploymentId: ABSENT, account: 0, id: ABSENT };
    const project = await create(ada, forged);
    expect(project).toMatchObject({ slug: 'app', liveDeploymentId: null });
    expect(project.id).not.toBe(ABSENT);
  });

  const refused: (readonly [Record<string, unknown>, string])[] = [
    [{ name: undefined }, 'name'],
    [{ name: '' }, 'name'],
    [{ name: '   ' }, 'name'],
    [{ name: 'x'.repeat(101) }, 'name'],
    [{ name: 'a\u0007b' }, 'name'],
    [{ name: 5 }, 'name'],
    [{ description: 'x'.repeat(1001) }, 'description'],
    [{ description: 'a\u0001b' }, 'description'],
    ...[' ', '-x', 'HEAD', '/x', 'x/', '.x', 'x.', 'a..b', 'a//b', 'x.lock', 'a b', 'a~b', 'ü', 'a\nb'].map(
      (branch) => [{ branch }, 'branch'] as const,
    ),
    [{ branch: 'x'.repeat(201) }, 'branch'],
    ...['main`curl$IFS`', 'a$(id)', 'a;b', '--upload-pack=x'].map(
      (branch) => [{ branch }, 'branch'] as const,
    ),
    ...[
      'git@-oProxyCommand=x:app.git',
      'ext::sh -c id',
      'ssh://git:secret@example.com/app.git',
      'git://example.com/app.git',
      'https://ada:secret@example.com/app.git',
      'https://example.com/app.git?x=1',
      'https://example.com/app.git#x',
      'https://example.com/a b.git',
      'https://example.com/a%20b.git',
      'https://example.com\\app.git',
      '--upload-pack=id',
      `https://example.com/${'x'.repeat(2048)}`,
    ].map((repositoryUrl) => [{ repositoryUrl }, 'repositoryUrl'] as const),
    [{ framework: 'rails' }, 'framework'],
  ];

  test.each(named(refused))('refuses %s by naming the field, at both doors', async (_case, input, path) => {
    const body = { name: 'App', ...input };
    const fields = expect.arrayContaining([expect.objectContaining({ path })]);
    const refusal = { code: 'VALIDATION', fields };
    expect(await ada.rest('POST /api/projects', { body })).toMatchObject({ status: 400, body: refusal });
    const rpc = await ada.rest('POST /trpc/projects.create', { body });
    expect(rpc).toMatchObject({
      status: 400,
      body: { error: { data: { httpStatus: 400, reason: 'VALIDATION', fields } } },
    });
    expect(await ada.rpc.projects.list.query()).toEqual([]);
  });

  const taken = [
    [{ name: 'x' }],
    [{ name: 'x'.repeat(100) }],
    [{ description: 'x'.repeat(1000) }],
    [{ description: 'two\nlines\tand a tab' }],
    [{ branch: 'x'.repeat(200) }],
    [{ branch: 'feature/ab_c-1.2' }],
    [{ framework: 'static' }],
    [{ repositoryUrl: '' }],
  ] as const;

  test.each(named(taken))('takes %s', async (_case, input) => {
    expect(await create(ada, input)).toMatchObject(input);
  });

  test('is refused with the reason where the framework cannot run here', async () => {
    engine.missing.set('python', 'Python projects need python3 on this server.');
    const answer = await ada.rest('POST /api/projects', { body: { name: 'Py', framework: 'python' } });
    expect(answer).toMatchObject({
      status: 503,
      body: { code: 'UNAVAILABLE', message: 'Python projects need python3 on this server.' },
    });
    expect(await ada.rpc.projects.runtimes.query()).toContainEqual({
      framework: 'python',
      available: false,
      reason: 'Python projects need python3 on this server.',
    });
    engine.missing.clear();
  });

  test('happens once for one idempotency key, and its deployment too', async () => {
    const request = {
      body: { name: 'Once', repositoryUrl: REPOSITORY },
      headers: { 'idempotency-key': 'k1' },
    };
    const first = await ada.rest('POST /api/projects', request);
    const again = await ada.rest('POST /api/projects', request);
    expect(again).toMatchObject({ status: 201, body: first.body });
    const [project, ...others] = await ada.rpc.projects.list.query();
    expect(others).toEqual([]);
    expect(await ada.rpc.deployments.list.query({ id: project?.id ?? '' })).toHaveLength(1);
  });
});

describe('the plan', () => {
  const limit = PLANS.starter.deployments ?? 0;

  test('has room for exactly its number of projects, also for 20 at once', async () => {
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, i) => ada.rest('POST /api/projects', { body: { name: `P${i}` } })),
    );
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(limit);
    for (const { status, body } of answers.filter((answer) => answer.status !== 201)) {
      expect({ status, body }).toMatchObject({
        status: 403,
        body: { code: 'PLAN_LIMIT_REACHED', message: expect.stringContaining(`includes ${limit} projects`) },
      });
    }
    expect(await ada.rpc.projects.list.query()).toHaveLength(limit);
  });
});

describe('the address of a project', () => {
  const first = (name: string) => slugsFor(name).next().value;

  test.each([
    ['My App', 'my-app'],
    ['  --Weird__name!! ', 'weird-name'],
    ['Éclair à la Crème', 'eclair-a-la-creme'],
    ['日本', 'app'],
    ['😀', 'app'],
    ['xn--abc', 'xn-abc'],
    [`${'a'.repeat(39)} b`, 'a'.repeat(39)],
    ['x'.repeat(100), 'x'.repeat(40)],
  ])('of %j begins as %j', (name, slug) => {
    expect(first(name)).toMatch(new RegExp(`^${slug}(-[a-z0-9]+)?$`));
  });

  test.each(['www', 'API', 'Console', 'admin', 'localhost'])('is never the reserved %j', (name) => {
    for (const slug of slugsFor(name))
      expect(slug).toMatch(new RegExp(`^${name.toLowerCase()}-[a-z0-9]{4,}$`));
  });

  test('stays a label of at most 40 characters with every end', () => {
    for (const slug of slugsFor(`${'ab-'.repeat(30)}`)) expect(slug).toMatch(/^[a-z0-9](-?[a-z0-9]){0,39}$/);
  });

  test('is unique, also for the same name at once by two people', async () => {
    const created = await Promise.all([ada, bob, ada, bob].map((person) => create(person, { name: 'Same' })));
    expect(new Set(created.map(({ slug }) => slug)).size).toBe(4);
    expect(created.map(({ slug }) => slug)).toContain('same');
  });

  test.each([
    ['http://localhost:3000', 'localhost', 'http://s.localhost:3000'],
    ['https://console.example.com', 'apps.example.com', 'https://s.apps.example.com'],
  ])('beside %s under %s is %s', (publicUrl, appsDomain, url) => {
    const settings = { ...world.deps.settings, publicUrl: new URL(publicUrl), appsDomain };
    expect(createAppAddress(settings, () => 0)('s')).toBe(url);
  });

  test('follows the certificate where https is ours', () => {
    const acme = { directory: 'https://ca.test', email: 'a@b.test', caFile: undefined, binding: undefined };
    const publicUrl = new URL('https://console.example.com');
    const own = {
      ...world.deps.settings,
      publicUrl,
      appsDomain: 'apps.test',
      acme,
      httpsPort: 443,
      port: 80,
    };
    const address = (changes: Partial<Settings>, until: number) =>
      createAppAddress({ ...own, ...changes }, (host) => (host === 's.apps.test' ? until : 0))('s');
    const ever = Date.now() + 60_000;
    expect(address({}, ever)).toBe('https://s.apps.test');
    expect(address({}, Date.now() - 1)).toBe('http://s.apps.test');
    expect(address({ httpsPort: 8443 }, 0)).toBe('https://s.apps.test');
    expect(address({ publicUrl: new URL('http://console.test'), httpsPort: 8443 }, ever)).toBe(
      'https://s.apps.test:8443',
    );
  });
});

describe('listing projects', () => {
  test('is newest first, by pages, with what became of the newest deployment', async () => {
    const ids: string[] = [];
    for (const name of ['one', 'two', 'three']) ids.unshift((await create(ada, { name })).id);
    expect((await ada.rpc.projects.list.query()).map(({ id }) => id)).toEqual(ids);
    const page = await ada.rest('GET /api/projects?limit=2');
    expect((page.body as Project[]).map(({ id }) => id)).toEqual(ids.slice(0, 2));
    const next = await ada.rest(`GET /api/projects?limit=2&cursor=${ids[1]}`);
    expect((next.body as Project[]).map(({ id }) => id)).toEqual(ids.slice(2));
  });

  test.each(['limit=0', `limit=${MAX_PAGE + 1}`, 'limit=x', 'limit=1.5', 'cursor=x'])(
    'refuses %s',
    async (query) => {
      expect(await ada.rest(`GET /api/projects?${query}`)).toMatchObject({
        status: 400,
        body: { code: 'VALIDATION' },
      });
    },
  );
});

describe('changing a project', () => {
  test('changes what was given and nothing else', async () => {
    const project = await create(ada, { name: 'Before', description: 'kept' });
    const change = { name: 'After', healthPath: '/up', branch: 'dev' };
    const answer = await ada.rest(`PATCH /api/projects/${project.id}`, { body: change });
    expect(answer).toMatchObject({ status: 200, body: { ...project, ...change } });
    expect(await ada.rpc.projects.update.mutate({ id: project.id })).toEqual(answer.body);
  });

  test.each([{ name: '' }, { branch: 'a..b' }, { healthPath: 'up' }, { healthPath: '/a?b' }])(
    'refuses %j',
    async (change) => {
      const project = await create(ada);
      expect(await ada.rest(`PATCH /api/projects/${project.id}`, { body: change })).toMatchObject({
        status: 400,
        body: { code: 'VALIDATION' },
      });
    },
  );
});

describe('deleting a project', () => {
  test('ends its build and its app, takes everything with it, and is not found the second time', async () => {
    const project = await create(ada, { repositoryUrl: REPOSITORY });
    const run = await engine.runOf(project.latestDeployment?.id ?? '');
    expect(await ada.rest(`DELETE /api/projects/${project.id}`)).toMatchObject({
      status: 200,
      body: { success: true },
    });
    expect(await ada.rest(`DELETE /api/projects/${project.id}`)).toMatchObject({
      status: 404,
      body: { code: 'NOT_FOUND' },
    });
    await engine.told(engine.stopped, project.id);
    await engine.told(engine.removed, project.id);
    expect(run.signal.aborted).toBe(true);
    const { rows } = await sql`select id from deployments where project_id = ${project.id}`.execute(
      world.deps.db,
    );
    expect(rows).toEqual([]);
  });

  test('five times at once succeeds once', async () => {
    const { id } = await create(ada);
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => ada.rest(`DELETE /api/projects/${id}`)),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 404, 404, 404, 404]);
  });
});

describe('variables', () => {
  const SECRET = 'sw0rdf1sh-not-to-be-seen';

  test('are listed by name without their values, replaced, and deleted', async () => {
    const { id } = await create(ada);
    const set = await ada.rest(`PUT /api/projects/${id}/variables/TOKEN`, { body: { value: SECRET } });
    expect(set).toMatchObject({ status: 200, body: { name: 'TOKEN' } });
    await ada.rpc.projects.setVariable.mutate({ id, name: 'A', value: '' });
    await ada.rpc.projects.setVariable.mutate({ id, name: 'TOKEN', value: SECRET });
    const list = await ada.rest(`GET /api/projects/${id}/variables`);
    expect(list.body).toEqual([
      { name: 'A', scope: 'all', references: [], reference: null, updatedAt: expect.any(String) },
      { name: 'TOKEN', scope: 'all', references: [], reference: null, updatedAt: expect.any(String) },
    ]);
    expect(await ada.rest(`DELETE /api/projects/${id}/variables/TOKEN`)).toMatchObject({ status: 200 });
    expect(await ada.rest(`DELETE /api/projects/${id}/variables/TOKEN`)).toMatchObject({ status: 404 });
  });

  test('reach the build, and are in no answer and nowhere readable in the database', async () => {
    const { id } = await create(ada);
    const key = { 'idempotency-key': 'variable' };
    const answers = [
      await ada.rest(`PUT /api/projects/${id}/variables/TOKEN`, { body: { value: SECRET }, headers: key }),
      await ada.rest('POST /trpc/projects.setVariable', { body: { id, name: 'OTHER', value: SECRET } }),
      await ada.rest(`PUT /api/projects/${id}/variables`, {
        body: { variables: [{ name: 'MANY', value: SECRET }] },
        headers: { 'idempotency-key': 'variables' },
      }),
      await ada.rest(`PATCH /api/projects/${id}`, { body: { repositoryUrl: REPOSITORY } }),
      await ada.rest(`POST /api/projects/${id}/deployments`),
      await ada.rest('GET /api/projects'),
      await ada.rest(`GET /api/projects/${id}`),
      await ada.rest(`GET /api/projects/${id}/variables`),
      await ada.rest(`GET /trpc/projects.variables?input=${encodeURIComponent(JSON.stringify({ id }))}`),
    ];
    const [deployment] = await ada.rpc.deployments.list.query({ id });
    const run = await engine.runOf(deployment?.id ?? '');
    expect(run.job.variables).toEqual({ TOKEN: SECRET, OTHER: SECRET, MANY: SECRET });
    run.log.write('stdout', `the token is ${SECRET}\n`);
    run.end({ status: 'failed', step: 'build', error: 'No.' });
    await expect
      .poll(async () => (await ada.rpc.deployments.get.query({ id: deployment?.id ?? '' })).status)
      .toBe('failed');
    answers.push(await ada.rest(`GET /api/deployments/${deployment?.id}/log`));
    expect(answers.at(-1)?.text).toBe('the token is ***\n');
    for (const { text } of answers) expect(text).not.toContain(SECRET);
    expect(await dumpOf()).not.toContain(SECRET);
  });

  /** Every row of every table of ours and of the job queue, as text. */
  async function dumpOf(): Promise<string> {
    const { rows: tables } = await sql<{ name: string }>`
      select format('%I.%I', schemaname, tablename) as name from pg_tables
      where schemaname in ('public', 'pgboss')`.execute(world.deps.db);
    const dumps = await Promise.all(
      tables.map(({ name }) =>
        sql<{ dump: string | null }>`select string_agg(t::text, '') as dump from ${sql.raw(name)} t`.execute(
          world.deps.db,
        ),
      ),
    );
    const dump = dumps.map(({ rows }) => rows[0]?.dump ?? '').join('');
    const hex = Buffer.from(SECRET).toString('hex');
    expect(dump).not.toContain(hex);
    expect(dump).toContain('TOKEN');
    return dump;
  }

  const refused: [string, unknown][] = [
    ['1A', 'x'],
    ['A-B', 'x'],
    ['PORT', 'x'],
    ['A'.repeat(101), 'x'],
    ['A', 'x'.repeat(16_385)],
    ['A', 'a\0b'],
    ['A', 5],
  ];

  test.each(named(refused))('refuse %s', async (_case, name, value) => {
    const { id } = await create(ada);
    expect(await ada.rest(`PUT /api/projects/${id}/variables/${name}`, { body: { value } })).toMatchObject({
      status: 400,
      body: { code: 'VALIDATION' },
    });
  });

  test('are at most 100, also at once, and one of them can still be replaced', {
    timeout: 60_000,
  }, async () => {
    const { id } = await create(ada);
    for (let n = 0; n < 95; n++) await ada.rpc.projects.setVariable.mutate({ id, name: `V${n}`, value: 'x' });
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, n) =>
        ada.rest(`PUT /api/projects/${id}/variables/W${n}`, { body: { value: 'x' } }),
      ),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(5);
    expect(answers.find(({ status }) => status !== 200)).toMatchObject({
      status: 403,
      body: { code: 'QUOTA_EXCEEDED', message: 'A project can have up to 100 variables.' },
    });
    expect(await ada.rest(`PUT /api/projects/${id}/variables/V1`, { body: { value: 'y' } })).toMatchObject({
      status: 200,
    });
  });

  describe('as a list', () => {
    const listOf = (count: number, value = 'x') =>
      Array.from({ length: count }, (_, n) => ({ name: `L${String(n).padStart(3, '0')}`, value }));

    test('are added and replaced together, and the others stay', async () => {
      const { id } = await create(ada, { repositoryUrl: REPOSITORY });
      await ada.rpc.projects.setVariable.mutate({ id, name: 'KEPT', value: 'kept' });
      await ada.rpc.projects.setVariable.mutate({ id, name: 'OLD', value: 'before' });
      const variables = [
        { name: 'OLD', value: 'after' },
        { name: 'NEW', value: 'two\nlines' },
      ];
      const answer = await ada.rest(`PUT /api/projects/${id}/variables`, { body: { variables } });
      expect(answer.status).toBe(200);
      expect((answer.body as { name: string }[]).map(({ name }) => name).sort()).toEqual(['NEW', 'OLD']);
      expect(answer.text).not.toContain('after');
      expect(
        await ada.rpc.projects.setVariables.mutate({ id, variables: [{ name: 'RPC', value: '' }] }),
      ).toMatchObject([{ name: 'RPC' }]);
      const [first] = await ada.rpc.deployments.list.query({ id });
      (await engine.runOf(first?.id ?? '')).end({ status: 'failed', step: 'clone', error: 'No.' });
      const { id: deployment } = await ada.rpc.deployments.create.mutate({ id });
      const run = await engine.runOf(deployment);
      expect(run.job.variables).toEqual({ KEPT: 'kept', OLD: 'after', NEW: 'two\nlines', RPC: '' });
      run.end({ status: 'failed', step: 'clone', error: 'No.' });
    });

    test('fill a project to its last place, and not beyond it: then none is saved', async () => {
      const { id } = await create(ada);
      await ada.rpc.projects.setVariables.mutate({ id, variables: listOf(99) });
      const two = ['A', 'B'].map((name) => ({ name, value: 'x' }));
      expect(await ada.rest(`PUT /api/projects/${id}/variables`, { body: { variables: two } })).toMatchObject(
        {
          status: 403,
          body: { code: 'QUOTA_EXCEEDED', message: 'A project can have up to 100 variables.' },
        },
      );
      expect(await ada.rpc.projects.variables.query({ id })).toHaveLength(99);
      const full = [...listOf(99, 'y'), { name: 'A', value: 'x' }];
      expect(await ada.rpc.projects.setVariables.mutate({ id, variables: full })).toHaveLength(100);
    });

    const bad: [string, unknown, string][] = [
      ['none', [], 'variables'],
      ['a name twice', [...listOf(1), ...listOf(1)], 'variables'],
      ['more than a project can have', listOf(101), 'variables'],
      ['a bad name', [...listOf(1), { name: '1A', value: '' }], 'variables.1.name'],
      ['the name of the port', [{ name: 'PORT', value: '' }], 'variables.0.name'],
      ['a value that is too long', [{ name: 'A', value: 'x'.repeat(16_385) }], 'variables.0.value'],
      ['no list', undefined, 'variables'],
    ];

    test.each(bad)('are refused with %s, and nothing is saved', async (_case, variables, path) => {
      const { id } = await create(ada);
      const refusal = {
        code: 'VALIDATION',
        fields: expect.arrayContaining([expect.objectContaining({ path })]),
      };
      expect(await ada.rest(`PUT /api/projects/${id}/variables`, { body: { variables } })).toMatchObject({
        status: 400,
        body: refusal,
      });
      expect(await ada.rpc.projects.variables.query({ id })).toEqual([]);
    });

    test('may be as long as a value and as many as a project can have, within half a megabyte', async () => {
      const { id } = await create(ada);
      const variables = listOf(30, 'x'.repeat(16_384));
      expect(await ada.rest(`PUT /api/projects/${id}/variables`, { body: { variables } })).toMatchObject({
        status: 200,
      });
      const more = listOf(40, 'x'.repeat(16_384));
      expect(
        await ada.rest(`PUT /api/projects/${id}/variables`, { body: { variables: more } }),
      ).toMatchObject({
        status: 413,
        body: { code: 'BODY_TOO_LARGE' },
      });
    });
  });
});

describe('someone who may not', () => {
  test('signed out, is told so at every address', async () => {
    for (const [route, body] of routesOf(ABSENT)) {
      const answer = await world.anyone.rest(route, { body });
      expect(answer).toMatchObject({ status: 401, body: { message: 'Unauthorized', code: 'UNAUTHORIZED' } });
    }
  });

  test("gets for another's project the very answer of one that is not there", async () => {
    const { id } = await create(ada);
    await ada.rpc.projects.setVariable.mutate({ id, name: 'A', value: 'x' });
    expect(await bob.rpc.projects.list.query()).toEqual([]);
    const [own, absent] = [routesOf(id), routesOf(ABSENT)];
    for (const [i, [route, body]] of own.entries()) {
      if (!route.includes(id)) continue;
      const foreign = await bob.rest(route, { body });
      const missing = await bob.rest(absent[i]?.[0] ?? '', { body });
      expect(foreign.status).toBe(404);
      expect(withoutId(foreign.body)).toEqual(withoutId(missing.body));
    }
    expect(await ada.rpc.projects.get.query({ id })).toMatchObject({ name: 'App' });
    expect(await ada.rpc.projects.variables.query({ id })).toHaveLength(1);
  });

  test('with a malformed id, finds nothing', async () => {
    expect(await ada.rest('GET /api/projects/nonsense')).toMatchObject({
      status: 404,
      body: { code: 'NOT_FOUND' },
    });
  });

  function routesOf(id: string): [string, unknown][] {
    return [
      ['GET /api/projects', undefined],
      ['POST /api/projects', { name: 'x' }],
      [`GET /api/projects/${id}`, undefined],
      [`PATCH /api/projects/${id}`, { name: 'x' }],
      [`DELETE /api/projects/${id}`, undefined],
      [`GET /api/projects/${id}/variables`, undefined],
      [`PUT /api/projects/${id}/variables/A`, { value: 'y' }],
      [`DELETE /api/projects/${id}/variables/A`, undefined],
      [`GET /api/projects/${id}/deployments`, undefined],
      [`POST /api/projects/${id}/deployments`, undefined],
      [`PUT /api/projects/${id}/variables`, { variables: [{ name: 'A', value: 'y' }] }],
      [`POST /api/projects/${id}/start`, undefined],
      [`POST /api/projects/${id}/restart`, undefined],
      [`POST /api/projects/${id}/stop`, undefined],
    ];
  }

  function withoutId(body: unknown): unknown {
    return { ...(body as object), requestId: undefined };
  }
});

describe('a server that is more careful', () => {
  let careful: World;
  let admin: Person;
  let projectId: string;
  const engine = new ScriptedEngine();

  beforeAll(async () => {
    careful = await createWorld({
      running: true,
      overrides: { engine },
      // A proxy stands before a console that itself listens on loopback.
      settings: { publicUrl: new URL('https://console.example.com'), allowPrivateRepositories: false },
    });
    admin = await careful.as('Root');
    projectId = (await admin.rpc.projects.create.mutate({ name: 'X' })).id;
  });

  afterAll(() => careful.close());

  test('lets admins run code, members only with the setting or in a whole sandbox', async () => {
    const member = await careful.as('Member');
    expect(await admin.rest('POST /api/projects', { body: { name: 'Mine' } })).toMatchObject({ status: 201 });
    expect(await member.rest('POST /api/projects', { body: { name: 'Mine' } })).toMatchObject({
      status: 403,
      body: { code: 'FORBIDDEN', message: expect.stringContaining('ALLOW_PROCESS_RUNTIME=1') },
    });
    // It is said before they try, by both doors.
    const refused = { available: false, reason: expect.stringContaining('ALLOW_PROCESS_RUNTIME=1') };
    const { body } = await member.rest('GET /api/runtimes');
    expect(body).toHaveLength(3);
    for (const runtime of body as object[]) expect(runtime).toMatchObject(refused);
    expect(await member.rpc.projects.runtimes.query()).toEqual(body);
    for (const { available } of await admin.rpc.projects.runtimes.query()) expect(available).toBe(true);
    const files = { name: 'Files', holds: true, detail: '' };
    for (const [holds, status] of [
      [false, 403],
      [true, 201],
    ] as const) {
      // Disks without a limit keep nobody out.
      const disk = { ...files, name: 'Disk', holds: false, isExtra: true as const };
      engine.isolated = [files, disk, { ...files, name: 'Network', holds }];
      expect(await member.rest('POST /api/projects', { body: { name: 'Mine' } })).toMatchObject({ status });
      const { membersDeploy } = await member.rpc.auth.welcome.query();
      expect(membersDeploy).toBe(holds);
    }
    engine.isolated = [];
  });

  test('runs the images of members where builds alone are not kept apart', async () => {
    const member = await careful.as('Imager');
    const own = await member.rest('POST /api/projects', { body: { name: 'Kept' } });
    expect(own.status).toBe(403);
    engine.isolated = [
      { name: 'Files', holds: true, detail: '' },
      { name: 'Builds', holds: false, detail: '', isOfBuilds: true },
    ];
    const image = 'registry.example.com/ada/shop';
    const made = await member.rpc.projects.create.mutate({ name: 'Shop', image });
    const refused = {
      status: 403,
      body: { code: 'FORBIDDEN', message: expect.stringContaining('Deploy an image instead.') },
    };
    expect(await member.rest('POST /api/projects', { body: { name: 'Built' } })).toMatchObject(refused);
    const again = () => member.rest(`POST /api/projects/${made.id}/deployments`);
    expect(await again()).toMatchObject({ status: 201 });
    expect(await member.rpc.projects.containerRuntime.query()).toMatchObject({ available: true });
    for (const { available } of await member.rpc.projects.runtimes.query()) expect(available).toBe(false);
    await member.rpc.projects.update.mutate({
      id: made.id,
      image: '',
      repositoryUrl: 'https://example.com/a.git',
    });
    expect(await again()).toMatchObject(refused);
    await member.rpc.deployments.stopApp.mutate({ id: made.id });
    await expect
      .poll(() => member.rest(`POST /api/projects/${made.id}/start`), { interval: 100 })
      .toMatchObject(refused);
    engine.isolated = [];
  });

  test.each([
    ['http://example.com/app.git', /begin with https/],
    ['file:///srv/app.git', /begin with https/],
    ['https://example.com:8443/app.git', /port must be 443/],
    ['https://127.0.0.1/app.git', /127\.0\.0\.1 is not a public address/],
    ['https://2130706433/app.git', /127\.0\.0\.1 is not/],
    ['https://0x7f.1/app.git', /127\.0\.0\.1 is not/],
    ['https://0177.0.0.1/app.git', /127\.0\.0\.1 is not/],
    ['https://0.0.0.0/app.git', /is not/],
    ['https://10.1.2.3/app.git', /is not/],
    ['https://169.254.169.254/app.git', /is not/],
    ['https://[::1]/app.git', /is not/],
    ['https://[::ffff:127.0.0.1]/app.git', /is not/],
    ['https://[fe80::1]/app.git', /is not/],
    ['https://[fd00::1]/app.git', /is not/],
    ['https://[64:ff9b::7f00:1]/app.git', /is not/],
    ['https://localhost/app.git', /localhost is not/],
    ['https://git.localhost./app.git', /git\.localhost is not/],
  ])('refuses the repository %s and names the setting', async (repositoryUrl, reason) => {
    for (const route of ['POST /api/projects', `PATCH /api/projects/${projectId}`]) {
      const answer = await admin.rest(route, { body: { name: 'X', repositoryUrl } });
      expect(answer).toMatchObject({
        status: 400,
        body: {
          code: 'VALIDATION',
          message: expect.stringMatching(reason),
          fields: [
            {
              path: 'repositoryUrl',
              message: expect.stringContaining('ALLOW_PRIVATE_REPOSITORIES=1'),
            },
          ],
        },
      });
    }
  });

  test('names no setting where none would admit the repository', async () => {
    const repositoryUrl = 'file://host/app.git';
    const answer = await admin.rest(`PATCH /api/projects/${projectId}`, { body: { repositoryUrl } });
    expect(answer).toMatchObject({
      status: 400,
      body: { message: 'This repository URL is not allowed: the URL must begin with https://.' },
    });
  });

  test('leaves the look-up of a name to the deployment', async () => {
    const repositoryUrl = 'https://127.0.0.1.nip.io/app.git';
    const answer = await admin.rest(`PATCH /api/projects/${projectId}`, { body: { repositoryUrl } });
    expect(answer).toMatchObject({ status: 200, body: { repositoryUrl } });
  });
});
