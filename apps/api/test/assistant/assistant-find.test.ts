import type { AssistantMessage, FoundResource, PlanUse } from '@nephos/contracts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openToolbox } from '../../src/domains/assistant/tools-box.ts';
import { createWorld, ownWorkspace, type Person, type World } from '../world.ts';
import { chat, converse, wordsOf } from './assistant-world.ts';

/** More than any page of the local responder. */
const MANY = 40;

let world: World;
let ada: Person;
let eve: Person;

beforeAll(async () => {
  world = await createWorld({ overrides: { answerPace: 0 } });
  [ada, eve] = [await world.as('Ada'), await world.as('Eve')];
  // Straight into the tables: a plan has room for fewer.
  await insertProjects(ada, ['My Ärchive', 'shop', 'shop api'], 'old');
  await insertProjects(eve, ['canary'], 'eves');
  for (const name of ['orders', 'canary']) {
    const person = name === 'orders' ? ada : eve;
    await insertDatabase(person, name);
    await person.rest('POST /api/containers', { body: { name: `${name}-image`, tag: 'v1' } });
    await person.rest('POST /api/dns', { body: { domain: `${name}.example.com`, value: '192.0.2.1' } });
    await person.rest('POST /api/mobile-apps', {
      body: { name: `${name} app`, bundleId: `com.${name}.app` },
    });
    const file = { fileName: `${name} 2026.csv`, fileSize: 2, fileData: 'data:text/csv;base64,aGk=' };
    await person.rest('POST /api/storage', { body: file });
  }
  const names = Array.from({ length: MANY }, (_, n) => `newer ${n}`);
  await insertProjects(ada, names, 'newer');
  await world.deps.db
    .insertInto('containerRepositories')
    .values(names.map((name) => ({ ownerId: ada.user.id, name: `ada/${name.replace(' ', '-')}` })))
    .execute();
  const repositories = await world.deps.db
    .selectFrom('containerRepositories')
    .select('id')
    .where('ownerId', '=', ada.user.id)
    .where('name', 'like', 'ada/newer-%')
    .execute();
  await world.deps.db
    .insertInto('containerImages')
    .values(repositories.map(({ id }) => ({ ownerId: ada.user.id, repositoryId: id, tag: 'latest' })))
    .execute();
});

afterAll(() => world.close());

async function insertProjects({ user }: Person, names: readonly string[], prefix: string): Promise<void> {
  await world.deps.db
    .insertInto('projects')
    .values(
      names.map((name, n) => ({
        ownerId: user.id,
        name,
        slug: `${prefix}-${n}`,
        description: '',
        repositoryUrl: '',
        branch: 'main',
        framework: 'nodejs' as const,
      })),
    )
    .execute();
}

/** Without a server: none is needed to find it. */
async function insertDatabase({ user }: Person, name: string): Promise<void> {
  const password = Buffer.from('sealed');
  await world.deps.db
    .insertInto('managedDatabases')
    .values({
      ownerId: user.id,
      name,
      type: 'postgresql',
      region: 'us-east-1',
      storageSize: 10,
      engineName: name,
      password,
    })
    .execute();
}

async function find(person: Person, text: string): Promise<string[]> {
  const found = await person.rpc.assistant.find.query({ text });
  return found.map(({ kind, name }) => `${kind} ${name}`);
}

describe('finding by name', () => {
  test.each([
    ['how is the ARCHIVE doing?', ['project My Ärchive']],
    ['logs of My Ärchive, please', ['project My Ärchive']],
    ['old-2', ['project shop api']],
    ['is shop-api up?', ['project shop api', 'project shop']],
    ['connect to orders!', ['database orders']],
    ['orders-image', ['image ada/orders-image:v1']],
    ['pull ada/orders-image:v1', ['image ada/orders-image:v1', 'database orders']],
    ['why is orders.example.com silent', ['domain orders.example.com', 'database orders']],
    ['com.orders.app', ['mobile-app orders app', 'database orders']],
    ['where is "orders 2026.csv"', ['file /uploads/orders 2026.csv', 'database orders']],
    ['2026', ['file /uploads/orders 2026.csv']],
    ['shopping', []],
    ["' or 1=1 --", []],
    ['?!', []],
    ['canary', []],
  ])('"%s" names %j', async (text, names) => {
    const found = await find(ada, text);
    expect(found.slice(0, names.length)).toEqual(names);
    if (names.length === 0) expect(found).toEqual([]);
    expect(JSON.stringify(found)).not.toContain('canary');
  });

  test('says how it is spelled, over REST too', async () => {
    const { status, body } = await ada.rest('GET /api/assistant/resources?text=old-1');
    expect([status, body]).toMatchObject([200, [{ kind: 'project', name: 'shop', called: 'old-1' }]]);
    expect((await ada.rest('GET /api/assistant/resources?text=%20')).status).toBe(400);
    expect((await ada.rest(`GET /api/assistant/resources?text=${'x'.repeat(2001)}`)).status).toBe(400);
    expect((await world.anyone.rest('GET /api/assistant/resources?text=shop')).status).toBe(401);
    expect(
      ((await eve.rest('GET /api/assistant/resources?text=canary')).body as FoundResource[]).length,
    ).toBe(6);
  });

  test('gives at most fifty, the longest names first', async () => {
    const names = Array.from({ length: MANY }, (_, n) => `newer ${n} ada/newer-${n}`).join(' ');
    const found = await find(ada, `${names} old 2`);
    expect(found).toHaveLength(50);
    expect(found[0]).toMatch(/^image ada\/newer-/);
  });
});

