import { randomUUID } from 'node:crypto';
import { bodyTooLarge } from './describe-error.ts';
import { invalidJson, MAX_DEPTH } from './plain-json.ts';
import { utf8Decoder } from './utf8.ts';

/** Characters from which on a string is kept apart from the rest of its document. */
const LONG = 64 * 1024;
/** Characters of that rest, which is parsed at once. */
const MAX_REST = 1024 * 1024;

const WHITE_SPACE = /[ \t\n\r]+/g;
/** As much of a string as there is, without a part of an escape at its end. */
const STRING = /(?:[^"\\]+|\\u[\s\S]{4}|\\[^u])*/y;

/** Undoes the escapes in a piece of a JSON string. */
function unescaped(piece: string): string {
  try {
    return JSON.parse(`"${piece}"`);
  } catch {
    throw invalidJson();
  }
}

/** Cuts the long strings out of a JSON text that arrives in pieces, and leaves a name in the place of each. */
function createCutter() {
  const names = randomUUID();
  const strings = new Map<string, string>();
  let [rest, pending] = ['', ''];
  /** The string that has begun: as it is written, and once it is long, what it says. */
  let begun: { written: string; says?: string } | undefined;

  function keep(text: string): void {
    rest += text;
    if (rest.length > MAX_REST) throw bodyTooLarge();
  }

  function continueString(string: { written: string; says?: string }, piece: string): void {
    if (string.says !== undefined) string.says += unescaped(piece);
    else string.written += piece;
    if (string.written.length <= LONG) return;
    string.says = unescaped(string.written);
    string.written = '';
  }

  function endString({ written, says }: { written: string; says?: string }): void {
    const name = `${names} ${strings.size}`;
    if (says !== undefined) strings.set(name, says);
    keep(says === undefined ? `"${written}"` : `"${name}"`);
  }

  return {
    add(piece: string): void {
      const text = pending + piece;
      pending = '';
      for (let at = 0; at < text.length; ) {
        if (!begun) {
          const quote = text.indexOf('"', at);
          const end = quote < 0 ? text.length : quote;
          keep(text.slice(at, end).replaceAll(WHITE_SPACE, ' '));
          if (quote >= 0) begun = { written: '' };
          at = end + 1;
          continue;
        }
        STRING.lastIndex = at;
        const [part = ''] = STRING.exec(text) ?? [];
        continueString(begun, part);
        at += part.length;
        if (text[at] !== '"') {
          pending = text.slice(at);
          return;
        }
        endString(begun);
        begun = undefined;
        at += 1;
      }
    },
    end(): { rest: string; strings: ReadonlyMap<string, string> } {
      if (begun) throw invalidJson();
      return { rest, strings };
    },
  };
}

/** Puts the strings back. What is nested deeper than any input may be is left for validation to refuse. */
function restore(value: unknown, strings: ReadonlyMap<string, string>, depth = 0): unknown {
  if (typeof value === 'string') return strings.get(value) ?? value;
  if (typeof value !== 'object' || value === null || depth > MAX_DEPTH) return value;
  if (Array.isArray(value)) return value.map((inner) => restore(inner, strings, depth + 1));
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key, restore(inner, strings, depth + 1)]),
  );
}

/**
 * Parses a JSON document of megabytes while it arrives, so that nobody else waits for it: only what is no long string is
 * parsed at once, by `parse`, and that is at most 1 MiB. Throws 400 for what is no JSON in UTF-8, 413 for more than that.
 */
export async function parseInPieces(
  body: AsyncIterable<Uint8Array>,
  parse: (text: string) => unknown,
): Promise<unknown> {
  const cutter = createCutter();
  const decoder = utf8Decoder();
  for await (const bytes of body) cutter.add(decoder.decode(bytes));
  cutter.add(decoder.end());
  const { rest, strings } = cutter.end();
  return restore(parse(rest), strings);
}
