import { join } from 'node:path';
import type { EngineDeps } from '../engine-deps.ts';
import type { ReleaseFolders } from '../folders.ts';
import type { DeployedApp } from '../seams.ts';
import { INSTANCE_MARK } from './runs.ts';

type Environment = Record<string, string>;

/** What every process of a deployment gets and no variable of the project can change. */
function fixed(deps: EngineDeps, folders: ReleaseFolders): Environment {
  return {
    HOME: folders.home,
    TMPDIR: folders.tmp,
    USER: 'app',
    LOGNAME: 'app',
    [INSTANCE_MARK]: deps.instance,
  };
}

/** For git: nothing of the host's or the project's configuration, no prompt, no helper. */
export function cloneEnvironment(
  deps: EngineDeps,
  options: { folders: ReleaseFolders; gitConfig: string },
): Environment {
  return {
    ...deps.toolchain.network,
    PATH: deps.toolchain.path,
    LC_ALL: 'C',
    GIT_TERMINAL_PROMPT: '0',
    GIT_ASKPASS: '',
    SSH_ASKPASS: '',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: options.gitConfig,
    GIT_LFS_SKIP_SMUDGE: '1',
    ...fixed(deps, options.folders),
  };
}

/** For install and build. `NODE_ENV` stays as the project has it, so that development packages are installed. */
export async function buildEnvironment(
  deps: EngineDeps,
  options: { app: DeployedApp; folders: ReleaseFolders; cache: string },
): Promise<Environment> {
  const { app, folders, cache } = options;
  return {
    LANG: 'C.UTF-8',
    CI: '1',
    FORCE_COLOR: '1',
    npm_config_audit: 'false',
    npm_config_fund: 'false',
    npm_config_update_notifier: 'false',
    PIP_DISABLE_PIP_VERSION_CHECK: '1',
    ...deps.toolchain.network,
    ...(await deps.toolchain.npmSettings),
    ...app.variables,
    PATH: searchPath(deps, folders),
    npm_config_cache: join(cache, 'npm'),
    XDG_CACHE_HOME: join(cache, 'xdg'),
    XDG_DATA_HOME: join(cache, 'xdg-data'),
    YARN_CACHE_FOLDER: join(cache, 'yarn'),
    PIP_CACHE_DIR: join(cache, 'pip'),
    ...fixed(deps, folders),
  };
}

/** For the running app. */
export function appEnvironment(
  deps: EngineDeps,
  options: { app: DeployedApp; folders: ReleaseFolders; port: number },
): Environment {
  const { app, folders, port } = options;
  return {
    LANG: 'C.UTF-8',
    NODE_ENV: 'production',
    HOST: '127.0.0.1',
    PYTHONUNBUFFERED: '1',
    npm_config_update_notifier: 'false',
    ...deps.toolchain.network,
    ...app.variables,
    PATH: searchPath(deps, folders),
    PORT: String(port),
    ...fixed(deps, folders),
  };
}

function searchPath(deps: EngineDeps, folders: ReleaseFolders): string {
  const own = [join(folders.app, 'node_modules/.bin'), join(folders.venv, 'bin')];
  return [...own, deps.toolchain.path].join(':');
}
