import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { isServerIn, reachableFolder } from '@nephos/db';
import { mariadbFolder } from '../../domains/databases/engines/mysql/mariadb-home.ts';
import { redisFolder } from '../../domains/databases/engines/redis/redis-home.ts';
import { diskPlace } from '../../domains/deployments/engine/folders.ts';
import { mountAt } from '../../domains/deployments/engine/process/mount-table.ts';
import type { Copying } from './copying.ts';
import { copyTree } from './tree.ts';

export const APPS_PART = 'apps';
export const REDIS_PART = 'managed-redis';
export const MARIADB_PART = 'managed-mysql';

/** Below the apps' folder: what builds would make again, what belongs to this machine, and what is on its way. */
const NOT_APPS = [/^(runs|disk-trial|containers)$/, /^projects\/[^/]+\/cache$/, /\.new$/];
const IMAGE = /^projects\/([^/]+)\/images\/([^/]+)\.ext4$/;

/** Where the apps of a data folder lie. */
export const appsFolder = (dataDir: string) => reachableFolder(join(dataDir, 'apps'), 'apps');

/** Takes releases, repositories and disks. Of a disk that is mounted its files, else its image. */
export async function copyApps(copying: Copying, dataDir: string): Promise<void> {
  const root = appsFolder(dataDir);
  if (!existsSync(root)) return;
  await copying.part(APPS_PART, async (part) => {
    const mounted = await mountedDisks(root);
    await copyTree(part, root, {
      skips(path) {
        const [, project, disk] = IMAGE.exec(path) ?? [];
        return NOT_APPS.some((pattern) => pattern.test(path)) || mounted.has(`${project}/${disk}`);
      },
    });
  });
}

async function mountedDisks(root: string): Promise<ReadonlySet<string>> {
  const found = new Set<string>();
  const namesIn = (folder: string) => (existsSync(folder) ? readdirSync(folder) : []);
  for (const project of namesIn(join(root, 'projects'))) {
    for (const image of namesIn(join(root, 'projects', project, 'images'))) {
      const disk = image.replace(/\.ext4$/, '');
      if (await mountAt(diskPlace(root, project, disk).folder)) found.add(`${project}/${disk}`);
    }
  }
  return found;
}

/** Takes the files of Redis databases: of their logs, what they have at that moment. */
export async function copyRedis(copying: Copying, dataDir: string): Promise<void> {
  const root = redisFolder(dataDir);
  if (existsSync(root)) await copying.part(REDIS_PART, (part) => copyTree(part, root));
}

/** Takes the files of MySQL databases, which make sense only while their server is stopped. */
export async function copyMariadb(copying: Copying, dataDir: string): Promise<void> {
  const root = mariadbFolder(dataDir);
  if (!existsSync(root)) return;
  if (isServerIn(join(root, 'data'), 'mariadbd')) {
    copying.miss(
      'MySQL databases were not taken, since their server runs. Their own backups were: restore the latest of each on its Backups page.',
    );
    return;
  }
  await copying.part(MARIADB_PART, (part) => copyTree(part, root));
}
