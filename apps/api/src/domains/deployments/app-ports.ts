import { isLoopbackHost, isOnlyForThisMachine } from '../../core/env.ts';
import type { Settings } from '../../core/settings.ts';
import { LOOPBACK } from '../databases/engines/listening.ts';
import { MACHINE } from './engine/container/project-networks.ts';
import type { Ports } from './engine/process/sandbox/network.ts';

const PROXIES = ['HTTP_PROXY', 'HTTPS_PROXY', 'http_proxy', 'https_proxy'];

/**
 * TCP ports of this machine that apps in a network of their own connect to: databases and the proxy that the machine
 * uses, and where others reach the console, the console as others do.
 */
export function appPorts(settings: Settings, databases: readonly { host: string; port: number }[]): Ports {
  const proxies = PROXIES.flatMap((name) => addressOf(settings.hostEnvironment[name] ?? ''));
  const onLoopback = [...databases, ...proxies].filter(({ host }) => isLoopbackHost(host));
  const ofConsole = isOnlyForThisMachine(settings) ? [] : addressOf(settings.publicUrl.href);
  const elsewhere = [...databases.filter(({ host }) => !isLoopbackHost(host)), ...ofConsole];
  return { loopback: portsOf(onLoopback), public: portsOf(elsewhere) };
}

/** What apps call this machine, of which they reach what they are given. */
export function machineOfApps({ deployRuntime }: Pick<Settings, 'deployRuntime'>): string {
  return deployRuntime === 'process' ? LOOPBACK : MACHINE;
}

function addressOf(text: string): { host: string; port: number }[] {
  if (!URL.canParse(text)) return [];
  const { hostname: host, port, protocol } = new URL(text);
  return [{ host, port: Number(port || (protocol === 'https:' ? 443 : 80)) }];
}

function portsOf(addresses: readonly { port: number }[]): number[] {
  return [...new Set(addresses.map(({ port }) => port))].sort((a, b) => a - b);
}