describe('the local responder', () => {
  async function ask(message: string, resourceScope = 'general') {
    const sessionId = await converse(ada);
    const lines = await (await chat(world, ada, sessionId, { message, resourceScope })).rest();
    const { body } = await ada.rest(`GET /api/assistant/sessions/${sessionId}/messages`);
    const tools = (body as AssistantMessage[]).filter(({ sender }) => sender === 'tool');
    return { answer: wordsOf(lines), tools: tools.map(({ metadata }) => metadata.toolName) };
  }

  test('knows the oldest of many by its name, the longest that fits', async () => {
    const { answer, tools } = await ask('what is the status of shop api?');
    expect(answer).toContain('**shop api** hasn’t been deployed yet');
    expect(tools).toEqual(['projects_list', 'assistant_find', 'projects_get', 'deployments_list']);
    expect((await ask('is archive up?')).answer).toContain('**My Ärchive** hasn’t been deployed yet');
    expect((await ask('how do I pull orders-image?', 'container')).answer).toContain('/ada/orders-image:v1');
    expect((await ask('status of newer 39')).answer).toContain('**newer 39** hasn’t been deployed yet');
  });

  test('knows the page’s own thing, however old it is', async () => {
    const [shop] = await ada.rpc.assistant.find.query({ text: 'old-1' });
    const sessionId = await converse(ada);
    const body = { message: 'is it up?', resourceId: shop?.id };
    expect(wordsOf(await (await chat(world, ada, sessionId, body)).rest())).toContain(
      '**shop** hasn’t been deployed yet',
    );
  });

  test('counts no more than it was told', async () => {
    await world.deps.db
      .updateTable('projects')
      .set({ description: 'long '.repeat(200) })
      .where('ownerId', '=', ada.user.id)
      .execute();
    const { answer } = await ask('list my projects');
    expect(answer).toMatch(/^You have \d+ or more projects; the newest are:/);
  });
});

test('what a plan allows, and how much of it is used, is the person’s own', async () => {
  const before = (await ada.rest('GET /api/billing/limits')).body as PlanUse;
  expect(before).toEqual({
    plan: 'Starter',
    trial: true,
    projects: { used: MANY + 3, limit: 5 },
    databases: { used: 1, limit: 20 },
    dnsZones: { used: 1, limit: 100 },
    virtualAccounts: { used: 0, limit: 20 },
    previews: { used: 0, limit: null },
    workspaces: { used: 0, limit: 3 },
    storage: { used: 2, limit: 10 * 1024 ** 3 },
    setByAdmin: [],
  });
  expect((await eve.rest('GET /api/billing/limits')).body).toMatchObject({ projects: { used: 1 } });
  expect((await world.anyone.rest('GET /api/billing/limits')).status).toBe(401);
});

test('a tool finds for its own person alone', async () => {
  const signal = new AbortController().signal;
  const tools = openToolbox({
    log: world.deps.log,
    call: world.deps.call,
    user: ada.user,
    workspace: ownWorkspace(ada.user),
    requestId: 'test',
    signal,
  });
  expect(JSON.parse(await tools.call('assistant_find', { text: 'canary orders' }))).toMatchObject([
    { kind: 'database', name: 'orders' },
  ]);
  expect(JSON.parse(await tools.call('assistant_find', { text: '' }))).toEqual({ error: expect.any(String) });
});
