import ipaddr from 'ipaddr.js';
import type { Settings } from '../../env.ts';

/**
 * Host names of the NS records at each apex, without final dots: those of the setting, else the console's own, which
 * leads to this machine already.
 */
export function nameServersOf({
  dnsNameservers,
  publicUrl,
}: Pick<Settings, 'dnsNameservers' | 'publicUrl'>): readonly string[] {
  if (dnsNameservers.length > 0) return dnsNameservers;
  const isAddress = ipaddr.isValid(publicUrl.hostname.replace(/^\[|\]$/g, ''));
  return [isAddress ? 'localhost' : publicUrl.hostname];
}
