import { execFile } from 'node:child_process';
import { userInfo } from 'node:os';
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
