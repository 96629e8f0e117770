import { invalid } from '../core/errors.ts';

function strictly(decode: () => string): string {
  try {
    return decode();
  } catch {
    throw invalid('The request body is not valid UTF-8.');
  }
}

/** Decodes UTF-8 that arrives in pieces. Throws 400 for bytes that are none, which must not become U+FFFD. */
export function utf8Decoder() {
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  return {
    decode: (bytes: Uint8Array) => strictly(() => decoder.decode(bytes, { stream: true })),
    end: () => strictly(() => decoder.decode()),
  };
}

/** Throws 400 as `utf8Decoder` does. */
export function utf8Text(bytes: Uint8Array): string {
  return strictly(() => new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes));
}

/** The text of a form (`application/x-www-form-urlencoded`), whose percent codes are UTF-8 too. Throws 400. */
export function utf8Form(bytes: Uint8Array): string {
  const text = utf8Text(bytes);
  strictly(() => text.replaceAll(/(?:%[0-9a-f]{2})+/gi, decodeURIComponent));
  return text;
}
