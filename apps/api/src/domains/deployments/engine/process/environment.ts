import { join } from 'node:path';
import type { DeployedApp, DeploymentJob } from '../engine.ts';
import type { ReleaseFolders } from '../folders.ts';
import { diskVariables, placeDisks } from './disks.ts';
import type { ProcessParts } from './process-parts.ts';
import { INSTANCE_MARK } from './runs.ts';

type Environment = Record<string, string>;

/** What every process of a deployment gets and no variable of the project can change. */
function fixed(parts: ProcessParts, folders: ReleaseFolders): Environment {
  return {
    HOME: folders.home,
    TMPDIR: folders.tmp,
    USER: 'app',
    LOGNAME: 'app',
    [INSTANCE_MARK]: parts.instance,
  };
}

/** The environment of git: it reads no configuration of the host or the project, and asks nobody. */
export function cloneEnvironment(
  parts: ProcessParts,
  options: { folders: ReleaseFolders; gitConfig: string },
): Environment {
  return {
    ...parts.toolchain.network,
    PATH: parts.toolchain.path,
    LC_ALL: 'C',
    GIT_TERMINAL_PROMPT: '0',
    GIT_ASKPASS: '',
    SSH_ASKPASS: '',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: options.gitConfig,
    GIT_LFS_SKIP_SMUDGE: '1',
    ...fixed(parts, options.folders),
  };
}

/** What tools are told in every build. */
export const BUILD_DEFAULTS: Readonly<Environment> = {
  LANG: 'C.UTF-8',
  CI: '1',
  FORCE_COLOR: '1',
  npm_config_audit: 'false',
  npm_config_fund: 'false',
  npm_config_update_notifier: 'false',
  PIP_DISABLE_PIP_VERSION_CHECK: '1',
};

/** Where tools keep what later builds use again. */
export function cacheVariables(cache: string): Environment {
  return {
    npm_config_cache: join(cache, 'npm'),
    XDG_CACHE_HOME: join(cache, 'xdg'),
    XDG_DATA_HOME: join(cache, 'xdg-data'),
    YARN_CACHE_FOLDER: join(cache, 'yarn'),
    YARN_ENABLE_GLOBAL_CACHE: '0',
    PIP_CACHE_DIR: join(cache, 'pip'),
  };
}

/** What every app is told, unless its project says otherwise. */
export const APP_DEFAULTS: Readonly<Environment> = {
  LANG: 'C.UTF-8',
  NODE_ENV: 'production',
  PYTHONUNBUFFERED: '1',
  npm_config_update_notifier: 'false',
};

/** The environment of install and build. `NODE_ENV` stays as the project has it, so that development packages are installed. */
export async function buildEnvironment(
  parts: ProcessParts,
  options: { app: DeploymentJob; folders: ReleaseFolders; cache: string },
): Promise<Environment> {
  const { app, folders, cache } = options;
  return {
    ...BUILD_DEFAULTS,
    ...(await parts.toolchain.pipSettings()).variables,
    ...parts.toolchain.network,
    ...(await parts.toolchain.npmSettings()),
    ...app.buildVariables,
    PATH: searchPath(parts, options),
    ...cacheVariables(cache),
    ...fixed(parts, folders),
  };
}

/** The environment of the running app; a worker has no port. */
export function appEnvironment(
  parts: ProcessParts,
  options: { app: DeployedApp; folders: ReleaseFolders; port: number | undefined },
): Environment {
  const { app, folders, port } = options;
  return {
    ...APP_DEFAULTS,
    HOST: '127.0.0.1',
    ...parts.toolchain.network,
    ...app.variables,
    PATH: searchPath(parts, options),
    ...(port !== undefined && { PORT: String(port) }),
    ...diskVariables(placeDisks(parts, app)),
    ...fixed(parts, folders),
  };
}

/** Programs of the packages, of the project's folder first and of the repository last; then what was brought for it. */
function searchPath(
  { toolchain }: ProcessParts,
  { app, folders }: { app: DeployedApp; folders: ReleaseFolders },
): string {
  const names = app.settings.rootDirectory.split('/').filter(Boolean);
  const inside = names.map((_, at) => join(folders.app, ...names.slice(0, names.length - at)));
  const packages = [...inside, folders.app].map((folder) => join(folder, 'node_modules/.bin'));
  return [...packages, join(folders.venv, 'bin'), folders.bin, toolchain.path].join(':');
}
