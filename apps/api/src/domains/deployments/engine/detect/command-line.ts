/** Names that a shell takes for itself, so that a line which begins with one needs a shell. */
const BUILT_IN = new Set([
  'cd',
  'exec',
  'export',
  'source',
  '.',
  'eval',
  'set',
  'unset',
  'if',
  'for',
  'while',
  'wait',
]);

const PLAIN_WORD = /^[A-Za-z0-9_@%+:,./-][A-Za-z0-9_@%+=:,./-]*$/;

/** The words of a line that means the same with and without a shell; undefined when it needs one. */
export function plainWords(line: string): string[] | undefined {
  const words = line.trim().split(/\s+/);
  const [program = ''] = words;
  if (BUILT_IN.has(program) || program.includes('=')) return undefined;
  return words.every((word) => PLAIN_WORD.test(word)) ? words : undefined;
}

const SHELL_SYNTAX = /[|&;<>()`*?[\]!~\n\\]|\$(?![A-Za-z_{])|\$\{(?![A-Za-z_][A-Za-z0-9_]*\})/;

/**
 * Words of a Procfile's command, by the quoting rules of a shell and with `$NAME` left in them for `expandWord`;
 * undefined when it uses more of a shell than quotes and variables. A `$` in single quotes counts as that.
 */
export function procfileWords(line: string): string[] | undefined {
  const unquoted = line.replace(/"([^"]*)"/g, (_, inner: string) => inner.replace(/[^$`\\]/g, 'x'));
  if (SHELL_SYNTAX.test(unquoted.replace(/'[^'$]*'/g, 'x')) || /'[^']*\$/.test(line)) return undefined;
  const words: string[] = [];
  const pattern = /(?:[^\s"']+|"[^"]*"|'[^']*')+|["']/g;
  for (const [word] of line.trim().matchAll(pattern)) {
    if (word === '"' || word === "'") return undefined;
    words.push(
      word.replace(/"([^"]*)"|'([^']*)'/g, (_, double?: string, single?: string) => double ?? single ?? ''),
    );
  }
  const [program = ''] = words;
  if (words.length === 0 || program.includes('=') || BUILT_IN.has(program)) return undefined;
  return words;
}

/** Puts variables in the place of `$NAME` and `${NAME}`; an unset one is nothing. */
export function expandWord(word: string, env: Readonly<Record<string, string>>): string {
  return word.replace(
    /\$(?:\{([A-Za-z_][A-Za-z0-9_]*)\}|([A-Za-z_][A-Za-z0-9_]*))/g,
    (_, braced?: string, bare?: string) => env[braced ?? bare ?? ''] ?? '',
  );
}
