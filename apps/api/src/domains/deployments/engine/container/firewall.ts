import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { findPrograms } from '../process/find-program.ts';
import { feed, machineResolvers, type Ports } from '../process/sandbox/network.ts';
import { machineRules } from '../process/sandbox/network-rules.ts';
import { RANGE } from './project-networks.ts';

/** Rules of the machine by which containers reach the internet and what they were given of it, and nothing else of it. */
export interface Firewall {
  /**
   * Has the rules in force, with the ports as they are now, and a network's interface on this machine heed them. They
   * outlive the server, as containers do.
   */
  enforce(bridge?: string): Promise<void>;
}

export interface FirewallOptions {
  /** Where programs are found. */
  path: string;
  instance: string;
  ports: () => Ports;
}

/** A firewall that was tried out; a sentence says why there is none. */
export async function findFirewall({ path, instance, ports }: FirewallOptions): Promise<Firewall | string> {
  if (process.getuid?.() !== 0) return 'Nephos runs without root.';
  const [nft] = findPrograms('nft', path);
  if (!nft) return 'nftables is not installed.';
  const table = firewallTable(instance);
  const { resolver } = machineResolvers();
  let inForce = '';
  // Whoever reloads rules of the machine's own may take ours away.
  const isThere = () =>
    feed(nft, ['list', 'table', 'ip', table], '').then(
      () => true,
      () => false,
    );
  const enforce = async (bridge?: string) => {
    if (bridge) await ready(bridge);
    const rules = machineRules(table, { range: RANGE, ...ports(), resolver, closed: [] });
    if (rules === inForce && (await isThere())) return;
    await feed(nft, ['-f', '-'], rules);
    inForce = rules;
  };
  try {
    await enforce();
    return { enforce };
  } catch {
    return 'This system does not let Nephos make rules for networks.';
  }
}

/**
 * What comes in there may be led to this machine's loopback, where the rules say so, and not otherwise. The rules are of
 * IPv4 alone, and a program that makes packets of its own would reach the machine by the link-local addresses of IPv6.
 */
async function ready(bridge: string): Promise<void> {
  await writeFile(`/proc/sys/net/ipv4/conf/${bridge}/route_localnet`, '1');
  const six = `/proc/sys/net/ipv6/conf/${bridge}/disable_ipv6`;
  if (existsSync(six)) await writeFile(six, '1');
}

export function firewallTable(instance: string): string {
  return `nephos_${instance.slice(0, 8)}_containers`;
}
