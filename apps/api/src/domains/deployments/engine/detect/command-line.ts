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

/**
 * A command that a person typed: its words, with variables to expand, or a shell of the project's own that reads the
 * line where it takes one.
 */
export function typedCommand(line: string): { argv: readonly string[]; expand: boolean } {
  const plain = plainWords(line);
  if (plain) return { argv: plain, expand: false };
  const words = procfileWords(line);
  return words ? { argv: words, expand: true } : { argv: ['sh', '-c', line], expand: false };
}

/**
 * A command in a folder below the one it is started in; '' is that folder. The project's account goes there itself, so it
 * gets nowhere that it may not enter. The folder and the command are arguments, not a part of the script.
 */
export function inFolder(folder: string, argv: readonly string[]): readonly string[] {
  return folder === '' ? argv : ['sh', '-c', 'cd -- "$0" && exec "$@"', `./${folder}`, ...argv];
}
