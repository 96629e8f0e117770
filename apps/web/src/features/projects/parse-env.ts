import { faultOfVariableName, faultOfVariableValue } from '@nephos/contracts/constants';

export interface EnvVariable {
  name: string;
  value: string;
}

/** Something about a line of the text, counted from 1. */
export interface EnvRemark {
  line: number;
  text: string;
}

export interface ParsedEnv {
  /** In the order of the text; of a name that stands there twice, the last one. */
  variables: EnvVariable[];
  /** Lines that cannot be read. Nothing should be saved while there is one. */
  errors: EnvRemark[];
  /** Lines that were read, though perhaps not as they were meant. */
  warnings: EnvRemark[];
}

const ASSIGNMENT = /^\s*(?:export\s+)?([^\s=]*)\s*=[^\S\n]*/;

/**
 * Reads text as dotenv does: `NAME=value` with comments, an `export` prefix, and values in single, double or back
 * quotes that may have several lines; only double quotes turn `\n` and `\r` into what they stand for.
 */
export function parseEnv(text: string): ParsedEnv {
  const lines = text
    .replace(/^\uFEFF/, '')
    .replace(/\r\n?/g, '\n')
    .split('\n');
  const read = new Map<string, EnvVariable>();
  const errors: EnvRemark[] = [];
  const warnings: EnvRemark[] = [];
  for (let index = 0; index < lines.length; ) {
    const line = index + 1;
    const entry = readEntry(lines, index);
    index += entry?.lines ?? 1;
    if (!entry) continue;
    const { name, value, fault, warning } = entry;
    const error = fault ?? nameFault(name) ?? faultOfVariableValue(value);
    if (error) {
      errors.push({ line, text: error });
      continue;
    }
    if (read.has(name)) warnings.push({ line, text: `${name} is set more than once. This value is used.` });
    if (warning) warnings.push({ line, text: warning });
    read.set(name, { name, value });
  }
  return { variables: [...read.values()], errors, warnings };
}

function nameFault(name: string): string | undefined {
  const fault = faultOfVariableName(name);
  return fault && name
    ? `“${name.slice(0, 40)}” is not a valid name. ${fault}`
    : fault && 'The name is missing.';
}

interface Entry {
  name: string;
  value: string;
  /** How many lines it takes. */
  lines: number;
  fault?: string;
  warning?: string;
}

/** What begins on a line; nothing on one that is empty or a comment. */
function readEntry(lines: readonly string[], index: number): Entry | undefined {
  const line = lines[index] ?? '';
  if (/^\s*(#|$)/.test(line)) return undefined;
  const match = ASSIGNMENT.exec(line);
  if (!match) return { name: '', value: '', lines: 1, fault: 'Expected NAME=value.' };
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
    ...(cut && { warning: `Text after # in ${name} is treated as a comment. Quote the value to keep it.` }),
  };
}

/** A value from its opening quote on, over as many lines as it takes. */
function readQuoted(lines: readonly string[], quote: string): Omit<Entry, 'name'> {
  const text = lines.join('\n');
  let end = text.indexOf(quote, 1);
  while (end > 0 && text[end - 1] === '\\') end = text.indexOf(quote, end + 1);
  if (end < 0) return { value: '', lines: 1, fault: `The closing ${quote} is missing.` };
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
