import { createHmac, randomUUID } from 'node:crypto';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { projectFolder } from '../../folders.ts';
import type { ProcessParts } from '../../process/process-parts.ts';
import type { BuildOptions } from '../../runtime.ts';

/** What an image is built by. */
export interface Recipe {
  dockerfile: string;
  /** In the place of the folder's .dockerignore; undefined: that counts. */
  ignored: string | undefined;
  /** The folder that the build sees, below the repository; '' is the repository. */
  folder: string;
  /** '' is the last stage. */
  target: string;
  /** Whether nothing of earlier builds is used: it takes what its commands would be given now. */
  isFresh: boolean;
  /** Plain values, which stay in the image. */
  buildArgs: Readonly<Record<string, string>>;
}

/** What the docker command is called with. */
export interface BuildCall {
  args: readonly string[];
  env: Readonly<Record<string, string>>;
  /** Where it writes the image's id. */
  idFile: string;
  /** Where it is started. */
  folder: string;
}

export interface CallOptions {
  recipe: Recipe;
  /** The folder of ours. */
  place: string;
  labels: Readonly<Record<string, string>>;
  dockerHost: string;
  /** Names with addresses, for steps. */
  hosts: Readonly<Record<string, string>>;
}

/** Names what a Dockerfile's cache mounts are kept under: this project's alone, whatever names they have there. */
const CACHE_ARGUMENT = 'BUILDKIT_CACHE_MOUNT_NS';

/** Proxies are known to every Dockerfile by these names, and are part of no layer. */
const PROXY = /^(https?|no|all|ftp)_proxy$/i;

/**
 * Makes the files that the docker command reads, in `place`, a folder of ours: the Dockerfile as it was read, and the
 * repository, moved to where nobody else can change it while it is read.
 */
export async function prepareCall(
  parts: Pick<ProcessParts, 'root' | 'toolchain'>,
  { job, folders }: BuildOptions,
  { recipe, place, labels, dockerHost, hosts }: CallOptions,
): Promise<BuildCall> {
  const context = join(place, 'context');
  const own = join(place, 'docker');
  await mkdir(own, { recursive: true, mode: 0o700 });
  await rename(folders.app, context).catch((error: NodeJS.ErrnoException) => {
    // A second try finds it there.
    if (error.code !== 'ENOENT') throw error;
  });
  const dockerfile = join(own, 'Dockerfile');
  await writeFile(dockerfile, recipe.dockerfile, { mode: 0o600 });
  if (recipe.ignored !== undefined)
    await writeFile(`${dockerfile}.dockerignore`, recipe.ignored, { mode: 0o600 });
  const idFile = join(own, 'image-id');
  const secrets = Object.entries(job.buildVariables).map(([name, value], at) => ({
    name,
    value,
    // A variable of the project must not be one that the docker command itself goes by.
    passedAs: `NEPHOS_SECRET_${at}`,
  }));
  const proxies = Object.entries(parts.toolchain.network).filter(([name]) => PROXY.test(name));
  const cache = await cacheName(parts.root, job);
  const { [CACHE_ARGUMENT]: _, ...buildArgs } = { ...recipe.buildArgs, ...Object.fromEntries(proxies) };
  return {
    idFile,
    folder: own,
    env: {
      PATH: parts.toolchain.path,
      HOME: own,
      LC_ALL: 'C',
      DOCKER_HOST: dockerHost,
      DOCKER_CONFIG: join(own, 'config'),
      DOCKER_BUILDKIT: '1',
      BUILDX_NO_DEFAULT_ATTESTATIONS: '1',
      // Everybody on this machine can read what a command is called with.
      [CACHE_ARGUMENT]: cache,
      ...Object.fromEntries(secrets.map(({ passedAs, value }) => [passedAs, value])),
    },
    args: [
      ...['build', '--progress=plain', `--iidfile=${idFile}`, `--file=${dockerfile}`],
      ...(job.clearCache || recipe.isFresh ? ['--no-cache'] : []),
      ...(recipe.target ? [`--target=${recipe.target}`] : []),
      ...Object.entries(labels).map(([name, value]) => `--label=${name}=${value}`),
      ...secrets.map(({ name, passedAs }) => `--secret=id=${name},env=${passedAs}`),
      ...Object.entries(buildArgs).map(([name, value]) => `--build-arg=${name}=${value}`),
      `--build-arg=${CACHE_ARGUMENT}`,
      `--add-host=${layerHost(cache, job)}:0.0.0.0`,
      ...Object.entries(hosts).map(([name, address]) => `--add-host=${name}:${address}`),
      '--',
      join(context, recipe.folder),
    ],
  };
}

/** By which BuildKit keeps caches for the project's next builds. Nobody can guess it. */
async function cacheName(
  root: string,
  { projectId, clearCache }: Pick<BuildOptions['job'], 'projectId' | 'clearCache'>,
): Promise<string> {
  const file = join(projectFolder(root, projectId), 'build-cache');
  if (clearCache) await rm(file, { force: true });
  const known = await readFile(file, 'utf8').catch(() => undefined);
  if (known) return known;
  const name = randomUUID();
  await writeFile(file, name, { mode: 0o600 });
  return name;
}

/**
 * A host that nobody asks for, in /etc/hosts of every step. BuildKit tells layers apart by the hosts of their steps, and not
 * by values of secrets: without it, a project would be given what steps of another one made of its secrets, or what its own
 * made of a value that was changed. Whoever reads it learns nothing of those values.
 */
function layerHost(cache: string, { buildVariables }: Pick<BuildOptions['job'], 'buildVariables'>): string {
  const variables = Object.entries(buildVariables).sort();
  const digest = createHmac('sha256', cache).update(JSON.stringify(variables)).digest('hex');
  // A label of a name has at most 63 characters (RFC 1035 §2.3.4).
  return `${digest.slice(0, 32)}.invalid`;
}

/** Build arguments of a generated Dockerfile: where packages come from, as this server is set. No file of it is in the build. */
export async function toolArguments(
  { toolchain }: Pick<ProcessParts, 'toolchain'>,
  { job }: Pick<BuildOptions, 'job'>,
): Promise<Record<string, string>> {
  const all = {
    ...(await toolchain.npmSettings()),
    ...(job.framework === 'python' && (await toolchain.pipSettings()).variables),
  };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => !value.startsWith('/')));
}
