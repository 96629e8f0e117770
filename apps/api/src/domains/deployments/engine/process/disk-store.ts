import { existsSync } from 'node:fs';
import { readdir, rm, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { type Account, removeTree } from '@nephos/db';
import type { Logger } from 'pino';
import type { AppDisk, DiskUse } from '../engine.ts';
import { diskPlace, disksFolder, imagesFolder, makePassage, makePrivate } from '../folders.ts';
import { type DiskImages, HALF_MADE } from './disk-images.ts';
import { folderSize } from './folder-size.ts';
import { mountAt } from './mount-table.ts';

/** The disks of this machine's projects: file systems of their own where the machine lets us, else folders. */
export interface DiskStore {
  /** Sweeps what a killed server left half-made. */
  start(): Promise<void>;
  /**
   * Makes a disk ready for the project's account, and gives its folder, which only that may enter. Throws a sentence where
   * that cannot be. A folder that is there stays one.
   */
  open(projectId: string, disk: Pick<AppDisk, 'id' | 'size'>, account: Account | undefined): Promise<string>;
  /** Undefined where it is not on this machine, or nothing runs that could have changed it. */
  use(projectId: string, diskId: string): Promise<DiskUse | undefined>;
  /** Makes one larger, of MB. A folder has no size. */
  grow(projectId: string, disk: Pick<AppDisk, 'id' | 'size'>): Promise<void>;
  /** Deletes one with everything on it. */
  remove(projectId: string, diskId: string): Promise<void>;
  /** Lets go of all of a project's, so that its folder can be deleted. */
  release(projectId: string): Promise<void>;
  /** Lets go of all, once nothing runs. Never rejects. */
  close(): Promise<void>;
}

const MB = 1024 ** 2;

/** `images` says why there are none, where there are none. */
export function createDiskStore(
  { root, log }: { root: string; log: Logger },
  images: () => DiskImages | string,
): DiskStore {
  const available = () => {
    const found = images();
    if (typeof found === 'string') throw new Error(found);
    return found;
  };
  /** MB that disks were grown to since the start: whoever opens one may know it from before. */
  const grown = new Map<string, number>();
  const release = async (projectId: string) => {
    for (const id of await namesIn(disksFolder(root, projectId))) {
      const place = diskPlace(root, projectId, id);
      if (await mountAt(place.folder)) await available().unmount(place);
    }
  };
  return {
    async start() {
      for (const projectId of await namesIn(join(root, 'projects'))) {
        const folder = imagesFolder(root, projectId);
        const halves = (await namesIn(folder)).filter((name) => name.endsWith(HALF_MADE));
        for (const name of halves) await rm(join(folder, name), { force: true });
      }
    },
    async open(projectId, { id, size }, account) {
      const place = diskPlace(root, projectId, id);
      await makePassage(disksFolder(root, projectId));
      const isImage = existsSync(place.image) || (typeof images() !== 'string' && !existsSync(place.folder));
      // Never a folder in the place of an image: its files would seem to be gone.
      const wanted = Math.max(size, grown.get(id) ?? 0);
      if (isImage) await available().mount(place, wanted * MB, account);
      await makePrivate(place.folder, account);
      return place.folder;
    },
    async use(projectId, diskId) {
      const { folder, image } = diskPlace(root, projectId, diskId);
      if (await mountAt(folder)) {
        const { blocks, bfree, bsize } = await statfs(folder);
        return { bytes: (blocks - bfree) * bsize, limited: true };
      }
      if (existsSync(image) || !existsSync(folder)) return undefined;
      return { bytes: await folderSize([folder]), limited: false };
    },
    async grow(projectId, { id, size }) {
      const place = diskPlace(root, projectId, id);
      grown.set(id, Math.max(size, grown.get(id) ?? 0));
      if (existsSync(place.image)) await available().grow(place, size * MB);
    },
    async remove(projectId, diskId) {
      const place = diskPlace(root, projectId, diskId);
      grown.delete(diskId);
      if (await mountAt(place.folder)) await available().unmount(place);
      await rm(place.image, { force: true });
      await removeTree(place.folder);
    },
    release,
    async close() {
      for (const projectId of await namesIn(join(root, 'projects'))) {
        await release(projectId).catch((error) =>
          log.warn({ err: error, projectId }, 'a disk stays mounted'),
        );
      }
    },
  };
}

function namesIn(folder: string): Promise<string[]> {
  return readdir(folder).catch(() => []);
}
