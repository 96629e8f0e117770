import { setImmediate as turn } from 'node:timers/promises';
import { charsetOf, essenceOf } from './media-types.ts';

/** A data URL whose form is right. */
export interface DataUrl {
  /** Lower case, without parameters. */
  mimeType: string;
  /** Lower case; null where none is named. */
  charset: string | null;
  /** Bytes after decoding. */
  size: number;
  /** The decoded bytes, piece by piece. */
  bytes(): AsyncGenerator<Uint8Array>;
}

const MAX_HEADER = 1024;
/** Characters of base64 looked at or decoded at once: a multiple of four. */
const PIECE = 256 * 1024;
const TOKEN = "[A-Za-z0-9!#$%&'*+.^_`|~-]+";
const HEADER = new RegExp(`^data:(${TOKEN}/${TOKEN})(?:;${TOKEN}=${TOKEN})*;base64$`);
const NOT_BASE64 = /[^A-Za-z0-9+/]/;

/**
 * Whether text is base64 by RFC 4648 §4 with its padding, and the only spelling of its bytes (§3.5). Others get a turn
 * after each piece.
 */
async function isCanonicalBase64(text: string): Promise<boolean> {
  if (text.length % 4 !== 0) return false;
  const last = text.slice(-4);
  for (let at = 0; at < text.length - 4; at += PIECE) {
    if (NOT_BASE64.test(text.slice(at, Math.min(at + PIECE, text.length - 4)))) return false;
    await turn();
  }
  return Buffer.from(last, 'base64').toString('base64') === last;
}

/**
 * Reads `data:<type>/<subtype>[;name=value]*;base64,<data>`: a strict subset of the Fetch standard's data URLs.
 * Undefined for anything else. Nothing is decoded before it is asked for.
 */
export async function parseDataUrl(text: string): Promise<DataUrl | undefined> {
  const comma = text.slice(0, MAX_HEADER).indexOf(',');
  const header = text.slice(0, Math.max(comma, 0));
  const [, type] = HEADER.exec(header) ?? [];
  const mimeType = type && essenceOf(type);
  if (!mimeType) return undefined;
  const data = text.slice(comma + 1);
  if (!(await isCanonicalBase64(data))) return undefined;
  const padding = data.endsWith('==') ? 2 : data.endsWith('=') ? 1 : 0;
  return {
    mimeType,
    charset: charsetOf(header.slice('data:'.length)),
    size: (data.length / 4) * 3 - padding,
    async *bytes() {
      for (let at = 0; at < data.length; at += PIECE) yield Buffer.from(data.slice(at, at + PIECE), 'base64');
    },
  };
}

/** Spells bytes as base64 while they pass by. */
export async function* toBase64(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  let rest = Buffer.alloc(0);
  for await (const chunk of bytes) {
    const all = Buffer.concat([rest, chunk]);
    const whole = all.length - (all.length % 3);
    yield all.toString('base64', 0, whole);
    rest = all.subarray(whole);
  }
  yield rest.toString('base64');
}
