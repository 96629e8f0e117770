import { type Name, parentOf, ROOT } from '../names.ts';

/** Ends a label: below every octet of a label, so that a name comes before those below it. */
const END = '\0';
/** Keeps octets apart from `END`, and in their order. */
const ESCAPES = [
  ['\u0001', '\u0001\u0002'],
  [END, '\u0001\u0001'],
] as const;

function escaped(label: string): string {
  let text = label;
  for (const [octet, written] of ESCAPES) if (text.includes(octet)) text = text.replaceAll(octet, written);
  return text;
}

/** A text for a name: texts compare as their names do in the canonical order (RFC 4034 §6.1). */
export function orderKeyOf(name: Name): string {
  let key = '';
  for (let rest = name; rest !== ROOT; rest = parentOf(rest)) {
    key = escaped(rest.slice(1, rest.charCodeAt(0) + 1)) + END + key;
  }
  return key;
}
