import { createHmac } from 'node:crypto';
import { WEBHOOK_HEADERS } from '@nephos/contracts';
import { AddressRefused } from '../../platform/pinned-connection.ts';
import { type PostOptions, postJson } from '../../platform/post-json.ts';
import { secondsOfRetryAfter } from '../../platform/retry-after.ts';

/** Bytes of an answer that are kept. */
const MAX_ANSWER = 1024;

export interface Post {
  /** The delivery's id. */
  id: string;
  address: string;
  body: string;
  /** What it is signed with; null: it is not. */
  secret: string | null;
}

/** What came of one try. */
export interface PostResult {
  /** HTTP status; null where nothing answered. */
  status: number | null;
  /** The beginning of the answer. */
  answer: string;
  /** A sentence; '' where it was taken. */
  problem: string;
  /** Whether it may be taken later; it is not where it was taken. */
  again: boolean;
  /** Seconds for which the service asked to wait. */
  retryAfter: number;
}

/** The headers by which whoever takes a message knows that it is ours, and when it was sent. */
export function signatureHeaders({ id, body, secret }: Omit<Post, 'address'>, now = Date.now()) {
  const timestamp = String(Math.floor(now / 1000));
  const headers = { [WEBHOOK_HEADERS.id]: id, [WEBHOOK_HEADERS.timestamp]: timestamp };
  if (secret === null) return headers;
  const mac = createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex');
  return { ...headers, [WEBHOOK_HEADERS.signature]: `v1=${mac}` };
}

/** Sends a message to an address that somebody has entered. Throws only where `signal` aborts. */
export async function postMessage({ address, ...post }: Post, options: PostOptions): Promise<PostResult> {
  const url = new URL(address);
  const headers = post.secret === null ? {} : signatureHeaders(post);
  try {
    const answer = await postJson(url, { headers, body: post.body, most: MAX_ANSWER }, options);
    return {
      ...judge(url.host, answer.status, answer.headers['retry-after']),
      // No text column holds it.
      answer: answer.text.replaceAll('\0', ''),
    };
  } catch (error) {
    options.signal.throwIfAborted();
    const refused = error instanceof AddressRefused;
    const problem = refused ? `${url.host} is not a public https address.` : `${url.host} did not answer.`;
    return { status: null, answer: '', problem, again: !refused, retryAfter: 0 };
  }
}

function judge(host: string, status: number, retryAfter: unknown): Omit<PostResult, 'answer'> {
  if (status >= 200 && status < 300) return { status, problem: '', again: false, retryAfter: 0 };
  if (status >= 300 && status < 400) {
    const problem = `${host} answered with a redirect (HTTP ${status}), which is not followed. Enter the address itself.`;
    return { status, problem, again: false, retryAfter: 0 };
  }
  const again = status >= 500 || status === 429 || status === 408;
  const problem = again
    ? `${host} does not take messages now (HTTP ${status}).`
    : `${host} refused the message (HTTP ${status}).`;
  return { status, problem, again, retryAfter: again ? secondsOfRetryAfter(retryAfter) : 0 };
}
