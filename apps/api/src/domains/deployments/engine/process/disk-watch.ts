import { statfs } from 'node:fs/promises';
import { folderSize } from './folder-size.ts';

/** Folders that may have so many bytes together; `rest` milliseconds go by between two looks that nothing calls for. */
export interface DiskBound {
  folders: string[];
  bytes: number;
  rest: number;
  /** Told what they have, whenever that was looked at. */
  onSize?: (bytes: number) => void;
}

/** A look at a large folder takes long: it may keep the disk busy a fifth of the time. */
const PAUSE = 4;

/**
 * Tells, whenever it is asked, whether folders have become too large. It looks at them only when their volume has
 * grown by as much as they had left, or after the rest, since others may have deleted as much.
 */
export function watchDisk({ folders, bytes, rest, onSize }: DiskBound): () => Promise<boolean> {
  let from = 0;
  let until = 0;
  let enough = 0;
  return async () => {
    const now = Date.now();
    if (now < from) return false;
    const used = await volumeUse(folders[0] ?? '/');
    if (now < until && used < enough) return false;
    const size = await folderSize(folders);
    onSize?.(size);
    const ended = Date.now();
    from = ended + PAUSE * (ended - now);
    until = ended + rest;
    enough = used + bytes - size;
    return size > bytes;
  };
}

async function volumeUse(folder: string): Promise<number> {
  const { blocks, bfree, bsize } = await statfs(folder).catch(() => ({ blocks: 0, bfree: 0, bsize: 0 }));
  return (blocks - bfree) * bsize;
}
