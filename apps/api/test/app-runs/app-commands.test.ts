import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { CommandEnd } from '../../src/domains/deployments/engine/app-commands.ts';
import type { DeployedApp } from '../../src/domains/deployments/engine/engine.ts';
import { createEngineWorld, type EngineWorld, type TestProject } from '../deployments/engine-world.ts';
import { holdsProcesses } from '../deployments/holds-processes.ts';
import { escapee, pidsOf, uniqueSleep } from '../deployments/running-processes.ts';

let world: EngineWorld;
let app: DeployedApp;
let project: TestProject;

beforeAll(async () => {
  world = await createEngineWorld({ limits: { keptReleases: 1 } });
  project = world.project('', { template: 'node-api', variables: { GREETING: 'hello' } });
  const { outcome, log } = await world.deploy(project);
  expect([outcome, log()]).toMatchObject([{ status: 'running' }, expect.any(String)]);
  const live = world.live.get(project.projectId);
  if (!live) throw new Error('nothing is live');
  app = live;
});

afterAll(() => world.close());

async function run(
  command: string,
  { timeLimit = 60_000, signal = new AbortController().signal, onText = (_: string) => {} } = {},
): Promise<{ end: CommandEnd; text: string }> {
  let text = '';
  const write = (_: string, more: string) => {
    text += more;
    onText(text);
  };
  const log = { write, system: () => {}, close: async () => {} };
  const end = await world.engine.commands.run({ app, command, timeLimit }, log, signal);
  return { end, text };
}

describe("a command in an app's environment", () => {
  test('has its folder, variables and programs, and a shell where it needs one', async () => {
    expect(await run('node -p 40+2')).toEqual({ end: { status: 'succeeded', exitCode: 0 }, text: '42\n' });
    const { end, text } = await run('echo "$GREETING $NODE_ENV $PORT"; ls >&2; exit 3');
    expect(text).toMatch(/^hello production \d+$/m);
    expect(text).toContain('server.js');
    expect(end).toEqual({ status: 'failed', exitCode: 3, error: 'The command exited with code 3.' });
    expect((await run('no-such-program --help')).end.status).toBe('failed');
  });

  test('is asked to end at its time limit, and made to', async () => {
    const { end, text } = await run("trap 'echo bye' TERM; echo go; sleep 60 & wait; sleep 60", {
      timeLimit: 1500,
    });
    expect(end).toEqual({
      status: 'timed-out',
      error: 'The command was stopped because it took more than 1.5 seconds.',
    });
    expect(text).toBe('go\nbye\n');
  });

  test('ends when it is cancelled, with all that it started', async () => {
    const controller = new AbortController();
    const marker = uniqueSleep();
    const hidden = holdsProcesses
      ? `node -e ${JSON.stringify(escapee(marker)).replaceAll('$', '\\$')}; `
      : '';
    const { end } = await run(`${hidden}${marker} & echo go; wait`, {
      signal: controller.signal,
      onText: () => controller.abort(),
    });
    expect(end).toEqual({ status: 'cancelled' });
    expect(await pidsOf(marker)).toEqual([]);
  });

  test('keeps its release, which others have taken the place of, until it ends', async () => {
    const folder = join(world.dataDir, 'apps/projects', app.projectId, 'releases', app.deploymentId);
    const begun = Promise.withResolvers<void>();
    const command = 'echo go; while [ ! -e stop ]; do sleep 0.1; done; cat server.js > copy';
    const ended = run(command, { onText: () => begun.resolve() });
    await begun.promise;
    await world.deploy(project);
    // What is to be done about the version before has been done by then.
    await world.engine.stopApp(app.projectId);
    expect(world.removedReleases).toEqual([]);
    await writeFile(join(folder, 'app/stop'), '');
    expect((await ended).end).toEqual({ status: 'succeeded', exitCode: 0 });
    expect(await world.engine.commands.has(app)).toBe(true);
  });

  test('has a reason why it cannot be where there is no release, or no process', async () => {
    const absent = { ...app, deploymentId: '01890000-0000-7000-8000-000000000000' };
    expect(await world.engine.commands.has(absent)).toBe(false);
    await expect(world.engine.commands.openShell(absent, { cols: 80, rows: 24 })).rejects.toThrow(
      "This server doesn't have the app's release any more. Deploy again.",
    );
  });
});

describe('a shell', () => {
  async function open() {
    const shell = await world.engine.commands.openShell(app, { cols: 100, rows: 30 });
    let text = '';
    const read = (data: Buffer) => {
      text += data.toString();
    };
    shell.output.on('data', read);
    return { shell, read, text: () => text };
  }

  test("has a terminal of its own in the app's environment, and says when it ends", async () => {
    const { shell, text } = await open();
    shell.write('echo "$GREETING"-$((6*7)); stty size; ls\r');
    await expect.poll(text).toMatch(/hello-42\r\n30 100\r\n[\s\S]*server\.js/);
    shell.resize({ cols: 90, rows: 20 });
    shell.write('stty size\r');
    await expect.poll(text).toContain('20 90\r\n');
    shell.write('exit\r');
    expect(await shell.ended).toBe('The session has ended.');
  });

  test('waits while nobody reads, heeds Ctrl-C, and ends with what it started', async () => {
    const { shell, read, text } = await open();
    const marker = uniqueSleep();
    shell.write(`${marker} &\r`);
    await expect.poll(async () => (await pidsOf(marker)).length).toBe(1);
    shell.write('yes\r');
    await expect.poll(text).toContain('y\r\ny\r\n');
    shell.output.off('data', read).pause();
    await expect
      .poll(() => shell.output.readableLength)
      .toBeGreaterThanOrEqual(shell.output.readableHighWaterMark);
    const before = shell.output.readableLength;
    shell.write('\u0003');
    expect(before).toBeLessThan(1024 * 1024);
    shell.output.on('data', read).resume();
    // What is typed before the prompt is back may be thrown away with what was interrupted.
    await expect.poll(() => text().slice(-100)).toContain('app$ ');
    shell.write('echo still-$((1+1))\r');
    await expect.poll(text).toContain('still-2');
    await shell.close();
    await shell.ended;
    expect(await pidsOf(marker)).toEqual([]);
  });

  test('ends with its project', async () => {
    const { shell } = await open();
    await world.engine.removeProject(app.projectId);
    expect(await shell.ended).toBe('The session has ended.');
  });
});
