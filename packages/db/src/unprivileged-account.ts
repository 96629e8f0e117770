import { readFileSync } from 'node:fs';

export interface Account {
  uid: number;
  gid: number;
}

const CANDIDATES = ['postgres', 'nobody'];

/** Whether this process is the superuser, for whom PostgreSQL refuses to run. */
export function runsAsRoot(): boolean {
  return process.getuid?.() === 0;
}

/**
 * The account that PostgreSQL runs under: undefined (our own) unless we are root, then `postgres` or
 * else `nobody` of /etc/passwd. Throws when the machine has neither.
 */
export function unprivilegedAccount(): Account | undefined {
  if (!runsAsRoot()) return undefined;
  const rows = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'));
  for (const name of CANDIDATES) {
    const row = rows.find(([account]) => account === name);
    if (row) return { uid: Number(row[2]), gid: Number(row[3]) };
  }
  throw new Error(`PostgreSQL cannot run as root and there is no account ${CANDIDATES.join(' or ')}`);
}
