import type { Readable } from 'node:stream';
import { AddressRefused, MAX_REDIRECTS, pinnedClient, redirectOf } from '../../platform/pinned-connection.ts';
import type { Resolve } from '../../platform/public-address.ts';
import { DumpRefused } from './dump-refused.ts';

/** Bytes of a dump, and how many there are; null: not told. */
export interface DumpSource {
  bytes: Readable;
  size: number | null;
}

interface FetchOptions {
  signal: AbortSignal;
  /** Also admits http, other ports and addresses that are not public; for tests. */
  allowPrivate?: boolean;
  resolve?: Resolve;
}

/** Milliseconds between two pieces of what is fetched. */
const PATIENCE = 60_000;

/**
 * Fetches a dump from an address that somebody has entered, by https from the public internet. Whoever asked reads the
 * bytes or destroys them. Throws `DumpRefused` in words for people, which say no more of the address than its host.
 */
export async function fetchDump(address: string, options: FetchOptions): Promise<DumpSource> {
  let url = new URL(address);
  for (let hops = 0; hops <= MAX_REDIRECTS; hops++) {
    const answer = await ask(url, options).catch((error: unknown) => {
      options.signal.throwIfAborted();
      if (error instanceof DumpRefused) throw error;
      if (error instanceof AddressRefused)
        throw new DumpRefused(`${url.host} is not a public https address.`);
      throw new DumpRefused(`${url.host} did not answer.`);
    });
    if (!(answer instanceof URL)) return answer;
    url = answer;
  }
  throw new DumpRefused(`${url.host} redirects too often.`);
}

async function ask(url: URL, options: FetchOptions): Promise<DumpSource | URL> {
  const client = await pinnedClient(url, options, { headersTimeout: PATIENCE, bodyTimeout: PATIENCE });
  try {
    const { statusCode, headers, body } = await client.request({
      method: 'GET',
      path: url.pathname + url.search,
      headers: { 'accept-encoding': 'identity', 'user-agent': 'Nephos' },
      signal: options.signal,
    });
    const elsewhere = redirectOf({ statusCode, headers }, url);
    if (elsewhere) {
      await client.destroy();
      return elsewhere;
    }
    if (statusCode !== 200) throw new DumpRefused(`${url.host} answered with HTTP ${statusCode}.`);
    const size = Number(headers['content-length'] ?? Number.NaN);
    body.once('close', () => void client.destroy());
    return { bytes: body, size: Number.isSafeInteger(size) ? size : null };
  } catch (error) {
    await client.destroy();
    throw error;
  }
}
