import { z } from 'zod';
import { CannotRun } from './plan.ts';

const Names = z.record(z.string(), z.unknown()).catch({});
const Versions = z.object({ node: z.string().optional().catch(undefined) }).catch({});

/** The part of package.json that we go by; what has another type counts as absent. */
const PackageJson = z.object({
  scripts: z.record(z.string(), z.string().catch('')).catch({}),
  main: z.string().optional().catch(undefined),
  packageManager: z.string().optional().catch(undefined),
  dependencies: Names,
  devDependencies: Names,
  optionalDependencies: Names,
  workspaces: z
    .union([
      z.array(z.string()),
      z.object({ packages: z.array(z.string()) }).transform(({ packages }) => packages),
    ])
    .optional()
    .catch([]),
  engines: Versions,
  volta: Versions,
  devEngines: z.unknown().optional(),
});
export type PackageJson = z.output<typeof PackageJson>;

/** Throws `CannotRun` when the text is no JSON object. */
export function readPackageJson({
  texts,
}: {
  texts: Readonly<Record<string, string>>;
}): PackageJson | undefined {
  const text = texts['package.json'];
  if (text === undefined) return undefined;
  let value: unknown;
  try {
    value = JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch {
    throw new CannotRun('package.json is not valid JSON.');
  }
  const parsed = PackageJson.safeParse(value);
  if (!parsed.success) throw new CannotRun('package.json is not a JSON object.');
  return parsed.data;
}

const INSTALL_SCRIPTS = ['preinstall', 'install', 'postinstall', 'prepare'];

/** Whether an install would do anything. */
export function needsInstall(json: PackageJson): boolean {
  const names = { ...json.dependencies, ...json.devDependencies, ...json.optionalDependencies };
  if (Object.keys(names).length > 0 || json.workspaces !== undefined) return true;
  return INSTALL_SCRIPTS.some((name) => json.scripts[name]);
}

/** Whether it depends on a package, for the app or for its build. */
export function uses(json: PackageJson, ...names: string[]): boolean {
  return names.some((name) => name in json.dependencies || name in json.devDependencies);
}
