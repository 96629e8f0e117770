import semver from 'semver';
import { z } from 'zod';
import { inFolder } from '../detect/command-line.ts';
import type { Plan } from '../detect/plan.ts';
import type { ProcessParts } from '../process/process-parts.ts';
import { runQuietly } from '../process/run-quietly.ts';
import type { RunningBuild } from '../process/running-build.ts';
import { StepFailure } from '../step-failure.ts';

/** Prints the package.json of an installed package, as a program in this folder would find it. */
const PRINT = `const fs = require('node:fs');
const path = require('node:path');
for (let at = process.cwd(); ; at = path.dirname(at)) {
  const file = path.join(at, 'node_modules', process.argv[1], 'package.json');
  if (fs.existsSync(file)) {
    const { version, engines } = JSON.parse(fs.readFileSync(file, 'utf8'));
    console.log(JSON.stringify({ version, node: engines?.node }));
    break;
  }
  if (path.dirname(at) === at) break;
}`;

const Said = z.object({
  version: z.string().refine((text) => semver.valid(text) !== null),
  node: z
    .string()
    .max(100)
    .refine((text) => semver.validRange(text) !== null),
});

/** Adds to a failure that the framework which was installed needs another version of Node.js, where it does. */
export async function explainVersion(
  parts: ProcessParts,
  options: RunningBuild,
  { framework, node: wish }: Plan,
  { failure, node }: { failure: StepFailure; node: string | undefined },
): Promise<StepFailure> {
  if (!framework || !node) return failure;
  const argv = inFolder(framework.folder, ['node', '-e', PRINT, framework.package]);
  const said = Said.safeParse(
    jsonOf(await runQuietly(parts, options, argv, { folder: options.folders.app })),
  );
  if (!said.success || semver.satisfies(node, said.data.node)) return failure;
  const source = wish ? ` (${wish.source})` : '';
  return new StepFailure(
    failure.step,
    `${failure.message} ${framework.name} ${said.data.version} needs Node.js ${said.data.node}, and this build has ${node}${source}. Set the Node.js version in the project's settings.`,
  );
}

function jsonOf(text = ''): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
