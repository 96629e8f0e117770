import { z } from 'zod';
import { COMMAND_MAX } from './app-run-rules.ts';
import { faultOfVariableName, MAX_VALUE_LENGTH } from './project-rules.ts';
import { BUILDERS, MAX_BUILD_ARGS, MAX_INSTANCES, MAX_MEMORY, MAX_PROCESSES } from './run-defaults.ts';

/** What can be set of how an app is built and run. '' and null: detected from the repository, or the platform's default. */

/** A command as one types it in a shell; '' where it is detected. */
const Command = z
  .string()
  .overwrite((value) => value.trim())
  .max(COMMAND_MAX, `Commands can be up to ${COMMAND_MAX} characters long.`)
  .regex(/^[^\0\r\n]*$/, 'Enter a single line.');

/** A path below a folder of the repository, without a slash at either end; '' is the folder itself. */
function pathOf(example: string) {
  return z
    .string()
    .overwrite((value) => value.trim().replace(/^(\.?\/)+|\/+$/g, ''))
    .max(200, 'Paths can be up to 200 characters long.')
    .regex(/^[A-Za-z0-9._@+ ()[\]/-]*$/, example)
    .refine(
      (path) =>
        path === '' || path.split('/').every((name) => name !== '' && name !== '..' && name !== '.git'),
      example,
    );
}

/** A folder below the repository's root; '' is the root itself. */
export const RepositoryFolder = pathOf('Enter a folder of the repository, like apps/web.');

/** A path below `rootDirectory`; '' is `Dockerfile`. */
const DockerfilePath = pathOf("Enter a path below the project's folder, like docker/Dockerfile.");

/** A stage as `FROM … AS <name>` has it, or its number; '' is the last. */
const DockerTarget = z
  .string()
  .overwrite((value) => value.trim())
  .regex(/^([A-Za-z0-9][A-Za-z0-9_.-]{0,127})?$/, 'Enter the name of a stage, like production.');

/** One `ARG` of a Dockerfile. It can be read in the image, so it is no place for a secret. */
const BuildArg = z.object({
  name: z.string().superRefine((name, ctx) => {
    const fault = faultOfVariableName(name);
    if (fault !== undefined && name !== 'PORT') ctx.addIssue(fault);
  }),
  value: z.string().max(MAX_VALUE_LENGTH, `Values can be up to ${MAX_VALUE_LENGTH} characters long.`),
});
export type BuildArg = z.output<typeof BuildArg>;

/** Which Node.js: a major version, or one that begins so; '' where the repository says it. */
const NodeVersion = z
  .string()
  .overwrite((value) => value.trim().replace(/^v/, ''))
  .regex(/^(\d{1,3}(\.\d{1,4}){0,2})?$/, 'Enter a version like 22 or 22.11.0.');

/** A whole number of `least` to `most`, or null for the platform's default. */
function bounded(label: string, least: number, most: number, unit = '') {
  const sentence = `${label} must be a whole number from ${least} to ${most}${unit && ` ${unit}`}.`;
  return z.int(sentence).min(least, sentence).max(most, sentence).nullable();
}

const PROCESS_NAME = 'Use lowercase letters, digits and hyphens, starting with a letter.';

/** A process of an app, and what each of its instances is given. `web` gets the requests; every other one is a worker. */
const Process = z.object({
  name: z
    .string()
    .regex(/^[a-z][a-z0-9-]{0,29}$/, PROCESS_NAME)
    .refine((name) => name !== 'release', 'The release command has a setting of its own.'),
  /** '' for one that the Procfile or the start script has. */
  command: Command,
  instances: bounded('Instances', 1, MAX_INSTANCES),
  /** MB of one instance; null: `DEFAULT_MEMORY`. */
  memory: bounded('Memory', 64, MAX_MEMORY, 'MB'),
  /** Hundredths of a core of one instance; null: no limit. */
  cpu: bounded('CPU', 5, 6400, 'percent of a core'),
  /** Processes and threads of one instance; null: `DEFAULT_TASKS`. */
  tasks: bounded('Processes', 16, 4096),
});
export type ProcessSettings = z.output<typeof Process>;

/** How a project is built and run. */
export const RunSettings = z.object({
  rootDirectory: RepositoryFolder,
  /** Who says how it is built where apps run in containers; elsewhere it is always the framework. */
  builder: z.enum(BUILDERS, `Builder must be one of ${BUILDERS.join(', ')}.`),
  dockerfile: DockerfilePath,
  dockerTarget: DockerTarget,
  /** Of a build by a Dockerfile. They stay readable in the image. */
  buildArgs: z
    .array(BuildArg)
    .max(MAX_BUILD_ARGS, `A project can have up to ${MAX_BUILD_ARGS} build arguments.`)
    .refine(
      (args) => new Set(args.map(({ name }) => name)).size === args.length,
      'Each build argument needs its own name.',
    ),
  installCommand: Command,
  buildCommand: Command,
  /** Of the process `web`. */
  startCommand: Command,
  /** Runs once per deployment, after the build and before the switch; its failure fails the deployment. */
  releaseCommand: Command,
  /** Where a static site's files are after the build, below `rootDirectory`. */
  outputDirectory: RepositoryFolder,
  nodeVersion: NodeVersion,
  /** Where `web` listens, where it does not heed PORT; null: found. */
  port: bounded('Port', 1, 65_535),
  /** Seconds until a started app must answer well. */
  healthTimeout: bounded('The health timeout', 1, 600, 'seconds'),
  /** Seconds between SIGTERM and SIGKILL. */
  stopTimeout: bounded('The stop timeout', 1, 300, 'seconds'),
  /** What is said of `web`, and of workers; those of a Procfile that are not named here run with the defaults. */
  processes: z
    .array(Process)
    .max(MAX_PROCESSES, `An app can have up to ${MAX_PROCESSES} processes.`)
    .refine(
      (processes) => new Set(processes.map(({ name }) => name)).size === processes.length,
      'Each process needs its own name.',
    ),
  /** MB of output that are kept; the oldest goes first. */
  logSize: bounded('The log size', 1, 1024, 'MB'),
  /** Days that output is kept. */
  logAge: bounded('The log age', 1, 365, 'days'),
});
export type RunSettings = z.output<typeof RunSettings>;

/** What a deployment found in its repository, and so did where nothing was set. '' and null: there is no such thing. */
export const Detected = z.object({
  /** Its name, for example `Next.js`; `Node.js`, `Python` or `Static site` where it is none that we know by name. */
  framework: z.string(),
  /** For example `Node.js 22.11.0`; null for a site without a build. */
  runtime: z.string().nullable(),
  /** For example `pnpm`. */
  packageManager: z.string().nullable(),
  installCommand: z.string(),
  buildCommand: z.string(),
  /** The `release` line of a Procfile. */
  releaseCommand: z.string(),
  outputDirectory: z.string(),
  /** What runs, `web` first; none for a static site. */
  processes: z.array(z.object({ name: z.string(), command: z.string() })),
  /** Where `web` listens, where it does not heed PORT; null before it was started, and for a site. */
  port: z.int().nullable(),
});
export type Detected = z.output<typeof Detected>;
