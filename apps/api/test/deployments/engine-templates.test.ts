import { randomUUID } from 'node:crypto';
import { ProjectTemplate } from '@nephos/contracts';
import { createTestDatabase } from '@nephos/db/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { requireTool } from '../../../../tools/require-tool.ts';
import { createEngineWorld, type EngineWorld } from './engine-world.ts';

const EXPECTED = {
  'node-api': { framework: 'nodejs', path: '/api/time', says: '"now"' },
  'status-page': { framework: 'nodejs', path: '/', says: 'STATUS_URLS' },
  'full-stack': { framework: 'nodejs', path: '/api/notes', says: 'read from the database' },
  'static-site': { framework: 'static', path: '/', says: '<h1>My site</h1>' },
  'react-site': { framework: 'static', path: '/', says: '<div id="root">' },
  'python-api': { framework: 'python', path: '/api/time', says: '"now"' },
} as const satisfies Record<ProjectTemplate, object>;

const hasPython = requireTool('python3');

let world: EngineWorld;
let database: Awaited<ReturnType<typeof createTestDatabase>>;

beforeAll(async () => {
  world = await createEngineWorld();
  database = await createTestDatabase();
});

afterAll(async () => {
  await world.close();
  await database.drop();
});

describe('a template is a whole app', () => {
  const runnable = ProjectTemplate.options.filter((template) => hasPython || template !== 'python-api');
  it.each(runnable)('%s', { timeout: 120_000 }, async (template) => {
    const { framework, path, says } = EXPECTED[template];
    const variables = { DATABASE_URL: database.url };
    const project = world.project('', { template, framework, variables });
    const { outcome, progress, log } = await world.deploy(project);
    expect(outcome, log()).toEqual({ status: 'running' });
    const commitMessage = expect.stringMatching(/^[A-Z].* template$/);
    expect(progress).toContainEqual({ step: 'detect', commitMessage });
    const { status, text } = await world.ask(project, path);
    expect(status).toBe(200);
    expect(text).toContain(says);
  });

  it('fails with a sentence when a later version has it no more', async () => {
    const template = `gone-${randomUUID()}` as ProjectTemplate;
    const { outcome } = await world.deploy(world.project('', { template }));
    expect(outcome).toEqual({
      status: 'failed',
      step: 'clone',
      error: `The template ${template} no longer exists.`,
    });
  });
});
