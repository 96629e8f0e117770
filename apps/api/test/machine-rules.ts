import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { firewallTable } from '../src/domains/deployments/engine/container/firewall.ts';

const run = promisify(execFile);

/**
 * Removes the rules of this machine that a server with this data folder made for networks of containers: they outlive it,
 * and would hide from other tests that theirs are missing.
 */
export async function removeMachineRules(dataDir: string): Promise<void> {
  const instance = await readFile(join(dataDir, 'apps/instance'), 'utf8').catch(() => undefined);
  if (!instance) return;
  // Most servers have none.
  await run('nft', ['delete', 'table', 'ip', firewallTable(instance.trim())]).catch(() => {});
}
