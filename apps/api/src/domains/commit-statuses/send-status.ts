import { Client } from 'undici';
import { AddressRefused, pinnedConnection } from '../../platform/pinned-connection.ts';
import type { Resolve } from '../../platform/public-address.ts';
import type { StatusCall } from './git-hosts.ts';

/** Milliseconds for everything that one call takes. */
const PATIENCE = 10_000;
/** Bytes of an answer that are looked at. */
const MAX_ANSWER = 16 * 1024;
const REFUSALS = new Set([401, 403, 404]);

/** A host that may take the same call later. */
export class HostAway extends Error {
  override readonly name = 'HostAway';
}

interface SendOptions {
  signal: AbortSignal;
  /** Whether the repository may be at any address, and so its host. */
  allowPrivate: boolean;
  resolve?: Resolve | undefined;
}

/**
 * Tells a Git host of a commit. Answers why it does not take that, as a sentence, or ''. Throws `HostAway` where it is to
 * be asked again. No redirect is followed: the token is for this host alone.
 */
export async function sendStatus(
  { url, authorization, body }: StatusCall,
  { signal, allowPrivate, resolve }: SendOptions,
): Promise<string> {
  const both = AbortSignal.any([signal, AbortSignal.timeout(PATIENCE)]);
  let client: Client | undefined;
  try {
    client = new Client(url.origin, await pinnedConnection(url, { signal: both, allowPrivate, resolve }));
    const answer = await client.request({
      method: 'POST',
      path: url.pathname,
      headers: {
        authorization,
        accept: 'application/json',
        'content-type': 'application/json',
        'user-agent': 'Nephos',
      },
      body: JSON.stringify(body),
      signal: both,
    });
    return judge(url.host, answer.statusCode, answer.headers, await beginningOf(answer.body));
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof AddressRefused) return `${url.host} is not a public address.`;
    if (error instanceof HostAway) throw error;
    throw new HostAway(`${url.host} did not answer.`, { cause: error });
  } finally {
    await client?.destroy();
  }
}

function judge(host: string, status: number, headers: Record<string, unknown>, text: string): string {
  if (status >= 200 && status < 300) return '';
  const isLimited = headers['retry-after'] !== undefined || headers['x-ratelimit-remaining'] === '0';
  if (status >= 500 || status === 429 || (status === 403 && isLimited)) {
    throw new HostAway(`${host} is not taking commit statuses now (HTTP ${status}).`);
  }
  // GitLab refuses to be told what it knows.
  if (status === 400 && text.includes('Cannot transition status')) return '';
  if (REFUSALS.has(status)) {
    return `${host} refused the token. To see deployments there, enter one that can write commit statuses.`;
  }
  if (status >= 300 && status < 400) return `${host} has the repository at another address. Enter that.`;
  return `${host} did not take it (HTTP ${status}).`;
}

async function beginningOf(body: AsyncIterable<Buffer>): Promise<string> {
  const pieces: Buffer[] = [];
  let size = 0;
  for await (const piece of body) {
    pieces.push(piece);
    size += piece.length;
    if (size >= MAX_ANSWER) break;
  }
  return Buffer.concat(pieces).toString('utf8', 0, MAX_ANSWER);
}
