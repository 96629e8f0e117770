import semver from 'semver';
import type { Plan, VersionWish } from '../detect/plan.ts';
import { NotBrought } from '../process/npm-shelf.ts';
import type { ProcessParts } from '../process/process-parts.ts';
import type { Python } from '../process/python.ts';
import { bringNode, bringTool, linkPrograms, OWN_NODE } from '../process/release-programs.ts';
import type { BuildOptions } from '../runtime.ts';
import { StepFailure } from '../step-failure.ts';

/** What a release runs on. */
export interface Runtimes {
  /** Without the `v`; undefined where it needs none. */
  node: string | undefined;
  /** The folder of its headers. */
  headers: string | undefined;
  python: PythonRuntime | undefined;
}

export interface PythonRuntime {
  command: string;
  version: string;
}

/** Brings the versions that a plan asks for, where a build and its app find them. Throws `StepFailure`. */
export async function bringPrograms(
  { toolchain, sandbox }: ProcessParts,
  { job, folders, signal }: BuildOptions,
  plan: Plan,
): Promise<Runtimes> {
  const { shelf } = toolchain;
  const isPython = job.framework === 'python';
  const needsNode = job.framework === 'nodejs' || plan.node !== undefined || plan.tools.length > 0;
  const usesNpm = [...plan.install, ...plan.build].some(({ argv }) => argv.includes('npm'));
  if (usesNpm && !toolchain.npm)
    throw new StepFailure('detect', 'The build needs npm, which is not installed on this server.');
  const node = await bringNode(shelf, plan.node, signal).catch(explain(nodeTitle(plan.node)));
  const tools = [];
  for (const tool of plan.tools)
    tools.push(await bringTool(shelf, tool, signal).catch(explain(`${tool.package} ${tool.version}`)));
  await linkPrograms(folders, [node, ...tools]);
  return {
    node: needsNode || usesNpm ? node.version : undefined,
    headers: node.headers ?? (node.version === OWN_NODE ? toolchain.headers : undefined),
    python: isPython
      ? await fittingPython(toolchain.python, plan.python, sandbox.bubblewrap !== undefined)
      : undefined,
  };
}

function nodeTitle(wish: VersionWish | undefined): string {
  return wish ? `Node.js ${wish.range}, which ${wish.source} asks for,` : 'Node.js';
}

function explain(what: string): (error: unknown) => never {
  return (error) => {
    if (!(error instanceof NotBrought)) throw error;
    throw new StepFailure('detect', `${what} could not be installed because ${error.message}.`);
  };
}

async function fittingPython(
  python: Python,
  wish: VersionWish | undefined,
  isWalled: boolean,
): Promise<PythonRuntime> {
  const fits = (version: string) => !wish || semver.satisfies(version, wish.range);
  const { command, version } = python;
  if (command !== undefined && fits(version)) return { command, version };
  const all = await python.all();
  const fitting = all.filter((other) => fits(other.version));
  const [newest] = fitting.sort((a, b) => semver.rcompare(a.version, b.version));
  if (newest) return { command: python.reach(newest, isWalled), version: newest.version };
  const installed = all.map(({ version }) => version).sort(semver.rcompare);
  throw new StepFailure(
    'detect',
    `The app needs Python ${wish?.range} (${wish?.source}), and this server has ${installed.join(', ')}.`,
  );
}
