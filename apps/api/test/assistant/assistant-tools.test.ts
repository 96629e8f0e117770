import { type Deployment, MAX_TOOL_CALLS, type Project } from '@nephos/contracts';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Toolbox } from '../../src/domains/assistant/responder/toolbox.ts';
import { CONTRACT_TOOLS } from '../../src/domains/assistant/tools.ts';
import { openToolbox } from '../../src/domains/assistant/tools-box.ts';
import { MAX_OUTPUT, outputOf } from '../../src/domains/assistant/tools-output.ts';
import { ScriptedEngine } from '../deployments/fixtures/scripted-engine.ts';
import { createWorld, ownWorkspace, type Person, type World } from '../world.ts';

let world: World;
let ada: Person;
let eve: Person;
let tools: Toolbox;

beforeAll(async () => {
  world = await createWorld({ overrides: { engine: new ScriptedEngine() }, running: true });
  ada = await world.as('Ada');
  eve = await world.as('Eve');
});

afterAll(() => world.close());

function toolboxOf({ user }: Person): Toolbox {
  return openToolbox({
    log: world.deps.log,
    call: world.deps.call,
    user,
    workspace: ownWorkspace(user),
    requestId: 'test',
    signal: new AbortController().signal,
  });
}

beforeEach(() => {
  tools = toolboxOf(ada);
});

async function ask(name: string, args: unknown = {}): Promise<unknown> {
  return JSON.parse(await tools.call(name, args));
}

async function createProject(person: Person, body: object): Promise<Project> {
  return (await person.rest('POST /api/projects', { body })).body as Project;
}

describe('the tools of the contract', () => {
  test('have names that OpenAI takes, a description, and parameters that say all they take', () => {
    for (const { name, description, parameters } of CONTRACT_TOOLS.values()) {
      expect(name).toMatch(/^[A-Za-z0-9_-]{1,64}$/);
      expect(description).not.toBe('');
      expect(parameters).toMatchObject({ type: 'object', additionalProperties: false });
    }
    expect(CONTRACT_TOOLS.size).toBeGreaterThan(25);
  });

  test('say where an id comes from, and leave out what is kept back', () => {
    expect(CONTRACT_TOOLS.get('deployments_logTail')).toMatchObject({
      description: expect.stringContaining('last lines'),
      parameters: {
        properties: {
          id: { type: 'string', format: 'uuid', description: 'An id that deployments_list gives' },
          lines: { type: 'integer', default: 100, minimum: 1, maximum: 500 },
        },
        required: ['id'],
      },
    });
    expect(Object.keys(CONTRACT_TOOLS.get('storage_list')?.parameters.properties ?? {})).toEqual([
      'limit',
      'cursor',
      'search',
      'sort',
      'bucketId',
      'folder',
    ]);
    expect(CONTRACT_TOOLS.get('auth_user')?.parameters).toEqual({
      type: 'object',
      properties: {},
      required: [],
      additionalProperties: false,
    });
  });

  test('are all of the assistant’s, without a write and without what is nobody’s business', () => {
    const names = tools.list().map(({ name }) => name);
    expect(names).toContain('projects_list');
    expect(names).not.toContain('projects_create');
    expect(names.filter((name) => /paymentGateway|admin|connection|token|session/i.test(name))).toEqual([]);
  });
});

