/** An entry of a zone file: a record or a directive, which parentheses may spread over lines. */
export interface FileEntry {
  /** Counted from 1: its first line. */
  line: number;
  /** Whether it begins with a blank, and so leaves out its owner. */
  isIndented: boolean;
  /** Words as they are written, each quoted string one of them, without comments and parentheses. */
  words: readonly string[];
  /** What keeps it from being read. */
  problem?: string;
}

/** Blanks, comments, parentheses, line ends, and the words between them: a string, or what has escapes and quotes in it. */
const TOKEN =
  /[^\S\n]+|;[^\n]*|\n|[()]|"(?:[^"\\\n]|\\[^\n])*"|(?:[^\s;()"\\]|\\[^\n]|"(?:[^"\\\n]|\\[^\n])*"|\\(?=\n|$))+|"[^\n]*/g;

const OPEN_QUOTE = 'The quoted text has no end on its line.';
const OPEN_PARENTHESIS = 'The parenthesis that opens here is never closed.';
const EXTRA_PARENTHESIS = 'The parenthesis that closes here was never opened.';

interface Reader {
  line: number;
  depth: number;
  entry: { line: number; isIndented: boolean; words: string[]; problem?: string } | undefined;
}

function isUnclosed(token: string): boolean {
  return token.startsWith('"') && !/^"(?:[^"\\]|\\.)*"$/.test(token);
}

/** Takes a token that ends no line into the entry. */
function take(reader: Reader, token: string, isFirst: boolean): void {
  reader.entry ??= { line: reader.line, isIndented: isFirst && /^\s/.test(token), words: [] };
  const { entry } = reader;
  if (token === '(') reader.depth += 1;
  else if (token === ')') {
    if (reader.depth === 0) entry.problem ??= EXTRA_PARENTHESIS;
    else reader.depth -= 1;
  } else if (isUnclosed(token)) entry.problem ??= OPEN_QUOTE;
  else if (!/^[\s;]/.test(token)) entry.words.push(token);
}

/** The entries of a zone file (RFC 1035 §5.1), one after the other; lines without words are none. */
export function* entriesOf(text: string): Generator<FileEntry> {
  const reader: Reader = { line: 1, depth: 0, entry: undefined };
  let isFirst = true;
  for (const [token] of text.replace(/^\ufeff/, '').matchAll(TOKEN)) {
    if (token !== '\n') {
      take(reader, token, isFirst);
      isFirst = false;
      continue;
    }
    reader.line += 1;
    if (reader.depth > 0) continue;
    if (reader.entry && (reader.entry.words.length > 0 || reader.entry.problem)) yield reader.entry;
    reader.entry = undefined;
    isFirst = true;
  }
  const { entry, depth } = reader;
  if (entry && depth > 0) entry.problem ??= OPEN_PARENTHESIS;
  if (entry && (entry.words.length > 0 || entry.problem)) yield entry;
}
