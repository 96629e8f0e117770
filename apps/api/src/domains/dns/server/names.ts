/**
 * A domain name in wire form (RFC 1035 §3.1), lower case, a character per octet. Text would confuse a dot inside a
 * label with one between labels; this keeps every name that can be asked apart.
 */
export type Name = string;

export const ROOT: Name = '\0';

/** The name that `text` spells, with or without its final dot: LDH labels, `_` and `*`, no escapes. */
export function nameOf(text: string): Name {
  const bare = text.toLowerCase().replace(/\.$/, '');
  if (bare === '') return ROOT;
  return `${bare
    .split('.')
    .map((label) => String.fromCharCode(label.length) + label)
    .join('')}\0`;
}

/** Without its first label. Not for the root. */
export function parentOf(name: Name): Name {
  return name.slice(name.charCodeAt(0) + 1);
}

export function wildcardBelow(name: Name): Name {
  return `\u0001*${name}`;
}

/** Whether `name` is `ancestor` or lies below it, label by label. */
export function isWithin(name: Name, ancestor: Name): boolean {
  let rest = name;
  while (rest.length > ancestor.length) rest = parentOf(rest);
  return rest === ancestor;
}
