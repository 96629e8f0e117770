import { createHash, randomUUID } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Account } from '@nephos/db';

const FIRST = 20_000;
const COUNT = 40_000;

/**
 * The unprivileged account of a project: one of the numbers 20000 to 59999, without an entry in /etc/passwd. Where
 * the range begins depends on the installation, so that two on one machine rarely share accounts. Undefined: as
 * ourselves, since only root can choose.
 */
export function accountOf(project: number, instance: string): Account | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const offset = createHash('sha256').update(instance).digest().readUInt32BE(0);
  const id = FIRST + ((project + offset) % COUNT);
  return { uid: id, gid: id };
}

/** Whether a number is one that `accountOf` can give. */
export function isProjectAccount(uid: number): boolean {
  return uid >= FIRST && uid < FIRST + COUNT;
}

/** The name of the installation whose apps lie in `root`, made at first; a random id that stays. */
export function instanceOf(root: string): string {
  const file = join(root, 'instance');
  mkdirSync(root, { recursive: true });
  chmodSync(root, 0o711);
  if (!existsSync(file)) writeFileSync(file, randomUUID(), { mode: 0o600 });
  return readFileSync(file, 'utf8').trim();
}
