import { lstat, readdir } from 'node:fs/promises';
import { posix } from 'node:path';
import { type Account, type HeldFolder, holdFolder, NotTaken, readPlainFile } from '@nephos/db';

/** A folder of a repository as detection sees it. */
export interface FolderView {
  /** Below the repository's root; '' is the root itself. */
  folder: string;
  /** Names in it, files and folders. */
  names: ReadonlySet<string>;
  /** Texts of plain files that detection reads, by path from there. */
  texts: Readonly<Record<string, string>>;
}

/** What a project's folder shows of itself, all that its detection depends on. */
export interface Snapshot extends FolderView {
  /** Whether `public/index.html` is there. */
  publicIndex: boolean;
  /** The folders above, the nearest first: a monorepo keeps its lock file there. */
  above: readonly FolderView[];
}

const MB = 1024 ** 2;
const LOCKS = ['package-lock.json', 'npm-shrinkwrap.json', 'pnpm-lock.yaml', 'yarn.lock', 'bun.lock'];
const PYTHON_LOCKS = ['Pipfile.lock', 'poetry.lock', 'uv.lock'];
const CONFIGS = ['next', 'nuxt', 'astro', 'svelte', 'react-router'].flatMap((name) =>
  ['js', 'mjs', 'cjs', 'ts', 'mts'].map((extension) => `${name}.config.${extension}`),
);
const SHARED = [
  'package.json',
  'pnpm-workspace.yaml',
  '.yarnrc.yml',
  '.nvmrc',
  '.node-version',
  '.python-version',
];
const OWN = [
  ...CONFIGS,
  ...['Procfile', 'angular.json', 'nest-cli.json'],
  ...['runtime.txt', 'requirements.txt', 'pyproject.toml', 'Pipfile', 'manage.py'],
  ...['main.py', 'app.py', 'wsgi.py', 'server.py', 'application.py', 'hello.py', 'run.py'],
];
const DEEP = ['app/main.py', 'src/main.py', 'app/__init__.py', 'app/app.py', 'src/app.py', 'api/main.py'];

/**
 * Reads a folder below the repository, and what it needs of those above; undefined where there is no such folder. It reads
 * no more than the project's account may, which could link from its folders to what only we are allowed to read.
 */
export async function takeSnapshot(
  root: string,
  path: string,
  account: Account | undefined,
): Promise<Snapshot | undefined> {
  const own = await viewOf(root, path, { account, files: [...SHARED, ...LOCKS, ...PYTHON_LOCKS, ...OWN] });
  if (!own) return undefined;
  const above: FolderView[] = [];
  for (let at = path; at !== ''; ) {
    at = posix.dirname(at) === '.' ? '' : posix.dirname(at);
    const view = await viewOf(root, at, { account, files: [...SHARED, ...LOCKS] });
    if (view) above.push(view);
  }
  const deep: Record<string, string> = {};
  for (const file of [...DEEP, ...djangoSettings(own.texts['manage.py'])]) {
    const text = await readBelow(root, posix.join(path, file), account);
    if (text !== undefined) deep[file] = text;
  }
  await using publicFolder = await holdBelow(root, posix.join(path || '.', 'public'), account);
  return {
    ...own,
    texts: { ...own.texts, ...deep },
    above,
    publicIndex: publicFolder !== undefined && (await hasIndex(publicFolder)),
  };
}

async function viewOf(
  root: string,
  path: string,
  { account, files }: { account: Account | undefined; files: readonly string[] },
): Promise<FolderView | undefined> {
  await using folder = await holdBelow(root, path || '.', account);
  if (!folder) return undefined;
  const names = new Set(await readdir(folder.at('.')));
  const texts: Record<string, string> = {};
  for (const name of files) {
    if (!names.has(name)) continue;
    const text = await readPlainFile(folder.at(name), account, 8 * MB);
    if (text !== undefined) texts[name] = text;
  }
  return { folder: path, names, texts };
}

async function readBelow(
  root: string,
  path: string,
  account: Account | undefined,
): Promise<string | undefined> {
  await using folder = await holdBelow(root, posix.dirname(path), account);
  return folder && (await readPlainFile(folder.at(posix.basename(path)), account, MB));
}

/** Where the settings that Django's manage.py names may lie. */
function djangoSettings(manage: string | undefined): string[] {
  const module = djangoSettingsModule(manage);
  if (!module) return [];
  const path = module.replaceAll('.', '/');
  return [`${path}.py`, `${path}/__init__.py`, `${path}/base.py`];
}

/** The module of settings that Django's manage.py names. */
export function djangoSettingsModule(manage: string | undefined): string | undefined {
  return /DJANGO_SETTINGS_MODULE['"]\s*,\s*['"]([A-Za-z_][\w.]{0,199})['"]/.exec(manage ?? '')?.[1];
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
