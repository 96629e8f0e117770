import { createHmac } from 'node:crypto';
import { WEBHOOK_HEADERS } from '@nephos/contracts';
import { Client } from 'undici';
import { AddressRefused, pinnedConnection } from '../../platform/pinned-connection.ts';
import type { Resolve } from '../../platform/public-address.ts';

/** Milliseconds for everything that one call takes. */
const PATIENCE = 10_000;
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

interface PostOptions {
  signal: AbortSignal;
  /** Whether it may be any address. */
  allowPrivate: boolean;
  resolve?: Resolve | undefined;
  /** Milliseconds; for tests. */
  patience?: number | undefined;
}

/** The headers by which whoever takes a message knows that it is ours, and when it was sent. */
export function signatureHeaders({ id, body, secret }: Omit<Post, 'address'>, now = Date.now()) {
  const timestamp = String(Math.floor(now / 1000));
  const headers = { [WEBHOOK_HEADERS.id]: id, [WEBHOOK_HEADERS.timestamp]: timestamp };
  if (secret === null) return headers;
  const mac = createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex');
  return { ...headers, [WEBHOOK_HEADERS.signature]: `v1=${mac}` };
}

/**
 * Sends a message to an address that somebody has entered, at what it was looked up and checked to be, and follows no
 * redirect. Throws only where `signal` aborts.
 */
export async function postMessage(
  { address, ...post }: Post,
  { signal, allowPrivate, resolve, patience = PATIENCE }: PostOptions,
): Promise<PostResult> {
  const url = new URL(address);
  const both = AbortSignal.any([signal, AbortSignal.timeout(patience)]);
  let client: Client | undefined;
  try {
    client = new Client(url.origin, await pinnedConnection(url, { signal: both, allowPrivate, resolve }));
    const { statusCode, headers, body } = await client.request({
      method: 'POST',
      path: `${url.pathname}${url.search}`,
      headers: {
        'content-type': 'application/json',
        'user-agent': 'Nephos',
        ...(post.secret !== null && signatureHeaders(post)),
      },
      body: post.body,
      signal: both,
    });
    return { ...judge(url.host, statusCode, headers['retry-after']), answer: await beginningOf(body) };
  } catch (error) {
    signal.throwIfAborted();
    const refused = error instanceof AddressRefused;
    const problem = refused ? `${url.host} is not a public https address.` : `${url.host} did not answer.`;
    return { status: null, answer: '', problem, again: !refused, retryAfter: 0 };
  } finally {
    await client?.destroy();
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
  return { status, problem, again, retryAfter: again ? secondsOf(retryAfter) : 0 };
}

/** Of `Retry-After`, seconds or a date (RFC 9110 §10.2.3); 0 where it is neither. */
function secondsOf(header: unknown): number {
  const text = String(header ?? '');
  const seconds = /^\d+(\.\d+)?$/.test(text) ? Number(text) : (Date.parse(text) - Date.now()) / 1000;
  return Number.isFinite(seconds) ? Math.max(0, Math.ceil(seconds)) : 0;
}

/** Without what no text column holds. */
async function beginningOf(body: AsyncIterable<Buffer>): Promise<string> {
  const pieces: Buffer[] = [];
  let size = 0;
  for await (const piece of body) {
    pieces.push(piece);
    size += piece.length;
    if (size >= MAX_ANSWER) break;
  }
  return Buffer.concat(pieces).toString('utf8', 0, MAX_ANSWER).replaceAll('\0', '');
}
