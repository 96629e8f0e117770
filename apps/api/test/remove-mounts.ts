import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';

const TABLE = '/proc/self/mounts';

/** Ends the mounts below a folder: a server that was killed while it tried out disks leaves one. */
export function removeMounts(folder: string): void {
  if (!existsSync(TABLE)) return;
  const places = readFileSync(TABLE, 'utf8')
    .split('\n')
    .map((line) => line.split(' ')[1] ?? '')
    .filter((place) => place.startsWith(`${folder}/`));
  for (const place of places.toReversed()) execFileSync('umount', [place]);
}
