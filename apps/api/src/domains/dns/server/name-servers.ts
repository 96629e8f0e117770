import type { NameServer } from '@nephos/contracts';
import ipaddr from 'ipaddr.js';
import type { Settings } from '../../../core/settings.ts';
import type { NameServer as Server } from './name-server.ts';

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

/** Where the name server answers, for `dig` and for delegating a domain to it. */
export function whereNameServerIs({
  nameServer,
  settings,
}: {
  nameServer: Pick<Server, 'unavailable' | 'port'>;
  settings: Settings;
}): NameServer {
  const reason = nameServer.unavailable();
  return {
    running: reason === null,
    reason: reason ?? '',
    host: settings.dnsHost ?? settings.host,
    port: nameServer.port() || settings.dnsPort,
    nameservers: [...nameServersOf(settings)],
  };
}
