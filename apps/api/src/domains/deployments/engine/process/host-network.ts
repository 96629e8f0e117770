import { execFile } from 'node:child_process';
import { realpathSync } from 'node:fs';
import { userInfo } from 'node:os';
import { dirname, isAbsolute, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** An address without the user name and password that it may hold. */
export function withoutCredentials(address: string): string {
  // Programs take proxies without a scheme, and passwords that a URL would have to encode.
  if (!URL.canParse(address) || !address.includes('://'))
    return address.replace(/^(?:([a-z][a-z\d+.-]*:\/\/).*|[^/]*)@/i, '$1');
  const url = new URL(address);
  if (!url.username && !url.password) return address;
  url.username = '';
  url.password = '';
  return url.href;
}

const isOfPip = (name: string) => name.startsWith('PIP_');

/** The host's network settings for builds and apps, without credentials. `PATH` and pip's settings are left out. */
export function networkVariables(host: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(host)
      .filter(([name]) => name !== 'PATH' && !isOfPip(name))
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

/**
 * Where the host's pip gets packages, by its environment `host` and its files: an index, or folders of this machine,
 * which must be apart from `kept`. Without passwords, and nothing else of its settings. Never rejects.
 */
export async function pipSettings(
  python: string | undefined,
  env: Record<string, string>,
  { host, kept }: { host: Readonly<Record<string, string>>; kept: readonly string[] },
): Promise<PipSettings> {
  const settings = [
    ...(python ? await configured(python, env) : []),
    ...Object.entries(host).filter(([name]) => isOfPip(name)),
  ];
  const variables = Object.fromEntries(
    settings.map(([name, value]) => [name, wordsOf(value).map(withoutCredentials).join(' ')]),
  );
  const places = Object.entries(variables)
    .flatMap(([name, value]) => wordsOf(value).flatMap((word) => placeOf(name, word)))
    .filter((place) => kept.every((folder) => areApart(place, folder)));
  return { variables, places };
}

/** What pip's files say, by the names of variables. */
async function configured(python: string, env: Record<string, string>): Promise<[string, string][]> {
  const said = await run(python, ['-I', '-m', 'pip', 'config', 'list'], {
    cwd: '/',
    env: { ...env, HOME: userInfo().homedir },
    timeout: 10_000,
  }).catch(() => ({ stdout: '' }));
  return [...said.stdout.matchAll(/^(?:global|install)\.([a-z-]+)=(['"])(.*)\2$/gm)]
    .map(([, name = '', , value = '']) => [name, value.replaceAll('\\n', ' ').trim()] as const)
    .filter(([name, value]) => PIP_SETTINGS.includes(name) && value !== '')
    .map(([name, value]) => [`PIP_${name.replaceAll('-', '_').toUpperCase()}`, value]);
}

function wordsOf(value: string): string[] {
  return value.split(/\s+/).filter(Boolean);
}

/** What a setting names of this machine. Pages lead to files that lie beside them, or beside their index. */
function placeOf(name: string, word: string): string[] {
  const path = isAbsolute(word) ? resolve(word) : pathOf(word);
  if (path === undefined) return [];
  const above = dirname(path);
  const leadsBeside = name.endsWith('INDEX_URL') || /\.html?$/.test(path);
  // A folder of the root, such as /srv, holds more than packages.
  return [leadsBeside && dirname(above) !== '/' ? above : path];
}

function pathOf(address: string): string | undefined {
  try {
    return resolve(fileURLToPath(address));
  } catch {
    // It is no address of a file, or one of another machine's.
    return undefined;
  }
}

/** Whether neither of two paths leads into the other. */
function areApart(one: string, other: string): boolean {
  const [a, b] = [realOf(one), realOf(other)];
  const isOutside = (way: string) => /^\.\.(\/|$)/.test(way);
  return isOutside(relative(a, b)) && isOutside(relative(b, a));
}

function realOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
