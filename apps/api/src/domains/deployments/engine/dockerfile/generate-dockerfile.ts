import { posix } from 'node:path';
import type { Framework } from '@nephos/contracts';
import type { Plan, PlannedCommand, PlannedProcess } from '../detect/plan.ts';
import type { Snapshot } from '../detect/snapshot.ts';
import type { DeploymentJob } from '../engine.ts';
import { APP_DEFAULTS, BUILD_DEFAULTS, cacheVariables } from '../process/environment.ts';
import { type BaseImages, baseImageOf } from './base-image.ts';
import { packageFiles } from './package-files.ts';

/** What a Dockerfile is written for. */
export interface DockerfileSource {
  framework: Framework;
  plan: Plan;
  snapshot: Snapshot;
  images: BaseImages;
  /** Where the app is told to listen. */
  port: number;
  /** Names of build variables, which come as secrets. */
  variables: readonly string[];
  /** Names of settings that say where packages come from, which come as build arguments. */
  toolSettings: readonly string[];
}

/** What a deployment's Dockerfile is written for, as one downloads it: with nothing of this server. */
export function dockerfileSource(
  { framework, settings, buildVariables }: Pick<DeploymentJob, 'framework' | 'settings' | 'buildVariables'>,
  found: Pick<DockerfileSource, 'plan' | 'snapshot' | 'images'>,
): DockerfileSource {
  const variables = Object.keys(buildVariables).sort();
  return { ...found, framework, port: settings.port ?? DEFAULT_PORT, variables, toolSettings: [] };
}

export interface GeneratedDockerfile {
  text: string;
  /** What the build does not see of the folder, as a .dockerignore has it. */
  ignored: string;
}

/** The stage in which an app or a site has been built. */
export const BUILD_STAGE = 'build';
/** Where apps are told to listen, where nothing else is said. */
export const DEFAULT_PORT = 3000;
/** Where the repository is in the image. */
export const APP_FOLDER = '/app';

const USER = 10_001;
const OWNER = `${USER}:${USER}`;
const HOME = '/home/app';
const VENV = '/opt/venv';
const CACHE = '/cache';
const CONSTRAINTS = '/tmp/constraints.txt';
/** Where the web server of `BASE_IMAGE_STATIC` has its files. */
const SITE = '/usr/share/nginx/html';

/**
 * Writes a Dockerfile for what was detected: an unprivileged user; packages before the code, so that their layers stay
 * as long as the lock file; caches of package managers beside the layers, and secrets in none. Its commands are those of
 * a build without a container. It holds names of variables, and no values.
 */
export function generateDockerfile(source: DockerfileSource): GeneratedDockerfile {
  const { plan, images } = source;
  const stages = isPlainSite(plan)
    ? [[`FROM ${images.static}`, copy([], [folderOf(plan)], SITE)]]
    : [baseStage(source), withoutRepeats(buildStage(source)), finalStage(source)];
  const head = [
    `# ${plan.detected.framework}, as Nephos detected it. Build it with BuildKit (DOCKER_BUILDKIT=1).`,
  ];
  const ignored = ['.git', ...(plan.kept.packages?.kind === 'node' ? ['**/node_modules'] : [])];
  const paragraphs = [head, ...stages].map((lines) => lines.join('\n'));
  return { text: `${paragraphs.join('\n\n')}\n`, ignored: `${ignored.join('\n')}\n` };
}

/** A folder need not be entered again. */
function withoutRepeats(lines: readonly string[]): string[] {
  let at = `WORKDIR ${APP_FOLDER}`;
  return lines.filter((line) => {
    if (!line.startsWith('WORKDIR ')) return true;
    const isNew = line !== at;
    at = line;
    return isNew;
  });
}

/** Whether the repository's own files are the site. */
export function isPlainSite({ serve, install, build }: Plan): boolean {
  return !('kind' in serve) && install.length === 0 && build.length === 0;
}

function folderOf({ serve }: Plan): string {
  return 'kind' in serve ? '.' : (serve.folders[0] ?? '.');
}

/** What build and app have in common: programs, a user and its folders. */
function baseStage({ framework, plan, snapshot, images, toolSettings }: DockerfileSource): string[] {
  const isPython = framework === 'python';
  const withNode = isPython && plan.node !== undefined;
  const own = [APP_FOLDER, HOME, ...(isPython ? [VENV] : [])];
  const folders = own.map((folder) => (folder === APP_FOLDER ? posix.join(folder, snapshot.folder) : folder));
  const tools = plan.tools.map((tool) => `${tool.package}@${tool.version}`);
  return [
    ...(withNode ? [`FROM ${baseImageOf('nodejs', images, plan)} AS node`, ''] : []),
    `FROM ${baseImageOf(framework, images, plan)} AS base`,
    ...(withNode ? ['COPY --from=node /usr/local/ /usr/local/'] : []),
    `RUN echo 'app:x:${OWNER}::${HOME}:/bin/sh' >> /etc/passwd \\`,
    ` && echo 'app:x:${USER}:' >> /etc/group \\`,
    ` && mkdir -p ${words(folders)} \\`,
    ` && chown -R ${OWNER} ${words(own)}`,
    ...(tools.length > 0
      ? [...argumentsFor(toolSettings), `RUN npm install --global --force ${words(tools)}`]
      : []),
    `ENV HOME=${HOME}`,
    `ENV PATH="${searchPath(snapshot, isPython)}:$PATH"`,
    `USER ${OWNER}`,
    `WORKDIR ${APP_FOLDER}`,
  ];
}

