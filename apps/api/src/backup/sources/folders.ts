import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { type Database, holdFolder, NotTaken, reachableFolder, readPlainFile } from '@nephos/db';
import type { Kysely } from 'kysely';
import type { Settings } from '../../core/settings.ts';
import { homeOf, openHomes, redisFolder } from '../../domains/databases/engines/redis/redis-home.ts';
import { diskPlace } from '../../domains/deployments/engine/folders.ts';
import { mountAt } from '../../domains/deployments/engine/process/mount-table.ts';
import type { Copying } from './copying.ts';
import { copyImages, copyKeptImages, imagesIn } from './images.ts';
import { patiently } from './patiently.ts';
import { type Reached, reachDocker } from './reach-docker.ts';
import { copyTree } from './tree.ts';
import { copyVolumes, volumesIn } from './volumes.ts';

export const APPS_PART = 'apps';
export const REDIS_PART = 'managed-redis';

/**
 * Below the apps' folder: what builds would make again, what belongs to this machine, what is on its way, and what is taken
 * with volumes and images.
 */
const NOT_APPS = [
  /^(runs|disk-trial|containers)$/,
  /^projects\/[^/]+\/(cache|volumes)$/,
  /\.new$/,
  /^projects\/[^/]+\/backups\/[^/]+\/[^/]+\.volume$/,
  /^projects\/[^/]+\/releases\/[^/]+\/image\.tar$/,
];
/** No account of a project enters another's. */
const PROJECT = /^projects\/[^/]+$/;
const IMAGE = /^projects\/([^/]+)\/images\/([^/]+)\.ext4$/;

/** Bytes of such a list at most. */
const MOST_LIST = 64 * 1024;

/** Where the apps of a data folder lie. */
export const appsFolder = (dataDir: string) => reachableFolder(join(dataDir, 'apps'), 'apps');

/**
 * Takes releases, repositories and disks. Of a disk that is mounted its files, else its image; of disks that Docker keeps
 * what is in their volumes.
 */
export async function copyApps(copying: Copying, settings: Settings, db: Kysely<Database>): Promise<void> {
  const root = appsFolder(settings.dataDir);
  if (!existsSync(root)) return;
  await copying.part(APPS_PART, async (part) => {
    const mounted = await mountedDisks(root);
    await copyTree(part, root, {
      isApart: (path) => PROJECT.test(path),
      skips(path) {
        const [, project, disk] = IMAGE.exec(path) ?? [];
        return NOT_APPS.some((pattern) => pattern.test(path)) || mounted.has(`${project}/${disk}`);
      },
    });
    const volumes = await volumesIn({ db, root });
    const images = await copyKeptImages(part, { images: await imagesIn(part, { settings, db, root }), root });
    let reached: Reached | undefined;
    if (settings.deployRuntime !== 'process' && volumes.length + images.length > 0) {
      await patiently(copying, part, {
        what: 'What Docker has of apps, their disks and images,',
        async copy() {
          reached = await reachDocker(settings);
        },
      });
    }
    const responds = await copyVolumes(copying, part, { volumes, root, reached });
    if (!reached || (responds && (await copyImages(copying, part, { ...reached, images, root })))) return;
    part.miss('What else Docker has of apps was not taken: it stopped responding.');
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
  if (!existsSync(root)) return;
  await copying.part(REDIS_PART, async (part) => {
    await copyTree(part, root, { skips: () => true });
    for (const name of openHomes(root).names) {
      await patiently(copying, part, {
        what: `The Redis database ${name}`,
        isThere: () => existsSync(join(root, name, 'data')),
        async copy() {
          const before = await logsOf(root, name);
          await copyTree(part, join(root, name), { at: name });
          if ((await logsOf(root, name)) !== before) throw new Error('Its log was rewritten meanwhile.');
        },
      });
    }
  });
}

/** Redis's list of the files of its log, which changes when they do. */
async function logsOf(root: string, name: string): Promise<string | undefined> {
  const { data, account } = homeOf(root, name);
  try {
    await using folder = await holdFolder(data, account);
    await using logs = await holdFolder(folder.at('appendonlydir'), account);
    return await readPlainFile(logs.at('appendonly.aof.manifest'), account, MOST_LIST);
  } catch (error) {
    if (error instanceof NotTaken) return undefined;
    throw error;
  }
}
