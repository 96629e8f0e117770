import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { connect, createServer, type Server } from 'node:net';
import { pipeline } from 'node:stream';
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
let door: Server;
let database: Awaited<ReturnType<typeof createTestDatabase>>;

beforeAll(async () => {
  database = await createTestDatabase();
  // The tests' server lets in nobody but loopback, and a sandboxed app comes from a network of its own.
  door = createServer((socket) => {
    const onward = connect(Number(new URL(database.url).port), '127.0.0.1');
    pipeline(socket, onward, socket, () => {});
  }).listen(0, '127.0.0.1');
  await once(door, 'listening');
  world = await createEngineWorld({ ports: [portOf(door)] });
});

function portOf(server: Server): number {
  const address = server.address();
  return typeof address === 'object' && address ? address.port : 0;
}

afterAll(async () => {
  await world.close();
  door.close();
  await database.drop();
});

describe('a template is a whole app', () => {
  const runnable = ProjectTemplate.options.filter((template) => hasPython || template !== 'python-api');
  it.each(runnable)('%s', { timeout: 120_000 }, async (template) => {
    const { framework, path, says } = EXPECTED[template];
    const address = new URL(database.url);
    address.port = String(portOf(door));
    const variables = { DATABASE_URL: address.href };
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
