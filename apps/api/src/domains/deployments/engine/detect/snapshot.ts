import { lstat, readdir } from 'node:fs/promises';
import { type Account, type HeldFolder, holdFolder, NotTaken, readPlainFile } from '@nephos/db';

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
const MAX_BYTES = 1024 ** 2;

/** Reads no more than the project's account may, which could link from its folder to what only we are allowed to read. */
export async function takeSnapshot(path: string, account: Account | undefined): Promise<Snapshot> {
  await using folder = await holdFolder(path, account);
  const texts: Record<string, string> = {};
  for (const name of READ) {
    const text = await readPlainFile(folder.at(name), account, MAX_BYTES);
    if (text !== undefined) texts[name] = text;
  }
  await using publicFolder = await holdIfThere(folder.at('public'), account);
  return {
    names: new Set(await readdir(folder.at('.'))),
    texts,
    publicIndex: publicFolder !== undefined && (await hasIndex(publicFolder)),
  };
}

/** The folder of `account` that lies there; undefined where it is none. */
export async function holdIfThere(
  path: string,
  account: Account | undefined,
): Promise<HeldFolder | undefined> {
  try {
    return await holdFolder(path, account);
  } catch (error) {
    if (error instanceof NotTaken) return undefined;
    throw error;
  }
}

/**
 * The folder at `path` below `root`, which itself is '.'; undefined where there is none. Each folder on the way is held,
 * too, so that a link leads nowhere.
 */
export async function holdBelow(
  root: string,
  path: string,
  account: Account | undefined,
): Promise<HeldFolder | undefined> {
  let folder = await holdIfThere(root, account);
  for (const name of path === '.' ? [] : path.split('/')) {
    if (!folder) return undefined;
    await using above = folder;
    folder = await holdIfThere(above.at(name), account);
  }
  return folder;
}

/** Whether an index.html, no link, lies in a folder. */
export async function hasIndex(folder: HeldFolder): Promise<boolean> {
  return lstat(folder.at('index.html')).then(
    (found) => found.isFile(),
    () => false,
  );
}
