import { randomUUID } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isProjectAccount } from './process/account.ts';
import { endProcesses } from './process/process-tree.ts';

/** The name of the installation whose apps lie in `root`, made at first; a random id that stays. */
export function instanceOf(root: string): string {
  const file = join(root, 'instance');
  mkdirSync(root, { recursive: true });
  chmodSync(root, 0o711);
  if (!existsSync(file)) writeFileSync(file, randomUUID(), { mode: 0o600 });
  return readFileSync(file, 'utf8').trim();
}

/** Ends every process that a killed server of this installation left behind. */
export async function reapLeftovers(instance: string): Promise<void> {
  await endProcesses((candidate) => candidate.instance === instance, 0);
}

/**
 * Ends what is left under a project's account once its app is stopped: processes that cleared their environment, and
 * so cannot be told by their marks. Those that carry another installation's mark are not touched.
 */
export async function reapAccount(uid: number, instance: string): Promise<void> {
  if (!isProjectAccount(uid)) return;
  await endProcesses((process) => process.uid === uid && (process.instance ?? instance) === instance, 0);
}