/** Programs of the packages, of the project's folder first and of the repository last. */
function searchPath({ folder }: Snapshot, isPython: boolean): string {
  const names = folder.split('/').filter(Boolean);
  const folders = ['', ...names.map((_, at) => names.slice(0, at + 1).join('/'))].reverse();
  const packages = folders.map((path) => posix.join(APP_FOLDER, path, 'node_modules/.bin'));
  return [...packages, ...(isPython ? [`${VENV}/bin`] : [])].join(':');
}

function buildStage(source: DockerfileSource): string[] {
  const { framework, plan, snapshot, toolSettings } = source;
  const { constraints } = plan;
  const environment = { ...BUILD_DEFAULTS, ...cacheVariables(CACHE), ...plan.buildEnvironment };
  const files = packageFiles(plan, snapshot);
  const everything = copy([`--chown=${OWNER}`], ['.'], APP_FOLDER);
  const installs = runAll(source, plan.install);
  return [
    `FROM base AS ${BUILD_STAGE}`,
    ...Object.entries(environment).map(([name, value]) => `ENV ${name}=${word(value)}`),
    ...argumentsFor(toolSettings),
    ...(framework === 'python' ? [`RUN python -m venv ${VENV}`] : []),
    ...(constraints === ''
      ? []
      : [
          `RUN printf '%s\\n' ${words(constraints.trim().split('\n'))} > ${CONSTRAINTS}`,
          `ENV PIP_CONSTRAINT=${CONSTRAINTS}`,
        ]),
    ...(files ? [...copyFiles(snapshot, files), ...installs, everything] : [everything, ...installs]),
    ...runAll(source, plan.build),
  ];
}

/** Each to the place that it has in the repository. */
function copyFiles(
  { folder }: Snapshot,
  { files, folders }: { files: string[]; folders: string[] },
): string[] {
  const target = `./${folder && `${folder}/`}`;
  const path = (name: string) => posix.join(folder, name);
  return [
    ...(files.length > 0 ? [copy([`--chown=${OWNER}`], files.map(path), target)] : []),
    ...folders.map((name) => copy([`--chown=${OWNER}`], [path(name)], `${target}${name}/`)),
  ];
}

/** Exports each secret under its name. Nothing is there where the build was given none. */
const READ_SECRETS = `for file in /run/secrets/*; do [ ! -f "$file" ] || export "\${file##*/}=$(cat "$file")"; done`;

function runAll({ variables }: DockerfileSource, commands: readonly PlannedCommand[]): string[] {
  const mounts = [
    `--mount=type=cache,target=${CACHE},uid=${USER},gid=${USER}`,
    ...variables.map((name) => `--mount=type=secret,id=${name},uid=${USER}`),
  ];
  const secrets = variables.length > 0 ? [`${READ_SECRETS};`] : [];
  return commands.flatMap(({ argv, folder }) => [
    `WORKDIR ${posix.join(APP_FOLDER, folder)}`,
    ['RUN', ...[...mounts, ...secrets].map((line) => `${line} \\\n   `), words(argv)].join(' '),
  ]);
}

function finalStage({ framework, plan, images, port }: DockerfileSource): string[] {
  const from = [`--from=${BUILD_STAGE}`];
  if (!('kind' in plan.serve)) {
    return [
      ...(plan.serve.folders.length > 1
        ? [`# The first of these that the build makes: ${plan.serve.folders.join(', ')}`]
        : []),
      `FROM ${images.static}`,
      copy(from, [posix.join(APP_FOLDER, folderOf(plan))], SITE),
    ];
  }
  const [web, ...workers] = plan.serve.processes;
  const environment = { ...APP_DEFAULTS, HOST: '0.0.0.0', PORT: String(port) };
  const owned = [...from, `--chown=${OWNER}`];
  return [
    'FROM base',
    ...Object.entries(environment).map(([name, value]) => `ENV ${name}=${word(value)}`),
    copy(owned, [APP_FOLDER], APP_FOLDER),
    ...(framework === 'python' ? [copy(owned, [VENV], VENV)] : []),
    `EXPOSE ${port}`,
    ...[...(plan.release ? [plan.release] : []), ...workers].map(
      (process) => `# ${process.name}: ${JSON.stringify(wordsOf(process))}`,
    ),
    `CMD ${JSON.stringify(wordsOf(web))}`,
  ];
}

/** A process as a container runs it: a shell expands what refers to the environment. */
function wordsOf({ argv, expand }: PlannedProcess): readonly string[] {
  if (!expand || !argv.some((text) => REFERENCE.test(text))) return argv;
  return [
    'sh',
    '-c',
    `exec ${argv.map((text) => (REFERENCE.test(text) ? expanded(text) : word(text))).join(' ')}`,
  ];
}

const REFERENCE = /\$\{?[A-Za-z_]/;

function expanded(text: string): string {
  return `"${text.replace(/["\\`]/g, '\\$&')}"`;
}

function argumentsFor(names: readonly string[]): string[] {
  return names.map((name) => `ARG ${name}`);
}

/** In JSON where a path has what a Dockerfile would split or expand. */
function copy(flags: readonly string[], from: readonly string[], to: string): string {
  const paths = [...from.map(literal), to];
  const isPlain = paths.every((path) => PLAIN.test(path));
  return ['COPY', ...flags, isPlain ? paths.join(' ') : JSON.stringify(paths)].join(' ');
}

/** COPY reads patterns, as Go's filepath.Match does. */
function literal(path: string): string {
  return path.replace(/[[*?\\]/g, '\\$&');
}

const PLAIN = /^[A-Za-z0-9_@%+=:,./-]+$/;

function words(all: readonly string[]): string {
  return all.map(word).join(' ');
}

/** A word as a shell reads it. A line of a Dockerfile cannot hold the end of one. */
function word(text: string): string {
  const line = text.replace(/[\r\n]+/g, ' ');
  return PLAIN.test(line) ? line : `'${line.replaceAll("'", `'\\''`)}'`;
}
