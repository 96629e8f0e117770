import { afterAll, beforeAll, it } from 'vitest';
import { ScriptedEngine } from '../../api/test/deployments/fixtures/scripted-engine.ts';
import { createStage, expectSound, NARROW, picture, type Stage } from './stage.ts';

let stage: Stage;
const engine = new ScriptedEngine();
beforeAll(async () => {
  stage = await createStage({ overrides: { engine } });
}, 120_000);
afterAll(() => stage.close());

it('pictures', async () => {
  const ada = await stage.world.as('Ada');
  const make = (body: object) => ada.rest('POST /api/projects', { body }).then(({ body }) => body as { id: string });
  const empty = await make({ name: 'Empty' });
  const limits = { memory: 256, cpu: 50, tasks: null };
  const { id } = await make({
    name: 'Shop',
    settings: { startCommand: 'npm run start', processes: [{ name: 'web', command: '', instances: 3, memory: null, cpu: null, tasks: null }, { name: 'worker', command: 'node worker.js --queue=mail --concurrency=4', instances: 2, ...limits }] },
  });
  const status = { since: new Date(Date.now() - 3e5).toISOString(), reason: '', restarts: 0, port: null };
  const web = (instance: number, change: object = {}) => ({ ...status, process: 'web', command: 'npm run start', instance, state: 'running' as const, port: 41000 + instance, ...change });
  const worker = (instance: number, change: object = {}) => ({ ...status, process: 'worker', command: 'node worker.js', instance, state: 'running' as const, ...change });
  engine.changeProcesses(id, [
    web(1), web(2), web(3, { state: 'starting', port: null }),
    worker(1, { state: 'crashed', reason: 'exited with code 1', restarts: 2 }),
    worker(2, { state: 'failed', reason: 'was stopped: it used more than 256 MB of memory', restarts: 4 }),
  ]);
  await ada.rpc.disks.add.mutate({ id: empty.id, name: 'data', path: '/data' });
  for (const theme of ['dark', 'light'] as const)
    for (const viewport of [{ width: 1440, height: 1100 }, NARROW]) {
      const size = `${theme}-${viewport.width}`;
      const page = await stage.open(`/projects/${id}/processes`, { as: ada, theme, viewport });
      await page.getByRole('region', { name: 'Disks' }).waitFor();
      await expectSound(page);
      await picture(page, `processes-${size}`, true);
      await page.getByRole('button', { name: 'Edit worker' }).click();
      await page.getByRole('dialog').waitFor();
      await picture(page, `process-edit-${size}`);
      await page.keyboard.press('Escape');
      await page.getByRole('button', { name: 'Add disk' }).first().click();
      await page.getByRole('dialog').waitFor();
      await picture(page, `disk-add-${size}`);
      const other = await stage.open(`/projects/${empty.id}/processes`, { as: ada, theme, viewport });
      await other.getByRole('region', { name: 'Disks' }).waitFor();
      await picture(other, `processes-empty-${size}`, true);
    }
}, 300_000);
