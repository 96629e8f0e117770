import { request } from 'node:http';
import type { Installation, Project } from '@nephos/contracts';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { freePort } from '../../../../tools/server-process.mjs';
import { createKillableServer, type KillableServer } from '../killable-server.ts';

/** The build fetches a package, on a machine that others work on, too. */
const PATIENCE = { timeout: 60_000, interval: 100 };

const NOTE = 'Your first note, read from the database.';

let server: KillableServer;

beforeEach(async () => {
  // A port that stays: the app keeps the address of its database.
  server = await createKillableServer({ MANAGED_POSTGRES_PORT: String(await freePort()) });
});

afterEach(() => server.close());

function askApp({ slug }: Project, path: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const headers = { host: `${slug}.localhost:${server.port}` };
    request({ host: '127.0.0.1', port: server.port, path, headers }, async (response) => {
      resolve(Buffer.concat(await response.toArray()).toString());
    })
      .on('error', reject)
      .end();
  });
}

test('the full-stack starter outlives kill -9 in mid-way and later, reads its database, and leaves nothing', {
  timeout: 150_000,
}, async () => {
  await server.start();
  const { marketplace, projects, databases } = await server.signUp();
  const now = async (): Promise<Installation | undefined> =>
    (await marketplace.installations.query({ attempts: true }))[0];
  await expect
    .poll(
      async () => (await marketplace.list.query())[0]?.needs.every(({ available }) => available),
      PATIENCE,
    )
    .toBe(true);

  await marketplace.install.mutate({ id: 'full-stack-starter', inputs: { name: 'Notes' } });
  await expect.poll(async () => (await now())?.receipt.length, PATIENCE).toBe(1);
  await server.kill();
  await server.start();
  await expect.poll(async () => (await now())?.status, PATIENCE).not.toBe('installing');

  expect(await now()).toMatchObject({ status: 'installed', error: '', step: 2 });
  const [project, ...otherProjects] = await projects.list.query();
  const [database, ...otherDatabases] = await databases.list.query();
  if (!project || !database) throw new Error('Nothing was made.');
  expect([otherProjects, otherDatabases]).toEqual([[], []]);
  expect((await now())?.url).toBe(project.url);
  expect(await askApp(project, '/api/notes')).toContain(NOTE);
  expect((await databases.usage.query({ id: database.id })).connections).toBeGreaterThan(0);

  await server.kill();
  await server.start();
  await expect.poll(() => askApp(project, '/api/notes'), PATIENCE).toContain(NOTE);

  await marketplace.uninstall.mutate({ id: 'full-stack-starter' });
  expect(await projects.list.query()).toEqual([]);
  expect(await databases.list.query()).toEqual([]);
  await expect.poll(() => askApp(project, '/api/notes'), PATIENCE).not.toContain('note');
});
