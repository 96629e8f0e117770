/** Means itself to Node, systemd and shells alike, and to `sed` in our own scripts. */
const PLAIN = /^[\w.,:/@%+=-]+$/;
/** What ends, or is taken otherwise in, a value between these quotes by one of those who read such files. */
const QUOTES: readonly (readonly [string, RegExp])[] = [
  ["'", /['\0\r]/],
  ['"', /["\\$`\0\r]/],
  // For Node alone.
  ['`', /[`\0\r]/],
  ['"', /["\\\0\r]/],
];

/**
 * Variables as a file for systemd's `EnvironmentFile=` and Node's `--env-file`, a line each. A value that no quotes fit
 * around is in a comment, as JSON.
 */
export function environmentFile(variables: Readonly<Record<string, string>>): string {
  return Object.entries(variables)
    .map(([name, value]) => `${lineOf(name, value)}\n`)
    .join('');
}

function lineOf(name: string, value: string): string {
  if (PLAIN.test(value)) return `${name}=${value}`;
  const [quote] = QUOTES.find(([, unfit]) => !unfit.test(value)) ?? [];
  if (quote === undefined) return `# ${name} is, as JSON: ${JSON.stringify(value)}`;
  return `${name}=${quote}${value}${quote}`;
}
