import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { copyOnce } from '@nephos/db';

const require = createRequire(import.meta.url);
const HOST = join(import.meta.dirname, 'pty-host.ts');

/** Why no terminal can be opened on this machine, as a sentence; '' where one can. */
export function whyNoTerminal(): string {
  try {
    const [, binary] = packageFolders();
    require(join(binary, 'pty.node'));
    return '';
  } catch {
    return `Terminals aren't available on this server's system (${process.platform} ${process.arch}).`;
  }
}

/** The program that opens terminals, where projects' accounts and confinements reach it: a copy, made once. */
export function findTerminalProgram(root: string): string {
  const [library, binary] = packageFolders();
  const source = readFileSync(HOST);
  const version = readFileSync(join(library, 'package.json'));
  const name = createHash('sha256').update(source).update(version).digest('hex').slice(0, 12);
  const folder = join(root, 'toolchain', 'terminal', name);
  const packages = join(folder, 'node_modules', '@lydell');
  copyOnce(library, join(packages, 'node-pty'));
  copyOnce(binary, join(packages, `node-pty-${process.platform}-${process.arch}`));
  copyOnce(HOST, join(folder, 'pty-host.ts'));
  return join(folder, 'pty-host.ts');
}

/** The library, and what is built of it for this machine, which is installed with it where there is such. */
function packageFolders(): [library: string, binary: string] {
  const library = require.resolve('@lydell/node-pty/package.json');
  const binary = createRequire(library).resolve(
    `@lydell/node-pty-${process.platform}-${process.arch}/package.json`,
  );
  return [dirname(library), dirname(binary)];
}
