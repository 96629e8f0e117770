import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';

/** `uri-host [ ":" port ]` (RFC 9110 §7.2), of which the host may be empty. */
const AUTHORITY = /^(\[[0-9a-f:.v]+\]|[\w.~!$&'()*+,;=%-]*)(:\d*)?$/i;
/** `absolute-form` of http and https (RFC 9112 §3.2.2), without a user name, which only deceives (RFC 9110 §4.2.4). */
const ABSOLUTE = /^https?:\/\/([^/?#@]+)([/?].*)?$/i;

/** The host name of a `Host` header, in lower case, without port and final dot. */
export function hostName({ headers }: { headers: Pick<IncomingHttpHeaders, 'host'> }): string {
  return (headers.host ?? '').toLowerCase().replace(/:\d*$/, '').replace(/\.$/, '');
}

/** Path and query, of an address that has them. */
export function pathOf({ url = '/' }: Pick<IncomingMessage, 'url'>): string {
  return url.startsWith('/') ? url : '/';
}

/** The places of the `Host` fields' values among a request's raw headers. */
function hostPlaces(rawHeaders: readonly string[]): number[] {
  return rawHeaders.flatMap((name, index) =>
    index % 2 === 0 && name.toLowerCase() === 'host' ? [index + 1] : [],
  );
}

/**
 * Reads whom a request is for, the same for everyone who looks at it afterwards: of an address in full, its host takes
 * the place of `Host`, and the rest that of the address (RFC 9112 §3.2.2). False for a request to refuse: one that has
 * several `Host` fields, or one that is no host (§3.2), or an address of another kind.
 */
export function readTarget(request: Pick<IncomingMessage, 'url' | 'rawHeaders' | 'headers'>): boolean {
  const { url = '', rawHeaders, headers } = request;
  const [place, another] = hostPlaces(rawHeaders);
  if (another !== undefined || !AUTHORITY.test(headers.host ?? '')) return false;
  if (url.startsWith('/') || url === '*') return true;
  const [, authority = '', rest = '/'] = ABSOLUTE.exec(url) ?? [];
  if (authority === '' || !AUTHORITY.test(authority)) return false;
  request.url = rest.startsWith('/') ? rest : `/${rest}`;
  headers.host = authority;
  if (place === undefined) rawHeaders.push('Host', authority);
  else rawHeaders[place] = authority;
  return true;
}
