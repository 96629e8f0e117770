import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { writePrivately } from './write-privately.ts';

/** What tells this folder of clusters from those of other machines. It is made once, and goes with the folder. */
export function clustersHome(root: string): string {
  const file = join(root, 'home');
  if (!existsSync(file)) writePrivately(file, randomUUID(), undefined);
  return readFileSync(file, 'utf8').trim();
}
