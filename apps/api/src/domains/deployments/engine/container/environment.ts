import { isLoopbackHost } from '../../../../core/env.ts';
import type { Settings } from '../../../../core/settings.ts';
import type { DeployedApp } from '../engine.ts';
import { diskVariables } from '../process/disks.ts';
import { withoutCredentials } from '../process/host-network.ts';
import type { MountedDisk } from './disks.ts';

const PROXIES = /^(HTTPS?|NO)_PROXY$/i;

/** What a container gets beside the variables of its image; a worker has no port. */
export function containerEnvironment(
  { hostEnvironment }: Pick<Settings, 'hostEnvironment'>,
  {
    app,
    port,
    disks,
  }: { app: Pick<DeployedApp, 'variables'>; port: number | undefined; disks: readonly MountedDisk[] },
): Record<string, string> {
  return {
    ...proxyVariables({ hostEnvironment }),
    // On its own loopback a program is not reached from outside of its container.
    HOST: '0.0.0.0',
    ...app.variables,
    ...(port !== undefined && { PORT: String(port) }),
    ...diskVariables(disks),
  };
}

/** The proxies of this server that are there for a container, too, without credentials. */
export function proxyVariables({
  hostEnvironment,
}: Pick<Settings, 'hostEnvironment'>): Record<string, string> {
  const proxies = Object.entries(hostEnvironment).filter(
    ([name, value]) => PROXIES.test(name) && !isOnLoopback(value),
  );
  return Object.fromEntries(proxies.map(([name, value]) => [name, withoutCredentials(value)]));
}

/** A proxy on this machine's loopback is not there in a container. */
function isOnLoopback(address: string): boolean {
  return URL.canParse(address) && isLoopbackHost(new URL(address).hostname);
}
