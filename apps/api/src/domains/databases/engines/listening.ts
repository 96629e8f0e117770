import { isLoopbackHost } from '../../../core/env.ts';
import type { Settings } from '../../../core/settings.ts';

export const LOOPBACK = '127.0.0.1';

/**
 * The name under which clients reach the servers that we run. These listen where the console does, so its name leads to
 * them. It is never `localhost`, which MySQL's clients take for a socket, and others for IPv6.
 */
export function clientHost({ host, publicUrl }: Pick<Settings, 'host' | 'publicUrl'>): string {
  return isLoopbackHost(host) || isLoopbackHost(publicUrl.hostname) ? LOOPBACK : publicUrl.hostname;
}
