import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { isPlainFile, readFileSafely } from './read-file-safely.ts';

/** What a repository shows of itself, all that its detection depends on. */
export interface Snapshot {
  /** Names in its root, files and folders. */
  names: ReadonlySet<string>;
  /** Texts of the root's plain files that detection reads, by name. */
  texts: Readonly<Record<string, string>>;
  /** Whether `public/index.html` is there. */
  publicIndex: boolean;
}

const READ = ['package.json', 'pnpm-lock.yaml', 'yarn.lock', 'Procfile'];

export async function takeSnapshot(folder: string): Promise<Snapshot> {
  const texts: Record<string, string> = {};
  for (const name of READ) {
    const text = await readFileSafely(folder, name);
    if (text !== undefined) texts[name] = text;
  }
  return {
    names: new Set(await readdir(folder)),
    texts,
    publicIndex: await isPlainFile(join(folder, 'public/index.html')),
  };
}
