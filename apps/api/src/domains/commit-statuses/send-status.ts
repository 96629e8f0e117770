import { AddressRefused } from '../../platform/pinned-connection.ts';
import { type PostOptions, postJson } from '../../platform/post-json.ts';
import type { StatusCall } from './git-hosts.ts';

/** Bytes of an answer that are looked at. */
const MAX_ANSWER = 16 * 1024;
const REFUSALS = new Set([401, 403, 404]);

/** A host that may take the same call later. */
export class HostAway extends Error {
  override readonly name = 'HostAway';
}

/**
 * Tells a Git host of a commit. Answers why it does not take that, as a sentence, or ''. Throws `HostAway` where it is to
 * be asked again.
 */
export async function sendStatus(
  { url, authorization, body }: StatusCall,
  options: PostOptions,
): Promise<string> {
  const headers = { authorization, accept: 'application/json' };
  const post = { headers, body: JSON.stringify(body), most: MAX_ANSWER };
  try {
    const answer = await postJson(url, post, options);
    return judge(url.host, answer.status, answer.headers, answer.text);
  } catch (error) {
    options.signal.throwIfAborted();
    if (error instanceof AddressRefused) return `${url.host} is not a public address.`;
    if (error instanceof HostAway) throw error;
    throw new HostAway(`${url.host} did not answer.`, { cause: error });
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
