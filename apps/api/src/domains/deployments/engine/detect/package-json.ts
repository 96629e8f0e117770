import { z } from 'zod';
import { CannotRun } from './plan.ts';
import type { Snapshot } from './snapshot.ts';

const Names = z.record(z.string(), z.unknown()).catch({});

/** The part of package.json that we go by; what has another type counts as absent. */
const PackageJson = z.object({
  scripts: z.record(z.string(), z.string().catch('')).catch({}),
  main: z.string().optional().catch(undefined),
  packageManager: z.string().optional().catch(undefined),
  dependencies: Names,
  devDependencies: Names,
  optionalDependencies: Names,
  workspaces: z.unknown().optional(),
  devEngines: z.unknown().optional(),
});
export type PackageJson = z.output<typeof PackageJson>;

/** Throws `CannotRun` when the text is no JSON object. */
export function readPackageJson({ texts }: Snapshot): PackageJson | undefined {
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
