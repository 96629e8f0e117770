import type { Dispatcher } from 'undici';
import { MAX_REDIRECTS, pinnedClient, redirectOf } from '../../platform/pinned-connection.ts';
import type { Resolve } from '../../platform/public-address.ts';

export interface Picture {
  mediaType: string;
  bytes: Buffer;
}

interface FetchOptions {
  /** The identity provider's. */
  trustedOrigin: string;
  signal: AbortSignal;
  resolve?: Resolve;
}

const MAX_BYTES = 1024 * 1024;
const MAX_ADDRESS = 2048;

/** Formats that every browser shows and none runs, by how their bytes begin. */
const FORMATS = [
  // biome-ignore lint/suspicious/noControlCharactersInRegex: a PNG begins with one (RFC 2083 §3.1)
  { mediaType: 'image/png', begins: /^\x89PNG\r\n\x1a\n/ },
  { mediaType: 'image/jpeg', begins: /^\xff\xd8\xff/ },
  { mediaType: 'image/gif', begins: /^GIF8[79]a/ },
  { mediaType: 'image/webp', begins: /^RIFF.{4}WEBP/s },
] as const;

/**
 * Fetches a picture from an address that somebody else has chosen: by https from the public internet, or from the
 * trusted origin, up to 1 MiB. Throws, with a reason for the log, for anything else.
 */
export async function fetchPicture(address: string, options: FetchOptions): Promise<Picture> {
  if (address.length > MAX_ADDRESS) throw new Error('its address is too long');
  let url = new URL(address);
  for (let hops = 0; hops <= MAX_REDIRECTS; hops++) {
    const answer = await ask(url, options);
    if (Buffer.isBuffer(answer)) return pictureOf(answer);
    url = answer;
  }
  throw new Error('it is redirected too often');
}

/** The bytes at an address, or where they are said to be. */
async function ask(url: URL, options: FetchOptions): Promise<Buffer | URL> {
  const client = await pinnedClient(url, options);
  try {
    const answer = await client.request({
      method: 'GET',
      path: url.pathname + url.search,
      headers: {
        accept: FORMATS.map(({ mediaType }) => mediaType).join(', '),
        'accept-encoding': 'identity',
      },
      signal: options.signal,
    });
    const elsewhere = redirectOf(answer, url);
    if (elsewhere) return elsewhere;
    if (answer.statusCode !== 200) throw new Error(`it is answered with ${answer.statusCode}`);
    return await readAll(answer.body);
  } finally {
    await client.destroy();
  }
}

async function readAll(body: Dispatcher.ResponseData['body']): Promise<Buffer> {
  const pieces: Buffer[] = [];
  let size = 0;
  for await (const piece of body) {
    size += piece.length;
    if (size > MAX_BYTES) throw new Error('it is larger than 1 MiB');
    pieces.push(piece);
  }
  return Buffer.concat(pieces);
}

/** What its sender calls it is not asked: a browser is told what the bytes are. */
function pictureOf(bytes: Buffer): Picture {
  const beginning = bytes.toString('latin1', 0, 16);
  const format = FORMATS.find(({ begins }) => begins.test(beginning));
  if (!format) throw new Error('it is no PNG, JPEG, GIF or WebP');
  return { mediaType: format.mediaType, bytes };
}
