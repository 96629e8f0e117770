import { createHash } from 'node:crypto';

/** An account by its numbers: whom files belong to, or whom processes run as. */
export interface Account {
  uid: number;
  gid: number;
}

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
