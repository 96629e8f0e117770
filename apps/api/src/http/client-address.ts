import ipaddr from 'ipaddr.js';

/** Whom an address stands for in a count: itself, or for IPv6 the /64 it is in, all of which one host can have. */
export function clientAt(ip: string): string {
  if (!ipaddr.isValid(ip)) return ip;
  const address = ipaddr.process(ip);
  if (address instanceof ipaddr.IPv4) return address.toString();
  return `${new ipaddr.IPv6([...address.parts.slice(0, 4), 0, 0, 0, 0])}/64`;
}
