import { type PackageJson, readPackageJson } from './package-json.ts';
import type { PlannedCommand, Tool } from './plan.ts';
import type { Snapshot } from './snapshot.ts';
import { isOutsideWorkspace, workspaceOf } from './workspace.ts';

/** The package manager of a repository. */
export interface PackageManager {
  name: 'npm' | 'pnpm' | 'yarn' | 'bun';
  /** What has to be brought for it; npm comes with Node. */
  tool: Tool | undefined;
  /** Where its packages are installed, below the repository's root. */
  workspace: string;
  install: PlannedCommand;
  /** Brings packages up to date that are there already; undefined: the install itself does. */
  refresh: PlannedCommand | undefined;
  /** Runs a script of package.json. */
  run(script: string): PlannedCommand;
  /** What it has to know beside its usual settings. */
  environment: Readonly<Record<string, string>>;
  /** Whether its packages lie in `node_modules`. */
  hasFolders: boolean;
  /** Words that run a program of the packages: they are on the PATH, but for a manager that keeps them elsewhere. */
  program(words: readonly string[]): readonly string[];
}

/** Newest that reads each format of pnpm's lock file. */
const PNPM_BY_LOCK: readonly (readonly [RegExp, string])[] = [
  [/^lockfileVersion: '?5/m, '7'],
  [/^lockfileVersion: '?6/m, '8'],
];
const PNPM_DEFAULT = '10';
const YARN_CLASSIC = '1.22.22';
const YARN_BERRY = '4';
const BUN = '1';

/** The manager that the lock file names, in the version that package.json asks for; npm without a lock file. */
export function packageManagerOf(snapshot: Snapshot): PackageManager {
  const workspace = workspaceOf(snapshot);
  const { names, texts, folder } = workspace;
  const json = readPackageJson(workspace);
  const place: Place = {
    workspace: folder,
    folder: snapshot.folder,
    json,
    alone: isOutsideWorkspace(snapshot),
  };
  if (names.has('pnpm-lock.yaml')) return pnpm(texts['pnpm-lock.yaml'] ?? '', place);
  if (names.has('yarn.lock')) return yarn(texts['yarn.lock'] ?? '', place, texts['.yarnrc.yml'] ?? '');
  if (names.has('bun.lock') || names.has('bun.lockb')) return bun(place);
  if (names.has('package-lock.json') || names.has('npm-shrinkwrap.json')) return npm('ci', place);
  if (exactVersion(json, 'pnpm') || names.has('pnpm-workspace.yaml')) return pnpm(undefined, place);
  if (exactVersion(json, 'yarn')) return yarn(undefined, place, texts['.yarnrc.yml'] ?? '');
  return npm('install', place);
}

interface Place {
  workspace: string;
  folder: string;
  json: PackageJson | undefined;
  /** It lies below a workspace that it does not belong to. */
  alone: boolean;
}

type Parts = Pick<PackageManager, 'name' | 'tool'> & {
  place: Place;
  install: readonly string[];
  refresh?: readonly string[];
  isPlugAndPlay?: boolean;
};

/** Archives of packages that the app itself reads, so they lie in the release. */
const OWN_ARCHIVES = { YARN_CACHE_FOLDER: './.yarn/cache' };
/** What runs must not share files with what is built next, which a hard link into pnpm's store would. */
const OWN_FILES = {
  npm_config_package_import_method: 'clone-or-copy',
  pnpm_config_package_import_method: 'clone-or-copy',
};

function manager({ name, tool, place, install, refresh, isPlugAndPlay = false }: Parts): PackageManager {
  const command = (argv: readonly string[], folder: string, words = argv) => ({
    argv,
    folder,
    label: words.filter((word) => !/^--(include|prod|production)\b/.test(word)).join(' '),
  });
  return {
    name,
    tool,
    workspace: place.workspace,
    install: command(install, place.workspace),
    refresh: refresh && command(refresh, place.workspace),
    run: (script) => command([name, 'run', script], place.folder),
    environment: isPlugAndPlay ? OWN_ARCHIVES : {},
    hasFolders: !isPlugAndPlay,
    program: (words) => (isPlugAndPlay ? byYarn(words) : words),
  };
}

/** `yarn run` knows scripts and programs of packages, and Node.js is neither. */
function byYarn(words: readonly string[]): readonly string[] {
  return words[0] === 'node' ? ['yarn', ...words] : ['yarn', 'run', ...words];
}

function npm(verb: 'ci' | 'install', place: Place): PackageManager {
  const install = ['npm', verb, '--include=dev'];
  // A clean install would delete what is there.
  return manager({
    name: 'npm',
    tool: undefined,
    place,
    install,
    refresh: ['npm', 'install', '--include=dev'],
  });
}

function pnpm(lock: string | undefined, place: Place): PackageManager {
  const byLock = PNPM_BY_LOCK.find(([pattern]) => pattern.test(lock ?? ''))?.[1];
  const version = exactVersion(place.json, 'pnpm') ?? byLock ?? PNPM_DEFAULT;
  const frozen = lock === undefined ? '--no-frozen-lockfile' : '--frozen-lockfile';
  const alone = place.alone ? ['--ignore-workspace'] : [];
  return manager({
    name: 'pnpm',
    tool: { package: 'pnpm', version, commands: ['pnpm'] },
    place,
    install: ['pnpm', 'install', frozen, '--prod=false', ...alone],
  });
}

function yarn(lock: string | undefined, place: Place, config: string): PackageManager {
  const asked = exactVersion(place.json, 'yarn');
  const classic = asked ? asked.startsWith('1.') : !lock?.includes('__metadata:');
  const version = asked ?? (classic ? YARN_CLASSIC : YARN_BERRY);
  // In builds, Yarn 2 and later refuse to make a lock file unless they are told to.
  const [makes, keeps] = classic ? [[], ['--frozen-lockfile']] : [['--no-immutable'], ['--immutable']];
  const frozen = lock === undefined ? makes : keeps;
  const all = classic ? ['--production=false'] : [];
  // Unless it is told otherwise, Yarn 2 and later keep packages in archives that only Yarn itself finds.
  const isPlugAndPlay = !classic && !/^nodeLinker:\s*["']?(node-modules|pnpm)/m.test(config);
  return manager({
    name: 'yarn',
    tool: { package: classic ? 'yarn' : '@yarnpkg/cli-dist', version, commands: ['yarn'] },
    place,
    install: ['yarn', 'install', ...frozen, ...all],
    isPlugAndPlay,
  });
}

function bun(place: Place): PackageManager {
  return manager({
    name: 'bun',
    tool: { package: 'bun', version: exactVersion(place.json, 'bun') ?? BUN, commands: ['bun', 'bunx'] },
    place,
    install: ['bun', 'install', '--frozen-lockfile'],
  });
}

/** The version in `packageManager`, when it is exact (Node's corepack: `pnpm@9.1.0`, maybe with a hash). */
function exactVersion(json: PackageJson | undefined, name: 'pnpm' | 'yarn' | 'bun'): string | undefined {
  const [, asked, version] =
    /^(pnpm|yarn|bun)@(\d+\.\d+\.\d+(?:-[0-9A-Za-z.-]+)?)(?:\+.*)?$/.exec(json?.packageManager ?? '') ?? [];
  return asked === name ? version : undefined;
}

const TYPED: readonly (readonly [RegExp, Tool])[] = [
  [/\bpnpm\b/, { package: 'pnpm', version: PNPM_DEFAULT, commands: ['pnpm'] }],
  [/\byarn\b/, { package: 'yarn', version: YARN_CLASSIC, commands: ['yarn'] }],
  [/\bbunx?\b/, { package: 'bun', version: BUN, commands: ['bun', 'bunx'] }],
];

/** What some tools have to know that others only complain about. */
export function environmentOf(tools: readonly Tool[]): Readonly<Record<string, string>> {
  return tools.some((tool) => tool.package === 'pnpm') ? OWN_FILES : {};
}

/** The managers that typed commands and scripts name, besides the repository's own. */
export function toolsOf(lines: readonly string[], own: Tool | undefined): Tool[] {
  const named = TYPED.filter(
    ([pattern, { commands }]) =>
      !commands.includes(own?.commands[0] ?? '') && lines.some((line) => pattern.test(line)),
  );
  return [...(own ? [own] : []), ...named.map(([, tool]) => tool)];
}
