import { fork } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, readdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DeployedApp } from '../../src/domains/deployments/engine/engine.ts';
import type { Updating } from './fixtures/updating-host.ts';

const FIXTURE = join(import.meta.dirname, 'fixtures/updating-host.ts');

/** What a server left that was killed while it switched to new versions of the apps `first` and `second`. */
export interface KilledUpdates {
  dataDir: string;
  /** As the database has them: of `second`, it was told of the switch. */
  live: Map<string, DeployedApp>;
  /** Folders of the backups of each. */
  backups: string[];
}

export async function killUpdates(how: Omit<Updating, 'dataDir'>): Promise<KilledUpdates> {
  const dataDir = await mkdtemp(join(tmpdir(), 'nephos-engine-'));
  await chmod(dataDir, 0o711);
  const host = fork(FIXTURE, [JSON.stringify({ ...how, dataDir })]);
  const [apps] = (await once(host, 'message')) as [DeployedApp[]];
  host.kill('SIGKILL');
  await once(host, 'exit');
  const live = new Map<string, DeployedApp>();
  const backups: string[] = [];
  for (const app of apps) {
    const folder = join(dataDir, 'apps/projects', app.projectId, 'backups');
    const [updated = ''] = await readdir(folder);
    live.set(app.projectId, app.slug === 'second' ? { ...app, deploymentId: updated } : app);
    backups.push(folder);
  }
  return { dataDir, live, backups };
}
