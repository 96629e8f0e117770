import type { IncomingMessage } from 'node:http';
import { TLSSocket } from 'node:tls';
import type { Settings } from '../core/settings.ts';
import { trustOf } from './trusted-proxy.ts';

/** Tells by which protocol a client asked. */
export type ProtocolOf = (request: Pick<IncomingMessage, 'headers' | 'socket'>) => string;

/**
 * What a trusted proxy says, else that of the connection. Where only others can end TLS in front of us, one that is not
 * trusted with more still does, so it is that of the console's address.
 */
export function createProtocolOf(
  settings: Pick<Settings, 'httpsPort' | 'publicUrl' | 'trustProxy'>,
): ProtocolOf {
  const isTrusted = trustOf(settings.trustProxy);
  const ownProtocol = settings.httpsPort === 0 ? settings.publicUrl.protocol.slice(0, -1) : 'http';
  return ({ headers, socket }) => {
    const said = isTrusted(peerAddress(socket)) ? headers['x-forwarded-proto'] : undefined;
    return String(said ?? (socket instanceof TLSSocket ? 'https' : ownProtocol));
  };
}

/** Without the prefix that IPv6 gives to an address of IPv4. */
export function peerAddress({ remoteAddress }: Pick<IncomingMessage['socket'], 'remoteAddress'>): string {
  return (remoteAddress ?? '').replace(/^::ffff:/, '');
}
