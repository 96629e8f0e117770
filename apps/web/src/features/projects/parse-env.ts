/** What an `.env` text says of one variable. */
export interface EnvEntry {
  name: string;
  value: string;
  /** Why it cannot be read; name and value are then as they stand there. */
  fault?: string;
  /** It was read, though perhaps not as it was meant. */
  warning?: string;
}

const ASSIGNMENT = /^\s*(?:export\s+)?([^\s=]*)\s*=[^\S\n]*/;

/**
 * Reads text as dotenv does: `NAME=value` with comments, an `export` prefix, and values in single, double or back
 * quotes that may have several lines; only double quotes turn `\n` and `\r` into what they stand for. In the order of
 * the text; of a name that stands there twice, the last value in the place of the first.
 */
export function parseEnv(text: string): EnvEntry[] {
  const lines = text
    .replace(/^\uFEFF/, '')
    .replace(/\r\n?/g, '\n')
    .split('\n');
  const read = new Map<string, EnvEntry>();
  for (let index = 0; index < lines.length; ) {
    const { lines: taken, ...entry } = readEntry(lines, index);
    const key = entry.fault === undefined ? entry.name : `line ${index}`;
    if (read.has(key)) entry.warning ??= `${key} is set more than once. This value is used.`;
    if (entry.name || entry.value) read.set(key, entry);
    index += taken;
  }
  return [...read.values()];
}

interface ReadEntry extends EnvEntry {
  /** How many lines it takes. */
  lines: number;
}

/** What begins on a line; without name and value where it is empty or a comment. */
function readEntry(lines: readonly string[], index: number): ReadEntry {
  const line = lines[index] ?? '';
  if (/^\s*(#|$)/.test(line)) return { name: '', value: '', lines: 1 };
  const match = ASSIGNMENT.exec(line);
  if (!match) return { name: line.trim(), value: '', lines: 1, fault: 'Expected NAME=value.' };
  const [head, name = ''] = match;
  const rest = line.slice(head.length);
  const quote = /^["'`]/.exec(rest)?.[0];
  if (quote) return { name, ...readQuoted([rest, ...lines.slice(index + 1)], quote) };
  const comment = rest.indexOf('#');
  const cut = comment > 0 && /\S/.test(rest[comment - 1] ?? '');
  return {
    name,
    value: (comment < 0 ? rest : rest.slice(0, comment)).trim(),
    lines: 1,
    ...(cut && { warning: 'Text after # is treated as a comment. Quote the value to keep it.' }),
  };
}

/** A value from its opening quote on, over as many lines as it takes. */
function readQuoted(lines: readonly string[], quote: string): Omit<ReadEntry, 'name'> {
  const text = lines.join('\n');
  let end = text.indexOf(quote, 1);
  while (end > 0 && text[end - 1] === '\\') end = text.indexOf(quote, end + 1);
  if (end < 0) return { value: lines[0] ?? '', lines: 1, fault: `The closing ${quote} is missing.` };
  const quoted = text.slice(1, end);
  const taken = quoted.split('\n').length;
  const after = text.slice(end + 1).split('\n', 1)[0] ?? '';
  return {
    value: quote === '"' ? quoted.replaceAll('\\n', '\n').replaceAll('\\r', '\r') : quoted,
    lines: taken,
    ...(!/^\s*(#|$)/.test(after) && { fault: `Unexpected text after the closing ${quote}.` }),
  };
}

/** Whether pasted text is meant as assignments rather than as a name. */
export function looksLikeEnv(text: string): boolean {
  return /^\s*(?:export\s+)?[A-Za-z_][A-Za-z0-9_]*\s*=/m.test(text);
}
