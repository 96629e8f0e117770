import { isIP } from 'node:net';
import { readSshAddress, type SshAddress } from '@nephos/contracts';
import { isPublicAddress, type Resolve, unbracketed } from '../../../../platform/public-address.ts';
import { StepFailure } from '../step-failure.ts';

export interface RepositoryAddress {
  /** As git gets it: normalised, so that git and we read the same host. */
  url: string;
  /** Value for git's `http.curloptResolve`, which keeps the connection at the checked addresses. */
  pin: string | undefined;
  /** The checked address, where it is reached by SSH. */
  ssh?: string | undefined;
}

const PATH = /^\/[A-Za-z0-9._~/@+-]*$/;
/** Names that always mean the machine itself (RFC 6761 §6.3). */
const LOCALHOST = /(^|\.)localhost$/;
const DEFAULT_PORTS: Readonly<Record<string, string>> = { 'https:': '443', 'http:': '80' };

/**
 * Checks a repository's address and resolves its host once. `allowPrivate` also admits http, file, other ports and
 * addresses that are not public. Throws `StepFailure` of the step clone.
 */
export async function checkRepository(text: string, options: Checking): Promise<RepositoryAddress> {
  if (text === '') throw refused('the project has no repository. Add one in its settings');
  const fault = faultOfAddress(text, options.allowPrivate);
  if (fault !== undefined) throw refused(fault);
  const byGit = readSshAddress(text);
  if (byGit) return { url: text, pin: undefined, ssh: await sshAddress(byGit, options) };
  const url = new URL(text);
  if (url.protocol === 'file:') return { url: url.href, pin: undefined };
  url.hostname = hostOf(url);
  const host = unbracketed(url.hostname);
  const addresses = await checkedAddresses(host, options);
  const port = url.port || DEFAULT_PORTS[url.protocol];
  return {
    url: url.href,
    pin: isIP(host) ? undefined : `${host}:${port}:${addresses.map(bracket).join(',')}`,
  };
}

interface Checking {
  allowPrivate: boolean;
  resolve: Resolve;
}

async function checkedAddresses(host: string, { allowPrivate, resolve }: Checking): Promise<string[]> {
  const addresses = isIP(host) ? [host] : await addressesOf(host, resolve);
  if (!allowPrivate && !addresses.every(isPublicAddress)) throw refused(notPublic(host));
  return addresses;
}

/** One of the host's addresses, since ssh is given one. */
async function sshAddress({ host }: SshAddress, options: Checking): Promise<string> {
  const [address] = await checkedAddresses(host, options);
  if (address === undefined) throw refused(`the host ${host} was not found`);
  return address;
}

/**
 * Why a repository's address is refused wherever its name may lead, to stand in a sentence about the repository;
 * undefined for one that only a look-up can still refuse. Asked when the address is given, and again by each build.
 */
export function faultOfAddress(text: string, allowPrivate: boolean): string | undefined {
  const ssh = readSshAddress(text);
  if (ssh) return allowPrivate ? undefined : faultOfPublic(ssh.host, ssh.port === 22 ? undefined : '22');
  if (!URL.canParse(text)) return `${JSON.stringify(text)} is not a URL`;
  const url = new URL(text);
  const schemes = allowPrivate ? ['https:', 'http:', 'file:'] : ['https:'];
  if (!schemes.includes(url.protocol)) return 'the URL must begin with https://';
  if (url.username || url.password) return 'the URL must not contain a user name or password';
  if (/[?#\\\s]/.test(text)) return 'the URL must not contain a query, fragment, backslash or space';
  if (!PATH.test(url.pathname)) return 'the path contains characters that are not allowed';
  if (url.protocol === 'file:' && url.hostname !== '') return 'a file URL must not name a host';
  if (allowPrivate) return undefined;
  return faultOfPublic(unbracketed(hostOf(url)), url.port === '' ? undefined : '443');
}

/** What keeps an address from being public; `wantedPort` is the one that it should have had. */
function faultOfPublic(host: string, wantedPort: string | undefined): string | undefined {
  if (wantedPort !== undefined) return `the port must be ${wantedPort}`;
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
