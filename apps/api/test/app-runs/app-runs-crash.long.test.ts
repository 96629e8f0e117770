import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createTestDatabase } from '@nephos/db/testing';
import { expect, onTestFinished, test } from 'vitest';
import { pidsOf, uniqueSleep } from '../deployments/running-processes.ts';
import { callerOf, createWorld, signUp } from '../world.ts';

const HOST = join(import.meta.dirname, 'fixtures/server-host.ts');
const secretsKey = 'b'.repeat(64);
/** Due every four years: no run comes in between. */
const SELDOM = '0 0 29 2 *';

test('what ran when the server was killed has failed at its next start, and nothing of it is left', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'nephos-crash-'));
  await chmod(dataDir, 0o711);
  const database = await createTestDatabase();
  const host = spawn(process.execPath, [HOST, database.url, dataDir, secretsKey], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  onTestFinished(() => void host.kill('SIGKILL'));
  const [url] = (await once(host, 'message')) as [string];
  const ada = await signUp(url, 'Ada');
  const { id } = await ada.rpc.projects.create.mutate({ name: 'Shop', template: 'node-api' });
  await expect.poll(async () => (await ada.rpc.projects.get.query({ id })).liveDeploymentId).toBeTruthy();
  const [ofJob, ofCommand] = [uniqueSleep(), uniqueSleep()];
  const both = async () => (await Promise.all([ofJob, ofCommand].map(pidsOf))).flat();
  const newJob = { id, name: 'Clean up', schedule: SELDOM, command: ofJob };
  const job = await ada.rpc.appRuns.createJob.mutate(newJob);
  const begun = await ada.rpc.appRuns.runJob.mutate({ id: job.id });
  const command = await ada.rpc.appRuns.runCommand.mutate({ id, command: ofCommand });
  await expect.poll(both).toHaveLength(2);
  host.kill('SIGKILL');
  await once(host, 'exit');

  const next = await createWorld({ databaseUrl: database.url, settings: { dataDir, secretsKey } });
  // A run came due while no server was there.
  const nextRunAt = new Date(Date.now() - 600_000).toISOString();
  await next.deps.db.updateTable('cronJobs').set({ nextRunAt }).where('id', '=', job.id).execute();
  await next.deps.begin();
  const { appRuns } = callerOf(next.url, ada.cookie).rpc;
  expect(await both()).toEqual([]);
  for (const run of [begun, command]) {
    expect(await appRuns.get.query({ id: run.id })).toMatchObject({
      status: 'failed',
      error: 'The server stopped during this run.',
    });
  }
  const statuses = async () => (await appRuns.list.query({ id })).map(({ status }) => status).sort();
  await expect.poll(statuses).toEqual(['failed', 'failed', 'missed']);
  await next.close();
  await database.drop();
  await rm(dataDir, { recursive: true, force: true });
});
