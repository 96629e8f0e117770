import type { IncomingMessage } from 'node:http';
import type { Settings } from '../../../../core/settings.ts';
import { createProtocolOf, peerAddress } from '../../../../http/client-protocol.ts';
import { trustOf } from '../../../../http/trusted-proxy.ts';

/** Makes the headers that a request goes on with. */
export interface Forwarding {
  /** Names and values in turn. */
  requestHeaders(request: IncomingMessage, options?: { upgrade?: boolean }): string[];
}

/** RFC 9110 §7.6.1, and what older proxies use. */
const HOP_BY_HOP = new Set([
  'connection',
  'keep-alive',
  'proxy-connection',
  'proxy-authenticate',
  'proxy-authorization',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);
/** What we say ourselves, and `Expect`, which Node's server has already answered. */
const REPLACED = new Set([
  'x-forwarded-for',
  'x-forwarded-proto',
  'x-forwarded-host',
  'x-real-ip',
  'forwarded',
  'expect',
]);

export function createForwarding(settings: Settings): Forwarding {
  const isTrusted = trustOf(settings.trustProxy);
  const protocolOf = createProtocolOf(settings);
  return {
    requestHeaders(request, { upgrade = false } = {}) {
      const { headers, rawHeaders, socket } = request;
      const listed = connectionOptions(headers.connection);
      const result: string[] = [];
      for (let index = 0; index < rawHeaders.length; index += 2) {
        const name = rawHeaders[index] ?? '';
        // To an app behind CGI or WSGI, `X_Real_IP` is the same header.
        const lower = name.toLowerCase().replaceAll('_', '-');
        if (HOP_BY_HOP.has(lower) || REPLACED.has(lower) || listed?.has(lower)) continue;
        result.push(name, rawHeaders[index + 1] ?? '');
      }
      if (upgrade) result.push('Connection', 'Upgrade', 'Upgrade', headers.upgrade ?? '');
      const peer = peerAddress(socket);
      const believed = isTrusted(peer);
      const chain = believed ? headers['x-forwarded-for'] : undefined;
      const host = believed ? headers['x-forwarded-host'] : undefined;
      result.push('X-Forwarded-For', chain ? `${chain}, ${peer}` : peer);
      result.push('X-Forwarded-Proto', protocolOf(request));
      result.push('X-Forwarded-Host', String(host ?? headers.host ?? ''));
      return result;
    },
  };
}

/** Names that the Connection header declares to be of this hop only. */
function connectionOptions(connection: string | undefined): Set<string> | undefined {
  if (!connection || /^(keep-alive|close|upgrade)$/i.test(connection)) return undefined;
  return new Set(connection.split(',').map((name) => name.trim().toLowerCase()));
}

/**
 * Headers of an app's answer that go on to the client, names and values in turn. Cookies for another host than the
 * app's own are left out: they would reach the console or other apps.
 */
export function responseHeaders(raw: readonly (Buffer | string)[], host: string): string[] {
  const result: string[] = [];
  for (let index = 0; index < raw.length; index += 2) {
    const name = raw[index]?.toString('latin1') ?? '';
    const lower = name.toLowerCase();
    if (HOP_BY_HOP.has(lower)) continue;
    const value = raw[index + 1]?.toString('latin1') ?? '';
    if (lower === 'set-cookie' && isForeignCookie(value, host)) continue;
    result.push(name, value);
  }
  return result;
}

function isForeignCookie(cookie: string, host: string): boolean {
  const domains = [...cookie.matchAll(/;\s*domain\s*=\s*([^;]*)/gi)].map(([, domain = '']) =>
    domain.trim().replace(/^\./, '').toLowerCase(),
  );
  return domains.some((domain) => domain !== '' && domain !== host && !domain.endsWith(`.${host}`));
}
