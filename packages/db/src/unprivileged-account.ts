import { readFileSync } from 'node:fs';

/** An account by its numbers: whom files belong to, or whom processes run as. */
export interface Account {
  uid: number;
  gid: number;
}

const POSTGRES_ACCOUNTS = ['postgres', 'nobody'];

/** Whether this process is the superuser, for whom database servers refuse to run. */
export function runsAsRoot(): boolean {
  return process.getuid?.() === 0;
}

/**
 * The account that a database server runs under: undefined (our own) unless we are root, then the first of
 * `candidates` that is in /etc/passwd. Throws when the machine has none of them.
 */
export function unprivilegedAccount(candidates = POSTGRES_ACCOUNTS): Account | undefined {
  if (!runsAsRoot()) return undefined;
  const rows = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'));
  for (const name of candidates) {
    const row = rows.find(([account]) => account === name);
    if (row) return { uid: Number(row[2]), gid: Number(row[3]) };
  }
  throw new Error(`A database server cannot run as root and there is no account ${candidates.join(' or ')}`);
}
