import { execFile } from 'node:child_process';
import { userInfo } from 'node:os';
import { dirname, isAbsolute } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** An address without the user name and password that it may hold. */
export function withoutCredentials(address: string): string {
  if (!URL.canParse(address)) return address;
  const url = new URL(address);
  if (!url.username && !url.password) return address;
  url.username = '';
  url.password = '';
  return url.href;
}

/** The host's network settings for builds and apps, without credentials. `PATH` is left out. */
export function networkVariables(host: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(host)
      .filter(([name]) => name !== 'PATH')
      .map(([name, value]) => [name, withoutCredentials(value)]),
  );
}

const NPM_SETTINGS = ['registry', 'cafile', 'proxy', 'https-proxy'];

/**
 * The host's effective npm registry, certificate file and proxy, as variables that npm, pnpm and yarn read. Nothing
 * else of its npm configuration goes to builds: it can hold tokens.
 */
export async function npmVariables(
  npm: string,
  env: Record<string, string>,
): Promise<Record<string, string>> {
  try {
    const { stdout } = await run(npm, ['config', 'get', ...NPM_SETTINGS], {
      cwd: '/',
      env: { ...env, HOME: userInfo().homedir },
      timeout: 10_000,
    });
    const settings = stdout
      .trim()
      .split('\n')
      .map((line) => /^([a-z-]+)=(.+)$/.exec(line) ?? [])
      .filter(([, , value]) => value && value !== 'null' && value !== 'undefined');
    return Object.fromEntries(
      settings.map(([, name, value = '']) => [
        `npm_config_${name?.replace('-', '_')}`,
        withoutCredentials(value),
      ]),
    );
  } catch {
    // Without its settings npm uses its own defaults, which is what most hosts have.
    return {};
  }
}

/** The host's settings of pip, and what of this machine's disk they name. */
export interface PipSettings {
  variables: Readonly<Record<string, string>>;
  places: readonly string[];
}

const PIP_SETTINGS = [
  ...['index-url', 'extra-index-url', 'find-links', 'no-index'],
  ...['cert', 'trusted-host', 'timeout', 'default-timeout'],
];

/** Where the host's pip gets packages: an index, or folders of this machine. Without passwords, and nothing else of its settings. */
export async function pipSettings(python: string, env: Record<string, string>): Promise<PipSettings> {
  const said = await run(python, ['-I', '-m', 'pip', 'config', 'list'], {
    cwd: '/',
    env: { ...env, HOME: userInfo().homedir },
    timeout: 10_000,
  }).catch(() => ({ stdout: '' }));
  const settings = [...said.stdout.matchAll(/^(?:global|install)\.([a-z-]+)=(['"])(.*)\2$/gm)]
    .map(([, name = '', , value = '']) => [name, value.replaceAll('\\n', ' ').trim()] as const)
    .filter(([name, value]) => PIP_SETTINGS.includes(name) && value !== '');
  const variables = Object.fromEntries(
    settings.map(([name, value]) => [
      `PIP_${name.replaceAll('-', '_').toUpperCase()}`,
      wordsOf(value).map(withoutCredentials).join(' '),
    ]),
  );
  const places = Object.entries({ ...variables, ...env })
    .filter(([name]) => name.startsWith('PIP_'))
    .flatMap(([, value]) => wordsOf(value).flatMap(placeOf));
  return { variables, places };
}

function wordsOf(value: string): string[] {
  return value.split(/\s+/).filter(Boolean);
}

/** An index names files that lie beside it. */
function placeOf(word: string): string[] {
  if (isAbsolute(word)) return [word];
  if (!word.startsWith('file:') || !URL.canParse(word)) return [];
  const above = dirname(fileURLToPath(word));
  return above === '/' ? [] : [above];
}
