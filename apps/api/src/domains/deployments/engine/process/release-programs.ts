import { chmod, mkdir, rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import semver from 'semver';
import type { Tool, VersionWish } from '../detect/plan.ts';
import type { ReleaseFolders } from '../folders.ts';
import { NotBrought, type NpmShelf } from './npm-shelf.ts';

/** Node's own npm of each time: a newer one does not start on it. */
const NPM_BY_NODE: readonly (readonly [number, string])[] = [
  [24, '11'],
  [18, '10'],
  [15, '8'],
  [0, '6'],
];

/** In the folder of npm, which brings it. */
export const NODE_GYP = 'node_modules/node-gyp/bin/node-gyp.js';

interface Brought {
  /** Paths by the names of commands. */
  commands: Readonly<Record<string, string>>;
}

/** Without the `v`. */
export const OWN_NODE = process.version.slice(1);

/**
 * The Node.js that fits best: the server's own where it does, else the newest with long-term support, or the newest.
 * Throws `NotBrought`.
 */
export async function bringNode(
  shelf: NpmShelf,
  wish: VersionWish | undefined,
  signal: AbortSignal,
): Promise<Brought & { version: string; headers?: string }> {
  if (!wish || semver.satisfies(OWN_NODE, wish.range)) return { version: OWN_NODE, commands: {} };
  const name = `node-${process.platform}-${process.arch}`;
  const fitting = (await shelf.versions(name, signal)).filter(
    (version) => semver.prerelease(version) === null && semver.satisfies(version, wish.range),
  );
  // Versions with an even number get fixes for years, the others for months.
  const lasting = fitting.filter((version) => semver.major(version) % 2 === 0);
  const version = semver.rsort(lasting.length > 0 ? lasting : fitting)[0];
  if (!version) throw new NotBrought(`the npm registry has no version for ${wish.range}`);
  const npm = NPM_BY_NODE.find(([least]) => semver.major(version) >= least)?.[1] ?? '6';
  const folder = await shelf.bring(`node-${version}`, [`${name}@${version}`, `npm@${npm}`], signal);
  const modules = join(folder, 'node_modules');
  return {
    version,
    headers: join(modules, name, 'include/node'),
    commands: {
      node: join(modules, name, 'bin/node'),
      npm: join(modules, 'npm/bin/npm-cli.js'),
      npx: join(modules, 'npm/bin/npx-cli.js'),
      'node-gyp': join(modules, 'npm', NODE_GYP),
    },
  };
}

/** A package manager. Throws `NotBrought`. */
export async function bringTool(shelf: NpmShelf, tool: Tool, signal: AbortSignal): Promise<Brought> {
  // Bun's own package only downloads this one.
  const native = `@oven/bun-${process.platform}-${process.arch === 'arm64' ? 'aarch64' : process.arch}`;
  const name = tool.package === 'bun' ? native : tool.package;
  const folder = await shelf.bring(
    `${tool.package.replaceAll('/', '+')}-${tool.version}`,
    [`${name}@${tool.version}`],
    signal,
  );
  const path = (command: string) =>
    tool.package === 'bun'
      ? join(folder, 'node_modules', native, 'bin/bun')
      : join(folder, 'node_modules/.bin', command);
  return { commands: Object.fromEntries(tool.commands.map((command) => [command, path(command)])) };
}

/** Puts programs on the PATH of a release. */
export async function linkPrograms({ bin }: ReleaseFolders, brought: readonly Brought[]): Promise<void> {
  await mkdir(bin, { recursive: true });
  await chmod(bin, 0o755);
  for (const [command, path] of brought.flatMap(({ commands }) => Object.entries(commands))) {
    await rm(join(bin, command), { force: true });
    await symlink(path, join(bin, command));
  }
}
