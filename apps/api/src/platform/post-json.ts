import type { Dispatcher } from 'undici';
import { pinnedClient } from './pinned-connection.ts';
import type { Resolve } from './public-address.ts';

/** Milliseconds for everything that one call takes. */
const PATIENCE = 10_000;

export interface PostOptions {
  signal: AbortSignal;
  /** Whether it may be any address. */
  allowPrivate: boolean;
  resolve?: Resolve | undefined;
  /** Milliseconds; for tests. */
  patience?: number | undefined;
}

interface JsonPost {
  headers: Record<string, string>;
  /** JSON as text. */
  body: string;
  /** Bytes of the answer that are read. */
  most: number;
}

interface Posted {
  status: number;
  headers: Dispatcher.ResponseData['headers'];
  /** The beginning of the answer. */
  text: string;
}

/**
 * Posts to an address that somebody has entered, at what it was looked up and checked to be. No redirect is followed: what
 * is sent is for this host alone. Throws `AddressRefused`, and whatever keeps the host from answering in time.
 */
export async function postJson(
  url: URL,
  { headers, body, most }: JsonPost,
  { signal, allowPrivate, resolve, patience = PATIENCE }: PostOptions,
): Promise<Posted> {
  const both = AbortSignal.any([signal, AbortSignal.timeout(patience)]);
  const client = await pinnedClient(url, { signal: both, allowPrivate, resolve });
  try {
    const answer = await client.request({
      method: 'POST',
      path: `${url.pathname}${url.search}`,
      headers: { 'content-type': 'application/json', 'user-agent': 'Nephos', ...headers },
      body,
      signal: both,
    });
    return {
      status: answer.statusCode,
      headers: answer.headers,
      text: await beginningOf(answer.body, most),
    };
  } finally {
    await client.destroy();
  }
}

async function beginningOf(body: AsyncIterable<Buffer>, most: number): Promise<string> {
  const pieces: Buffer[] = [];
  let size = 0;
  for await (const piece of body) {
    pieces.push(piece);
    size += piece.length;
    if (size >= most) break;
  }
  return Buffer.concat(pieces).toString('utf8', 0, most);
}
