import { isIP } from 'node:net';
import type { Client, Dispatcher } from 'undici';
import { Hopeless } from './persistently.ts';
import { isPublicAddress, type Resolve, resolveHost, unbracketed } from './public-address.ts';

/** How often an answer may lead on. Each step needs a client of its own: somebody else has chosen its address, too. */
export const MAX_REDIRECTS = 3;
const REDIRECTS = new Set([301, 302, 303, 307, 308]);

/** An address that is not asked, whatever it would answer. */
export class AddressRefused extends Hopeless {
  override readonly name = 'AddressRefused';
}

interface PinOptions {
  signal: AbortSignal;
  /** Also admits http, other ports and addresses that are not public. */
  allowPrivate?: boolean | undefined;
  /** What the operator has named, which is admitted at any address and by http. */
  trustedOrigin?: string | undefined;
  resolve?: Resolve | undefined;
}

/** Milliseconds. */
type Patience = Pick<Client.Options, 'connectTimeout' | 'headersTimeout' | 'bodyTimeout'>;

/**
 * A client for an address that somebody else has chosen, which the caller destroys. Throws `AddressRefused` for what is not
 * https at its own port of the public internet.
 */
export async function pinnedClient(
  url: URL,
  { trustedOrigin, ...options }: PinOptions,
  patience: Patience = {},
): Promise<Client> {
  const connection = url.origin === trustedOrigin ? {} : await pinnedConnection(url, options);
  // Megabytes of memory that a server which asks nobody does not need.
  const { Client } = await import('undici');
  return new Client(url.origin, { ...connection, ...patience });
}

/** Where the answer for `url` says that what was asked for is (RFC 9110 §15.4); undefined: it does not say so. */
export function redirectOf(
  { statusCode, headers: { location } }: Pick<Dispatcher.ResponseData, 'statusCode' | 'headers'>,
  url: URL,
): URL | undefined {
  if (!REDIRECTS.has(statusCode) || typeof location !== 'string') return undefined;
  return URL.canParse(location, url.href) ? new URL(location, url) : undefined;
}

/** Looks up the host, and keeps the connections at what was found and checked, whatever the name resolves to next. */
async function pinnedConnection(
  url: URL,
  { signal, allowPrivate = false, resolve = resolveHost }: PinOptions,
): Promise<Client.Options> {
  if (!allowPrivate && (url.protocol !== 'https:' || url.port !== '')) {
    throw new AddressRefused('its address is not public https');
  }
  const host = unbracketed(url.hostname);
  const addresses = isIP(host) ? [host] : await unlessAborted(resolve(host), signal);
  if (addresses.length === 0 || !(allowPrivate || addresses.every(isPublicAddress))) {
    throw new AddressRefused(`${host} is not an address of the public internet`);
  }
  const found = addresses.map((address) => ({ address, family: isIP(address) }));
  const [first] = found;
  return {
    connect: {
      lookup: (_host, { all }, answer) =>
        all ? answer(null, found) : answer(null, first?.address ?? '', first?.family),
    },
  };
}

/** A look-up takes as long as the system's resolver does: this only stops waiting for it. */
async function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const abort = () => reject(signal.reason);
  signal.addEventListener('abort', abort);
  if (signal.aborted) abort();
  try {
    return await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener('abort', abort);
  }
}
