import ipaddr from 'ipaddr.js';

/** Whether a peer's forwarding headers are believed, by `TRUST_PROXY`: addresses, networks, names of ranges. */
export function trustOf(setting: string | undefined): (address: string) => boolean {
  const entries = (setting ?? '').split(',').flatMap((entry) => entry.trim() || []);
  if (entries.length === 0) return () => false;
  return (address) => {
    if (!ipaddr.isValid(address)) return false;
    const parsed = ipaddr.process(address);
    return entries.some((entry) => {
      if (entry.toLowerCase() === parsed.range().toLowerCase()) return true;
      if (ipaddr.isValid(entry)) return ipaddr.process(entry).toString() === parsed.toString();
      if (!ipaddr.isValidCIDR(entry)) return false;
      const [network, bits] = ipaddr.parseCIDR(entry);
      return network.kind() === parsed.kind() && parsed.match(network, bits);
    });
  };
}
