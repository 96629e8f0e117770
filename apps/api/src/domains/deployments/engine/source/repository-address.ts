import { isIP } from 'node:net';
import { isPublicAddress, type Resolve, unbracketed } from '../../../../platform/public-address.ts';
import { StepFailure } from '../step-failure.ts';

export interface RepositoryAddress {
  /** As git gets it: normalised, so that git and we read the same host. */
  url: string;
  /** Value for git's `http.curloptResolve`, which keeps the connection at the checked addresses. */
  pin: string | undefined;
}

const PATH = /^\/[A-Za-z0-9._~/@+-]*$/;
/** Names that always mean the machine itself (RFC 6761 §6.3). */
const LOCALHOST = /(^|\.)localhost$/;
const DEFAULT_PORTS: Readonly<Record<string, string>> = { 'https:': '443', 'http:': '80' };

/**
 * Checks a repository's address and resolves its host once. `allowPrivate` also admits http, file, other ports and
 * addresses that are not public. Throws `StepFailure` of the step clone.
 */
export async function checkRepository(
  text: string,
  options: { allowPrivate: boolean; resolve: Resolve },
): Promise<RepositoryAddress> {
  if (text === '') throw refused('the project has no repository. Add one in its settings');
  const fault = faultOfAddress(text, options.allowPrivate);
  if (fault !== undefined) throw refused(fault);
  const url = new URL(text);
  if (url.protocol === 'file:') return { url: url.href, pin: undefined };
  url.hostname = hostOf(url);
  const host = unbracketed(url.hostname);
  const addresses = isIP(host) ? [host] : await addressesOf(host, options.resolve);
  if (!options.allowPrivate && !addresses.every(isPublicAddress)) throw refused(notPublic(host));
  const port = url.port || DEFAULT_PORTS[url.protocol];
  return {
    url: url.href,
    pin: isIP(host) ? undefined : `${host}:${port}:${addresses.map(bracket).join(',')}`,
  };
}

/**
 * Why a repository's address is refused wherever its name may lead, to stand in a sentence about the repository;
 * undefined for one that only a look-up can still refuse. Asked when the address is given, and again by each build.
 */
export function faultOfAddress(text: string, allowPrivate: boolean): string | undefined {
  if (!URL.canParse(text)) return `${JSON.stringify(text)} is not a URL`;
  const url = new URL(text);
  const schemes = allowPrivate ? ['https:', 'http:', 'file:'] : ['https:'];
  if (!schemes.includes(url.protocol)) return 'the URL must begin with https://';
  if (url.username || url.password) return 'the URL must not contain a user name or password';
  if (/[?#\\\s]/.test(text)) return 'the URL must not contain a query, fragment, backslash or space';
  if (!PATH.test(url.pathname)) return 'the path contains characters that are not allowed';
  if (url.protocol === 'file:' && url.hostname !== '') return 'a file URL must not name a host';
  if (allowPrivate) return undefined;
  if (url.port !== '') return 'the port must be 443';
  const host = unbracketed(hostOf(url));
  const isPrivate = isIP(host) ? !isPublicAddress(host) : LOCALHOST.test(host);
  return isPrivate ? notPublic(host) : undefined;
}

/** The host without a trailing dot, which only marks a name as complete: certificates and pins are written without it. */
function hostOf(url: URL): string {
  return url.hostname.replace(/\.$/, '');
}

async function addressesOf(host: string, resolve: Resolve): Promise<string[]> {
  const addresses = await resolve(host).catch(() => []);
  if (addresses.length === 0) throw refused(`the host ${host} was not found`);
  return addresses;
}

export function notPublic(host: string): string {
  return `${host} is not a public address`;
}

function bracket(address: string): string {
  return isIP(address) === 6 ? `[${address}]` : address;
}

function refused(reason: string): StepFailure {
  return new StepFailure('clone', `Failed to clone the repository: ${reason}.`);
}
