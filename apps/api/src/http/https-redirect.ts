import type { IncomingMessage } from 'node:http';
import type { Settings } from '../core/settings.ts';
import { servesConsoleHttps, type ValidUntil } from '../platform/host-address.ts';
import { createProtocolOf } from './client-protocol.ts';
import { hostName, pathOf } from './request-target.ts';

/** Finds the address that a request is sent on to; undefined where it is answered here. */
export type FindRedirect = (request: IncomingMessage) => string | undefined;

/**
 * Sends who asks for the console by http on to https, while that is answered here. By an address of this machine it is
 * watched and measured still.
 */
export function createHttpsRedirect(settings: Settings, validUntil: ValidUntil): FindRedirect {
  const { origin, hostname } = settings.publicUrl;
  const protocolOf = createProtocolOf(settings);
  if (!servesConsoleHttps(settings)) return () => undefined;
  return (request) => {
    if (hostName(request) !== hostname || protocolOf(request) === 'https') return undefined;
    return Date.now() < validUntil(hostname) ? `${origin}${pathOf(request)}` : undefined;
  };
}
