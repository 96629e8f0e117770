// Prints how long apps take to answer again after the server was killed: `recovery.ts [apps]`.
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { DeployedApp } from '../src/domains/deployments/engine/engine.ts';
import { helloApp } from '../test/deployments/app-fixtures.ts';
import { createEngineWorld } from '../test/deployments/engine-world.ts';
import { startGitServer } from '../test/git-server.ts';
import { median } from './measure.ts';

const APPS = Number(process.argv[2] ?? 40);
const GIVE_UP_MS = 120_000;

/** The server that is killed: deploys the apps, says what runs, and waits. */
async function host(dataDir: string, repository: string): Promise<void> {
  const world = await createEngineWorld({ dataDir });
  for (let n = 0; n < APPS; n += 1) await world.deploy(world.project(repository, { slug: `app-${n}` }));
  process.send?.([...world.live.values()]);
}

async function measure(): Promise<void> {
  const git = await startGitServer();
  await git.createRepository('app', helloApp('up'));
  const dataDir = await mkdtemp(join(tmpdir(), 'nephos-bench-recovery-'));
  await chmod(dataDir, 0o711);
  const child: ChildProcess = fork(import.meta.filename, [String(APPS), dataDir, git.url('app')]);
  const [live] = (await once(child, 'message')) as [DeployedApp[]];
  child.kill('SIGKILL');
  await once(child, 'exit');
  const begun = Date.now();
  const world = await createEngineWorld({
    dataDir,
    live: new Map(live.map((app) => [app.projectId, app])),
    limits: { healthPoll: 100, sampleTime: 1000 },
  });
  const ready = Date.now() - begun;
  const times = await Promise.all(
    live.map(async ({ slug }) => {
      while (Date.now() - begun < GIVE_UP_MS) {
        if ((await world.ask({ ...world.project(''), slug })).text === 'up') break;
        await wait(100);
      }
      return Date.now() - begun;
    }),
  );
  process.stdout.write(
    `${APPS} apps: routes after ${ready} ms, half of them answer after ${median(times)} ms, all after ${Math.max(...times)} ms\n`,
  );
  await world.close();
  await git.close();
  await rm(dataDir, { recursive: true, force: true });
}

const [, , , dataDir, repository] = process.argv;
if (dataDir && repository) await host(dataDir, repository);
else await measure();
