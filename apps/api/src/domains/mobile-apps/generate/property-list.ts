import { xmlText } from './escape.ts';

export type PropertyListValue =
  | string
  | boolean
  | readonly PropertyListValue[]
  | { readonly [key: string]: PropertyListValue };

const HEAD = `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0">
`;

function isList(value: PropertyListValue): value is readonly PropertyListValue[] {
  return Array.isArray(value);
}

function linesOf(value: PropertyListValue): string[] {
  if (typeof value === 'string') return [`<string>${xmlText(value)}</string>`];
  if (typeof value === 'boolean') return [value ? '<true/>' : '<false/>'];
  if (isList(value)) return wrapped('array', value.flatMap(linesOf));
  return wrapped(
    'dict',
    Object.entries(value).flatMap(([key, inner]) => [`<key>${xmlText(key)}</key>`, ...linesOf(inner)]),
  );
}

function wrapped(tag: string, lines: readonly string[]): string[] {
  if (lines.length === 0) return [`<${tag}/>`];
  return [`<${tag}>`, ...lines.map((line) => `\t${line}`), `</${tag}>`];
}

/** A property list as XML, in Apple's own layout; keys stay in their order. */
export function propertyList(value: PropertyListValue): string {
  return `${HEAD}${linesOf(value).join('\n')}\n</plist>\n`;
}
