import ipaddr from 'ipaddr.js';

const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3');

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
