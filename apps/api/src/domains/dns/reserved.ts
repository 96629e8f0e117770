import { relativeName, type User } from '@nephos/contracts';
import ipaddr from 'ipaddr.js';
import { forbidden } from '../../core/errors.ts';
import type { Settings } from '../../core/settings.ts';
import { nameServersOf } from './server/name-servers.ts';

type OwnNames = Pick<Settings, 'publicUrl' | 'appsDomain' | 'dnsNameservers'>;

/** The names that lead to the console, to apps and to the name server; none of them `localhost`, which no DNS answers. */
function ownNames(settings: OwnNames): string[] {
  const { publicUrl, appsDomain } = settings;
  return [publicUrl.hostname, appsDomain, ...nameServersOf(settings)]
    .map((name) => name.toLowerCase().replaceAll(/^[.[]+|[.\]]+$/g, ''))
    .filter((name) => !ipaddr.isValid(name) && relativeName(name, 'localhost') === undefined);
}

/**
 * Refuses a domain that is, holds or lies below a name of the console to everyone but administrators: who makes records
 * there could pass for the console, or for somebody's app. Throws 403 DOMAIN_RESERVED.
 */
export function assertNotReserved({ role }: User, settings: OwnNames, domain: string): void {
  if (role === 'admin') return;
  const own = ownNames(settings).find(
    (name) => relativeName(domain, name) !== undefined || relativeName(name, domain) !== undefined,
  );
  if (own === undefined) return;
  const why = `${domain} is reserved because this console uses ${own}`;
  throw forbidden('DOMAIN_RESERVED', `${why}. Only admins can add records to it.`);
}
