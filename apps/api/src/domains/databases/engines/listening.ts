import { isLoopbackHost, type Settings } from '../../../env.ts';

export const LOOPBACK = '127.0.0.1';

/**
 * Under which name clients reach the servers that we run. They listen where the console does, and so does its name
 * lead to them; not by `localhost`, which MySQL's clients take for a socket, and others for IPv6.
 */
export function clientHost({ host, publicUrl }: Pick<Settings, 'host' | 'publicUrl'>): string {
  return isLoopbackHost(host) || isLoopbackHost(publicUrl.hostname) ? LOOPBACK : publicUrl.hostname;
}
