import { randomUUID } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** The name of the installation whose apps lie in `root`, made at first; a random id that stays. */
export function instanceOf(root: string): string {
  const file = join(root, 'instance');
  mkdirSync(root, { recursive: true });
  chmodSync(root, 0o711);
  if (!existsSync(file)) writeFileSync(file, randomUUID(), { mode: 0o600 });
  return readFileSync(file, 'utf8').trim();
}
