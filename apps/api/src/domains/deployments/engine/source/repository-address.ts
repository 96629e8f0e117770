import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { StepFailure } from '../step-failure.ts';
import { isPublicAddress } from './public-address.ts';

/** Resolves a host name to all of its addresses; rejects when there are none. */
export type Resolve = (host: string) => Promise<string[]>;

export interface RepositoryAddress {
  /** As git gets it: normalised, so that git and we read the same host. */
  url: string;
  /** Value for git's `http.curloptResolve`, which keeps the connection at the checked addresses. */
  pin: string | undefined;
}

const PATH = /^\/[A-Za-z0-9._~/@+-]*$/;
const DEFAULT_PORTS: Readonly<Record<string, string>> = { 'https:': '443', 'http:': '80' };

export async function resolveHost(host: string): Promise<string[]> {
  const answers = await lookup(host, { all: true, verbatim: true });
  return answers.map(({ address }) => address);
}

/**
 * Checks a repository's address by the rules of reliability §1.11 and resolves its host once. `allowPrivate` also
 * admits http, file, other ports and addresses that are not public. Throws `StepFailure` of the step clone.
 */
export async function checkRepository(
  text: string,
  options: { allowPrivate: boolean; resolve: Resolve },
): Promise<RepositoryAddress> {
  if (text === '') throw refused('the project has no repository; add its address in the settings');
  if (!URL.canParse(text)) throw refused(`${JSON.stringify(text)} is not an address`);
  const url = new URL(text);
  checkForm(url, text, options.allowPrivate);
  if (url.protocol === 'file:') return { url: url.href, pin: undefined };
  // A trailing dot only marks the name as complete; certificates and pins are written without it.
  url.hostname = url.hostname.replace(/\.$/, '');
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
  const addresses = isIP(host) ? [host] : await addressesOf(host, options.resolve);
  if (!options.allowPrivate && !addresses.every(isPublicAddress)) {
    throw refused(`${host} is not an address of the public internet`);
  }
  const port = url.port || DEFAULT_PORTS[url.protocol];
  return {
    url: url.href,
    pin: isIP(host) ? undefined : `${host}:${port}:${addresses.map(bracket).join(',')}`,
  };
}

function checkForm(url: URL, text: string, allowPrivate: boolean): void {
  const schemes = allowPrivate ? ['https:', 'http:', 'file:'] : ['https:'];
  if (!schemes.includes(url.protocol)) throw refused('its address must begin with https://');
  if (url.username || url.password) throw refused('its address must not hold a user name or password');
  if (/[?#\\\s]/.test(text)) throw refused('its address must not have a query, fragment, backslash or space');
  if (!PATH.test(url.pathname)) throw refused('its path has characters that are not allowed');
  if (!allowPrivate && url.port !== '') throw refused('its port must be 443');
  if (url.protocol === 'file:' && url.hostname !== '') throw refused('a file address must not name a host');
}

async function addressesOf(host: string, resolve: Resolve): Promise<string[]> {
  const addresses = await resolve(host).catch(() => []);
  if (addresses.length === 0) throw refused(`the host ${host} was not found`);
  return addresses;
}

function bracket(address: string): string {
  return isIP(address) === 6 ? `[${address}]` : address;
}

function refused(reason: string): StepFailure {
  return new StepFailure('clone', `The repository cannot be cloned: ${reason}.`);
}
