import { accessSync, constants, readFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';

const LIST = join(import.meta.dirname, 'debian-tools.txt');

/**
 * Whether the program `name` (a line of debian-tools.txt) is installed: for `test.skipIf(!requireTool('git'))`.
 * Where it is absent, says why tests are skipped; throws instead when `REQUIRE_TOOLS=1`, as CI sets it.
 */
export function requireTool(name: string): boolean {
  const packages = debianPackages(name);
  if (isInstalled(name)) return true;
  const reason = `needs ${name} (apt-get install ${packages.join(' ')})`;
  if (process.env.REQUIRE_TOOLS === '1') throw new Error(reason);
  console.warn(`skipped: ${reason}`);
  return false;
}

/** Whether the program is there at all: for what tests can do without, which CI does not install. */
export function isInstalled(name: string): boolean {
  const folders = (process.env.PATH ?? '').split(delimiter);
  // Servers lie beside the other programs, where only the PATH of an administrator looks.
  const ofServers = folders.map((folder) => join(dirname(folder), 'sbin'));
  return [...folders, ...ofServers].some((folder) => {
    try {
      accessSync(join(folder, name), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}

function debianPackages(name: string): string[] {
  const lines = readFileSync(LIST, 'utf8').split('\n');
  const line = lines.find((candidate) => candidate.startsWith(`${name} `));
  if (!line) throw new Error(`${name} is not in ${LIST}: add it, so that CI installs it`);
  return line.split(' ').slice(1);
}
