import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
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
  it.each(runnable)('%s', async (template) => {
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

describe('an app of the marketplace', () => {
  const START = `require('node:http').createServer((_, response) => {
  response.end(require('./package.json').version);
}).listen(process.env.PORT, process.env.HOST);`;

  it('is built in its version, and fails with a sentence when it is there no more', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'nephos-recipe-'));
    const manifest = {
      name: 'tiny',
      version: '@VERSION@',
      private: true,
      scripts: { start: 'node start.js' },
    };
    await writeFile(join(folder, 'package.json'), JSON.stringify(manifest));
    await writeFile(join(folder, 'start.js'), START);
    const recipe = { id: 'tiny', name: 'Tiny', version: '2.3.4', folder };
    const project = world.project('', { recipe });
    const { outcome, progress, log } = await world.deploy(project);
    expect(outcome, log()).toEqual({ status: 'running' });
    expect(progress).toContainEqual({ step: 'detect', commitMessage: 'Tiny 2.3.4' });
    expect((await world.ask(project)).text).toBe('2.3.4');
    await world.deploy({ ...project, recipe: { ...recipe, version: '2.10.0' } });
    expect((await world.ask(project)).text).toBe('2.10.0');

    await rm(folder, { recursive: true });
    expect((await world.deploy(project)).outcome).toEqual({
      status: 'failed',
      step: 'clone',
      error: 'The marketplace no longer has Tiny.',
    });
    expect((await world.ask(project)).text).toBe('2.10.0');
  });
});
