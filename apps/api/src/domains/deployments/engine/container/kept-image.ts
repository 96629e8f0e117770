import { createReadStream, existsSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import type Docker from 'dockerode';
import { aborted } from '../instances/exit.ts';
import type { Image } from './images.ts';
import { loadImages, Refused } from './load-images.ts';

/** Says, in the place of an image that a restore has left, that Docker has it. */
const loadedOf = (file: string) => `${file}.loaded`;

/** Whether the image of a release came from a backup: then no other machine has it, and its registry need not. */
export function isRestored(file: string): boolean {
  return existsSync(file) || existsSync(loadedOf(file));
}

interface Load {
  /** Resolves with what Docker refuses, '' for nothing. */
  done: Promise<string>;
  stop: AbortController;
  waiting: number;
}

/** Those that somebody waits for, by their files: the instances of an app start beside each other. */
const loads = new Map<string, Load>();

interface Kept {
  docker: Docker;
  /** Where a restore of the installation has left the image of a release, if it has. */
  file: string;
  find(): Promise<Image | undefined>;
}

/**
 * Has Docker load the image that a restore has left, and deletes the file once Docker has it. Resolves with what Docker
 * refuses, '' for nothing. Throws the signal's reason.
 */
export async function loadKeptImage(kept: Kept, signal: AbortSignal): Promise<string> {
  const { file } = kept;
  if (!existsSync(file)) return '';
  const load = loads.get(file) ?? begin(kept);
  load.waiting += 1;
  try {
    return await Promise.race([load.done, aborted(signal)]);
  } finally {
    load.waiting -= 1;
    if (load.waiting === 0) {
      loads.delete(file);
      load.stop.abort();
    }
  }
}

function begin(kept: Kept): Load {
  const stop = new AbortController();
  const load = { done: loadOnce(kept, stop.signal), stop, waiting: 0 };
  loads.set(kept.file, load);
  return load;
}

async function loadOnce({ docker, file, find }: Kept, signal: AbortSignal): Promise<string> {
  try {
    if (!(await find())) await loadImages(docker, createReadStream(file), signal);
    if (await find()) {
      await writeFile(loadedOf(file), '');
      await rm(file, { force: true });
    }
    return '';
  } catch (error) {
    if (error instanceof Refused) return error.message;
    throw error;
  }
}
