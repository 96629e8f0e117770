import { type Name, parentOf, ROOT } from '../names.ts';

/** Ends a label: below every octet of a label, so that a name comes before those below it. */
const END = '\0';
/** Keeps octets apart from `END`, and in their order. */
const ESCAPES: Readonly<Record<string, string>> = { '\0': '\u0001\u0001', '\u0001': '\u0001\u0002' };

/** A text for a name: texts compare as their names do in the canonical order (RFC 4034 §6.1). */
export function orderKeyOf(name: Name): string {
  let key = '';
  for (let rest = name; rest !== ROOT; rest = parentOf(rest)) {
    const label = rest.slice(1, rest.charCodeAt(0) + 1);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: a label may have any octets
    key = label.replace(/[\0\u0001]/g, (octet) => ESCAPES[octet] ?? '') + END + key;
  }
  return key;
}
