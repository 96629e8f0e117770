import type { PackageJson } from './package-json.ts';
import type { PlannedCommand } from './plan.ts';
import type { Snapshot } from './snapshot.ts';

/** The package manager of a repository. */
export interface PackageManager {
  install: PlannedCommand;
  /** Runs a script of package.json. */
  run(script: string): PlannedCommand;
}

/** Newest that reads each format of pnpm's lock file. */
const PNPM_BY_LOCK: readonly (readonly [RegExp, string])[] = [
  [/^lockfileVersion: '?5/m, '7'],
  [/^lockfileVersion: '?6/m, '8'],
];
const PNPM_DEFAULT = '10';
const YARN_CLASSIC = '1.22.22';
const YARN_BERRY = '4';

/** The manager that the lock file names, in the version that package.json asks for; npm without a lock file. */
export function packageManagerOf(snapshot: Snapshot, json: PackageJson, folder: string): PackageManager {
  const { names, texts } = snapshot;
  if (names.has('pnpm-lock.yaml')) return pnpm(texts['pnpm-lock.yaml'] ?? '', json, folder);
  if (names.has('yarn.lock')) return yarn(texts['yarn.lock'] ?? '', json, folder);
  const asked = exactVersion(json, 'pnpm') ? 'pnpm' : exactVersion(json, 'yarn') ? 'yarn' : 'npm';
  if (asked === 'pnpm') return pnpm(undefined, json, folder);
  if (asked === 'yarn') return yarn(undefined, json, folder);
  return npm(names);
}

function npm(names: ReadonlySet<string>): PackageManager {
  const locked = names.has('package-lock.json') || names.has('npm-shrinkwrap.json');
  const command = locked ? 'ci' : 'install';
  return {
    install: { argv: ['npm', command, '--include=dev'], in: 'app', label: `npm ${command}` },
    run: (script) => ({ argv: ['npm', 'run', script], in: 'app', label: `npm run ${script}` }),
  };
}

function pnpm(lock: string | undefined, json: PackageJson, folder: string): PackageManager {
  const byLock = PNPM_BY_LOCK.find(([pattern]) => pattern.test(lock ?? ''))?.[1];
  const version = exactVersion(json, 'pnpm') ?? byLock ?? PNPM_DEFAULT;
  const frozen = lock === undefined ? '--no-frozen-lockfile' : '--frozen-lockfile';
  const execute = (...args: string[]) => [...npmExec(`pnpm@${version}`), 'pnpm', '-C', folder, ...args];
  return {
    install: {
      argv: execute('install', frozen, '--prod=false'),
      in: 'home',
      label: `pnpm install ${frozen}`,
    },
    run: (script) => ({ argv: execute('run', script), in: 'home', label: `pnpm run ${script}` }),
  };
}

function yarn(lock: string | undefined, json: PackageJson, folder: string): PackageManager {
  const asked = exactVersion(json, 'yarn');
  const classic = asked ? asked.startsWith('1.') : !lock?.includes('__metadata:');
  const source = classic ? `yarn@${asked ?? YARN_CLASSIC}` : `@yarnpkg/cli-dist@${asked ?? YARN_BERRY}`;
  const frozen = lock === undefined ? '' : classic ? '--frozen-lockfile' : '--immutable';
  const flags = [frozen, classic ? '--production=false' : ''].filter(Boolean);
  const execute = (...args: string[]) => [...npmExec(source), 'yarn', '--cwd', folder, ...args];
  return {
    install: { argv: execute('install', ...flags), in: 'home', label: `yarn install ${frozen}`.trim() },
    run: (script) => ({ argv: execute('run', script), in: 'home', label: `yarn run ${script}` }),
  };
}

function npmExec(source: string): string[] {
  return ['npm', 'exec', '--yes', `--package=${source}`, '--'];
}

/** The version in `packageManager`, when it is exact (Node's corepack: `pnpm@9.1.0`, maybe with a hash). */
function exactVersion(json: PackageJson, name: 'pnpm' | 'yarn'): string | undefined {
  const [, asked, version] =
    /^(pnpm|yarn)@(\d+\.\d+\.\d+(?:-[0-9A-Za-z.-]+)?)(?:\+.*)?$/.exec(json.packageManager ?? '') ?? [];
  return asked === name ? version : undefined;
}
