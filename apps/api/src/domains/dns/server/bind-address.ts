import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import type { Settings } from '../../../env.ts';

/** The IP address to bind: DNS_HOST, else what HOST stands for. */
export async function bindAddressOf({ dnsHost, host }: Pick<Settings, 'dnsHost' | 'host'>): Promise<string> {
  const given = dnsHost ?? host;
  return isIP(given) ? given : (await lookup(given)).address;
}

/** Where this machine itself reaches what is bound to `address`. */
export function loopbackOf(address: string): string {
  if (address === '0.0.0.0') return '127.0.0.1';
  return address === '::' ? '::1' : address;
}

/** Why the name server could not bind, in one sentence that names the setting to change. */
export function bindFailure(code: string, address: string, port: number): string {
  switch (code) {
    case 'EADDRINUSE':
      return `DNS_PORT ${port} on ${address} is in use by another program: stop it, or set another DNS_PORT.`;
    case 'EACCES':
      return `DNS_PORT ${port} on ${address} may not be used by this account: set DNS_PORT to 1024 or above.`;
    case 'EADDRNOTAVAIL':
      return `DNS_HOST ${address} is not an address of this machine.`;
    default:
      return `DNS_PORT ${port} on ${address} cannot be used${code && ` (${code})`}.`;
  }
}