describe('a call', () => {
  test('answers what the person sees, and nothing of anybody else’s', async () => {
    const project = await createProject(ada, { name: 'Shop' });
    const foreign = await createProject(eve, { name: 'Eve secret' });
    expect(await ask('projects_list')).toEqual([expect.objectContaining({ id: project.id, name: 'Shop' })]);
    expect(await ask('projects_get', { id: project.id })).toMatchObject({ name: 'Shop' });
    expect(await ask('projects_get', { id: foreign.id })).toEqual({ error: 'Not found.' });
    expect(await ask('deployments_list', { id: foreign.id })).toEqual({ error: 'Not found.' });
  });

  test('of deployments and their log takes what they take', async () => {
    const { id, latestDeployment } = await createProject(ada, {
      name: 'App',
      repositoryUrl: 'https://git.example.com/app.git',
    });
    const [deployment] = (await ask('deployments_list', { id, limit: 1 })) as Deployment[];
    expect(deployment?.id).toBe(latestDeployment?.id);
    expect(await ask('deployments_logTail', { id: deployment?.id, lines: 5 })).toEqual({ text: '' });
  });

  test.each([
    ['an unknown tool', 'projects_explode', {}, 'There is no such tool.'],
    ['a write', 'projects_create', { name: 'x' }, 'There is no such tool.'],
    ['a tool that every object has', 'constructor', {}, 'There is no such tool.'],
    ['no arguments', 'projects_list', null, 'The arguments must be a JSON object.'],
    ['a text', 'projects_list', '{}', 'The arguments must be a JSON object.'],
    ['a list', 'projects_list', [], 'The arguments must be a JSON object.'],
    ['an unknown argument', 'projects_list', { owner: 'eve' }, 'There is no argument "owner".'],
    ['an argument of a tool without any', 'auth_user', { id: 1 }, 'There is no argument "id".'],
    ['a missing argument', 'projects_get', {}, 'The argument "id" is missing.'],
    ['a malformed id', 'projects_get', { id: '1' }, 'Not found.'],
    ['NUL', 'dns_list', { domain: 'a\0b.com' }, "The input contains characters that can't be stored."],
    ['too much', 'dns_list', { domain: 'x'.repeat(9000) }, 'The arguments are too long.'],
    [
      'a limit out of bounds',
      'projects_list',
      { limit: 5000 },
      'Limit must be a whole number from 1 to 1000.',
    ],
  ])('with %s says so in one sentence', async (_, name, args, error) => {
    expect(await ask(name, args)).toEqual({ error });
  });

  test('past the eighth says that there are no more', async () => {
    for (let n = 0; n < MAX_TOOL_CALLS; n += 1) await tools.call('nothing', {});
    expect(await ask('projects_list')).toEqual({ error: 'No more tools can be called for this question.' });
    expect(JSON.parse(await toolboxOf(ada).call('projects_list', {}))).toBeInstanceOf(Array);
  });

  test('never gives a file’s bytes, a card or generated files beside the list', async () => {
    await ada.rest('POST /api/storage', {
      body: { fileName: 'a.txt', fileSize: 1, fileData: 'data:text/plain;base64,YQ==' },
    });
    const [file] = (await ask('storage_list')) as object[];
    expect(Object.keys(file ?? {})).toContain('fileName');
    expect(Object.keys(file ?? {})).not.toContain('fileData');
    expect(CONTRACT_TOOLS.get('billing_summary')?.row.withheld).toEqual(['paymentMethod']);
  });

  test('is counted by the limits of the person’s own calls', async () => {
    const limited = await createWorld({
      settings: { rateLimits: true },
      databaseUrl: world.databaseUrl,
    });
    const row = CONTRACT_TOOLS.get('assistant_manifest')?.row;
    const box = () =>
      openToolbox({
        log: limited.deps.log,
        call: limited.deps.call,
        user: eve.user,
        workspace: ownWorkspace(eve.user),
        requestId: 'test',
        signal: new AbortController().signal,
      });
    const answers: string[] = [];
    for (let n = 0; n <= (row?.perMinute ?? 0); n += 1)
      answers.push(await box().call('assistant_manifest', {}));
    await limited.close();
    expect(answers.at(-2)).not.toContain('Too many requests');
    expect(answers.at(-1)).toContain('Too many requests');
  });
});

describe('what a tool says', () => {
  const rows = (count: number, text: string) =>
    Array.from({ length: count }, (_, n) => ({ id: n, text, secret: 'kept back' }));

  test('is whole and compact while it is short', () => {
    expect(outputOf({ a: [1, null, 'é'] }, [])).toBe('{"a":[1,null,"é"]}');
    expect(outputOf(null, ['a'])).toBe('null');
    expect(outputOf(undefined, [])).toBe('null');
    expect(outputOf(rows(1, ''), ['secret'])).toBe('[{"id":0,"text":""}]');
  });

  test('of a long list is its first rows and how many there are', () => {
    const output = outputOf(rows(1000, 'x'.repeat(100)), ['secret']);
    expect(output.length).toBeLessThanOrEqual(MAX_OUTPUT);
    const { rows: shown, total, note } = JSON.parse(output);
    expect(total).toBe(1000);
    expect(shown.length).toBeGreaterThan(100);
    expect(note).toContain(`Only the first ${shown.length} of 1000 fit.`);
  });

  test('of a long text is both of its ends', () => {
    const output = outputOf({ text: `begin ${'😀'.repeat(20_000)} end` }, []);
    expect(output.length).toBeLessThanOrEqual(MAX_OUTPUT);
    expect(JSON.parse(output).text).toMatch(/^begin .* characters left out .* end$/s);
    expect(output.isWellFormed()).toBe(true);
  });

  test('of what is long in a thousand places is a sentence', () => {
    const wide = Object.fromEntries(Array.from({ length: 5000 }, (_, n) => [`member${n}`, n]));
    expect(outputOf(wide, [])).toBe('{"error":"The answer is too long. Ask for a part of it."}');
  });
});
