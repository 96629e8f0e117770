import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The release whose Node is new enough. */
const SUITE = 'trixie';
/** Where Debian keeps the authorities that are trusted, and those that a machine's owner added. */
const AUTHORITIES = ['/etc/ssl/certs/ca-certificates.crt', '/usr/local/share/ca-certificates'];

/** Debian's base system and these packages in `folder`, as whoever rents a machine finds it. It trusts whom this one trusts. */
export function makeMachine(folder: string, packages: readonly string[]): void {
  const options = ['--variant=minbase', `--include=${['ca-certificates', ...packages].join(',')}`];
  execFileSync('debootstrap', [...options, SUITE, folder], { stdio: ['ignore', 'ignore', 'inherit'] });
  for (const path of AUTHORITIES.filter(existsSync)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    cpSync(path, join(folder, path), { recursive: true, dereference: true });
  }
}
