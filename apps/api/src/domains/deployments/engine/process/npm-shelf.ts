import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { chmod, lstat, mkdir, readdir, readlink, rename, stat, utimes, writeFile } from 'node:fs/promises';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { removeTree } from '@nephos/db';

const run = promisify(execFile);

const MAX_KEPT = 24;
const MINUTE = 60_000;
const LIST_KEPT_MS = 60 * MINUTE;

/** Programs of the npm registry that releases share: every account can read them, and none can change them. */
export interface NpmShelf {
  /** The folder in which packages are installed under a name, brought at the first need. Throws `NotBrought`. */
  bring(name: string, packages: readonly string[], signal: AbortSignal): Promise<string>;
  /** All versions of a package. Throws `NotBrought`. */
  versions(packageName: string, signal: AbortSignal): Promise<readonly string[]>;
}

/** Something could not be had; the message completes a sentence: '… could not be installed because …'. */
export class NotBrought extends Error {
  override readonly name = 'NotBrought';
}

export interface ShelfOptions {
  folder: string;
  /** Holds a folder per project, whose releases link to what they use. */
  projects: string;
  npm: string | undefined;
  env: Readonly<Record<string, string>>;
}

/** Scripts of packages are never run: npm is our own account here, and unpacks files. */
export function createNpmShelf({ folder, projects, npm, env }: ShelfOptions): NpmShelf {
  const underWay = new Map<string, Promise<string>>();
  const lists = new Map<string, { at: number; versions: readonly string[] }>();
  const call = async (args: string[], signal: AbortSignal) => {
    if (!npm) throw new NotBrought('npm is not installed on this server');
    await mkdir(folder, { recursive: true, mode: 0o755 });
    const options = { cwd: folder, env: { ...env, HOME: userInfo().homedir }, timeout: 5 * MINUTE };
    try {
      return (await run(npm, args, { ...options, signal, maxBuffer: 64 * 1024 ** 2 })).stdout;
    } catch (error) {
      signal.throwIfAborted();
      throw new NotBrought(reasonOf(error));
    }
  };
  const install = async (name: string, packages: readonly string[], signal: AbortSignal) => {
    const place = join(folder, name);
    if (existsSync(place)) {
      await utimes(place, new Date(), new Date());
      return place;
    }
    await trim(folder, projects);
    const half = `${place}.${randomBytes(6).toString('hex')}`;
    try {
      await mkdir(half, { recursive: true });
      await writeFile(join(half, 'package.json'), '{}');
      const quiet = ['--no-audit', '--no-fund', '--no-save', '--no-package-lock', '--loglevel=error'];
      const cache = join(half, 'cache');
      await call(
        ['install', '--ignore-scripts', ...quiet, '--prefix', half, '--cache', cache, '--', ...packages],
        signal,
      );
      await removeTree(cache);
      await openToAll(half);
      await rename(half, place);
    } catch (error) {
      await removeTree(half);
      if (!existsSync(place)) throw error;
    }
    return place;
  };
  return {
    bring(name, packages, signal) {
      const known = underWay.get(name);
      if (known) return known;
      const work = install(name, packages, signal).finally(() => underWay.delete(name));
      underWay.set(name, work);
      return work;
    },
    async versions(packageName, signal) {
      const known = lists.get(packageName);
      if (known && Date.now() - known.at < LIST_KEPT_MS) return known.versions;
      const said: unknown = JSON.parse(await call(['view', '--json', '--', packageName, 'versions'], signal));
      const versions = [said].flat().filter((version) => typeof version === 'string');
      lists.set(packageName, { at: Date.now(), versions });
      return versions;
    },
  };
}

function reasonOf(error: unknown): string {
  const said = error instanceof Error && 'stderr' in error ? String(error.stderr) : '';
  const code = /npm (?:ERR!|error) code (\w+)/.exec(said)?.[1];
  if (code === 'E404' || code === 'ETARGET') return 'the npm registry has no such version';
  return code ? `the npm registry could not be reached (${code})` : 'npm failed';
}

/** Makes room for one more: what no release links to goes, the longest unused first. */
async function trim(folder: string, projects: string): Promise<void> {
  const names = await readdir(folder).catch(() => []);
  if (names.length < MAX_KEPT) return;
  const used = await linkedFrom(projects);
  const unused = await Promise.all(
    names
      .filter((name) => ![...used].some((target) => target.startsWith(`${join(folder, name)}/`)))
      .map(async (name) => ({ name, at: (await stat(join(folder, name))).mtimeMs })),
  );
  unused.sort((a, b) => a.at - b.at);
  const superfluous = unused.slice(0, names.length - MAX_KEPT + 1);
  if (superfluous.length === 0) throw new NotBrought(`${MAX_KEPT} other versions are in use on this server`);
  for (const { name } of superfluous) await removeTree(join(folder, name));
}

async function linkedFrom(projects: string): Promise<Set<string>> {
  const targets = new Set<string>();
  for (const project of await readdir(projects).catch(() => [])) {
    const releases = join(projects, project, 'releases');
    for (const release of await readdir(releases).catch(() => [])) {
      const bin = join(releases, release, 'bin');
      for (const link of await readdir(bin).catch(() => [])) targets.add(await readlink(join(bin, link)));
    }
  }
  return targets;
}

/** Our own umask may be one that closes files to others. */
async function openToAll(path: string): Promise<void> {
  const found = await lstat(path);
  if (found.isSymbolicLink()) return;
  await chmod(path, found.isDirectory() || (found.mode & 0o100) !== 0 ? 0o755 : 0o644);
  if (found.isDirectory()) for (const name of await readdir(path)) await openToAll(join(path, name));
}
