import { type PackageJson, readPackageJson } from '../detect/package-json.ts';
import type { Plan, PlannedCommand } from '../detect/plan.ts';
import type { Snapshot } from '../detect/snapshot.ts';

/** Files and folders of a project that its packages come of. */
export interface PackageFiles {
  files: string[];
  folders: string[];
}

const NODE_FILES = [
  ...['package.json', 'package-lock.json', 'npm-shrinkwrap.json', 'pnpm-lock.yaml', 'yarn.lock'],
  ...['bun.lock', 'bun.lockb', '.npmrc', '.yarnrc', '.yarnrc.yml', '.pnpmfile.cjs', 'bunfig.toml'],
];
const NODE_FOLDERS = ['.yarn', 'patches'];
const REQUIREMENTS = 'requirements.txt';

/**
 * What an install reads, where that is known by its names alone; undefined where it may read anything of the repository:
 * a workspace, packages in folders, scripts that run after it, or a command that somebody typed.
 */
export function packageFiles(plan: Plan, snapshot: Snapshot): PackageFiles | undefined {
  const { packages } = plan.kept;
  if (!packages || !plan.install.every((command) => isPlainInstall(command, snapshot))) return undefined;
  if (packages.kind === 'python') return pythonFiles(plan, snapshot);
  const json = readPackageJson(snapshot);
  if (!json || readsMore(json, snapshot)) return undefined;
  const there = (name: string) => snapshot.names.has(name);
  return { files: NODE_FILES.filter(there), folders: NODE_FOLDERS.filter(there) };
}

/** Not one that somebody typed, which may name scripts and folders. */
function isPlainInstall({ argv, folder }: PlannedCommand, snapshot: Snapshot): boolean {
  const [program = '', verb = '', ...others] = argv;
  const isOurs = program === 'python' || others.every((word) => word.startsWith('--'));
  return (
    isOurs &&
    /^(npm|pnpm|yarn|bun|python) (install|ci|-m)$/.test(`${program} ${verb}`) &&
    folder === snapshot.folder
  );
}

const INSTALL_SCRIPTS = ['preinstall', 'install', 'postinstall', 'prepare'];

function readsMore(json: PackageJson, { names }: Snapshot): boolean {
  const versions = Object.values({
    ...json.dependencies,
    ...json.devDependencies,
    ...json.optionalDependencies,
  });
  return (
    json.workspaces !== undefined ||
    names.has('pnpm-workspace.yaml') ||
    INSTALL_SCRIPTS.some((name) => json.scripts[name]) ||
    versions.some(
      (version) => typeof version !== 'string' || /^(file|link|portal|workspace):|^[./~]/.test(version),
    )
  );
}

function pythonFiles({ install }: Plan, { texts }: Snapshot): PackageFiles | undefined {
  if (!install.some(({ argv }) => argv.includes(REQUIREMENTS))) return { files: [], folders: [] };
  const lines = (texts[REQUIREMENTS] ?? '').split('\n').map((line) => line.trim());
  const readsOthers = lines.some((line) =>
    /^(-[rce]\b|--(requirement|constraint|editable)|[./~])|file:/.test(line),
  );
  return readsOthers ? undefined : { files: [REQUIREMENTS], folders: [] };
}
