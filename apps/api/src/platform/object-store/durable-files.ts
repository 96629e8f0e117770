import type { Hash } from 'node:crypto';
import { type FileHandle, link, mkdir, open, rename, rm, rmdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { storageFull } from '../../core/errors.ts';
import { systemCalls } from '../system-calls.ts';
import { BLOCK, giveBlocks, takeBlock } from './blocks.ts';
import type { Bytes } from './object-store.ts';

/** Folders are ours alone: other accounts on the machine run people's code. */
const FOLDER_MODE = 0o700;
export const FILE_MODE = 0o600;
/** The mode of a file that nobody writes to any more. */
export const SEALED_MODE = 0o400;

const FULL = new Set(['ENOSPC', 'EDQUOT']);
const NO_LINK = new Set(['EMLINK', 'ENOTSUP', 'EPERM']);

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}

export function isMissing(error: unknown): boolean {
  return codeOf(error) === 'ENOENT';
}

/** Whether a file can have no further name: there are as many as the file system allows, or it allows none. */
export function hasNamesEnough(error: unknown): boolean {
  return NO_LINK.has(String(codeOf(error)));
}

/** What a write's error means to the caller: 503 for a full disk, anything else as it is. */
export function meaningOf(error: unknown): unknown {
  return FULL.has(String(codeOf(error))) ? storageFull() : error;
}

/** Makes what happened to a folder's entries outlive a power cut. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Makes a folder with those above it, all durably. */
export async function makeFolder(folder: string): Promise<void> {
  const first = await mkdir(folder, { recursive: true, mode: FOLDER_MODE });
  if (first === undefined) return;
  for (let made = folder; made.length >= first.length; made = dirname(made)) await syncFolder(dirname(made));
}

/** How often a file's folder may go while the file gets its name. */
const MAX_TRIES = 5;

/** Gives a synced file its lasting name, in one step that outlives a power cut. */
export async function publish(temporary: string, path: string): Promise<void> {
  const folder = dirname(path);
  for (let tries = 1; ; tries += 1) {
    try {
      await makeFolder(folder);
      await rename(temporary, path);
      break;
    } catch (error) {
      // Somebody who deleted the last file beside it took the folder along.
      if (!isMissing(error) || tries === MAX_TRIES) throw error;
    }
  }
  await syncFolder(folder);
}

/** Removes a folder that is empty, and those above it that are then, but not `top`. */
export async function removeEmptyFolders(folder: string, top: string): Promise<void> {
  for (let empty = folder; empty.length > top.length; empty = dirname(empty)) {
    try {
      await rmdir(empty);
    } catch {
      return;
    }
  }
}

/** Gives a synced file a lasting name beside the one it has, by way of a temporary third one. */
export async function publishToo(file: string, temporary: string, path: string): Promise<void> {
  await link(file, temporary);
  try {
    await publish(temporary, path);
  } finally {
    // It is still there where the lasting name was this very file's already.
    await rm(temporary, { force: true });
  }
}

async function writeFully(handle: FileHandle, chunk: Uint8Array, position: number): Promise<void> {
  for (let done = 0; done < chunk.length; ) {
    const { bytesWritten } = await handle.write(chunk, done, chunk.length - done, position + done);
    done += bytesWritten;
  }
}

/** Bytes after which the disk begins to take what was written, and after which it must have taken what came before. */
const WRITE_OUT_EVERY = 1024 * 1024;
const SYNC_EVERY = 16 * WRITE_OUT_EVERY;

/** Files that the disk is asked at once to begin with: each takes a thread, which it holds where the disk is busy. */
const MOST_ASKED = 8;
let asked = 0;

async function beginWriteOut({ fd }: FileHandle, start: number, end: number): Promise<void> {
  if (asked === MOST_ASKED) return;
  asked += 1;
  try {
    const system = await systemCalls();
    await system?.beginWriteOut(fd, start, end - start);
  } finally {
    asked -= 1;
  }
}

/**
 * Has the disk take a file while it grows, so that the sync at its end has little left to wait for. A disk that does
 * not keep up slows the writer down rather than filling the memory.
 */
function writeOutAlong(handle: FileHandle, position: number) {
  let [begun, synced] = [position, position];
  let working = Promise.resolve();
  return {
    /** The file is written up to `end`. */
    async written(end: number): Promise<void> {
      const isFull = end - synced >= SYNC_EVERY;
      if (!isFull && end - begun < WRITE_OUT_EVERY) return;
      await working;
      working = isFull ? handle.datasync() : beginWriteOut(handle, begun, end);
      // Its failure is met at the next one or at the end; until then it must not count as one that nobody handles.
      working.catch(() => {});
      begun = end;
      if (isFull) synced = end;
    },
    settled: () => working,
  };
}

/** Gathers pieces into blocks: while one is written, the next one is filled. A small file has a small one. */
function createBlocks(handle: FileHandle, { position, hash }: { position: number; hash: Hash | undefined }) {
  let size = position;
  let filled = 0;
  let filling: Buffer | undefined;
  let full: Buffer | undefined;
  let writing = Promise.resolve();
  const disk = writeOutAlong(handle, position);

  async function flush(): Promise<void> {
    await writing;
    await disk.written(size);
    [filling, full] = [full, filling];
    const block = full?.subarray(0, filled) ?? Buffer.alloc(0);
    writing = writeFully(handle, block, size);
    // Its failure is met at the next flush; until then it must not count as one that nobody handles.
    writing.catch(() => {});
    hash?.update(block);
    size += filled;
    filled = 0;
  }

  /** The block that is being filled; it turns out to be no small file's where a small one is full. */
  function withRoom(): Buffer {
    filling ??= takeBlock(size === position ? 'small' : 'large');
    if (filled < filling.length) return filling;
    const small = filling;
    filling = takeBlock('large');
    small.copy(filling);
    giveBlocks(small);
    return filling;
  }

  return {
    async add(chunk: Uint8Array): Promise<void> {
      for (let taken = 0; taken < chunk.length; ) {
        const block = withRoom();
        const piece = chunk.subarray(taken, taken + block.length - filled);
        block.set(piece, filled);
        filled += piece.length;
        taken += piece.length;
        if (filled === BLOCK) await flush();
      }
    },
    /** Writes what is left; resolves to the file's size once the disk has taken all but the last. */
    async end(): Promise<number> {
      try {
        await flush();
        await writing;
      } finally {
        // The file is closed then.
        await disk.settled();
      }
      // After a failure a write may still be on its way: its blocks are not used again.
      for (const block of [filling, full]) if (block) giveBlocks(block);
      return size;
    },
  };
}

/**
 * Writes all of `source` from `position` on, hashing and gathering while the disk works; resolves to the file's new
 * size, which is still to be synced. When `source` fails, what it had given is written.
 */
export async function writeAll(
  handle: FileHandle,
  source: Bytes,
  options: { position: number; hash: Hash | undefined },
): Promise<number> {
  const blocks = createBlocks(handle, options);
  let size = 0;
  try {
    for await (const chunk of source) await blocks.add(chunk);
  } finally {
    size = await blocks.end();
  }
  return size;
}
