import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { findNetworks } from '../src/domains/deployments/engine/process/sandbox/network.ts';
import { searchPath } from '../src/domains/deployments/engine/process/toolchain.ts';

/** Takes what a killed server has left of networks off this machine, as its next start would. */
export async function removeNetworks(dataDir: string): Promise<void> {
  const file = join(dataDir, 'apps', 'instance');
  if (!existsSync(file)) return;
  const networks = await findNetworks(searchPath({ PATH: process.env.PATH ?? '' }), {
    instance: readFileSync(file, 'utf8').trim(),
    ports: () => ({ loopback: [], public: [] }),
  });
  if (typeof networks !== 'string') await networks.close();
}
