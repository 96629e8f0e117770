import { lookup } from 'node:dns/promises';
import ipaddr from 'ipaddr.js';

/** Resolves a host name to all of its addresses; rejects when there are none. */
export type Resolve = (host: string) => Promise<string[]>;

const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3');

export async function resolveHost(host: string): Promise<string[]> {
  const answers = await lookup(host, { all: true, verbatim: true });
  return answers.map(({ address }) => address);
}

/** The host of an address as a resolver takes it: without the brackets of IPv6. */
export function unbracketed(hostname: string): string {
  return hostname.replace(/^\[(.*)\]$/, '$1');
}

/**
 * Whether an IPv4 or IPv6 address, as the resolver writes it, belongs to the public internet. Loopback, private,
 * link-local, shared, documentation, translated (NAT64, 6to4, Teredo) and mapped spellings of those do not.
 */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.process(address);
  if (parsed.range() !== 'unicast') return false;
  return parsed.kind() === 'ipv4' || parsed.match(GLOBAL_UNICAST);
}
