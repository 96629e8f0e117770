import { stripVTControlCharacters } from 'node:util';

/** UTF-16 units of a step's output that are looked at, from its end. */
const LOOKED_AT = 32 * 1024;

/** What tools say when something outside of the project is missing, and what that means; the first that fits counts. */
const CAUSES: readonly (readonly [RegExp, (name: string) => string])[] = [
  [/\b(?:ENOTFOUND|EAI_AGAIN) ([a-z0-9][a-z0-9.-]{0,252})/i, notFound],
  [/Could not resolve host: ([a-z0-9][a-z0-9.-]{0,252})/i, notFound],
  [/Failed to resolve '([a-z0-9][a-z0-9.-]{0,252})'/i, notFound],
  [
    /Failed to fetch `([^`\n]{1,60})` from Google Fonts/,
    (name) => `Google Fonts did not give the font ${name}`,
  ],
  [
    /No matching distribution found for ([^\s;]{1,100})/,
    (name) => `pip found no version of ${name} that fits this server's Python`,
  ],
  [/No matching version found for ([^\s]{1,100}?)\.?\s/, (name) => `the npm registry has no ${name}`],
  [
    /gyp ERR! .*(not found: make|Could not find any Python)|\b(make|g\+\+|cc): (?:command )?not found/,
    () =>
      'a package has to be compiled, and this server has no compiler (on Debian, apt-get install build-essential)',
  ],
];

function notFound(host: string): string {
  return `the host ${host.replace(/\.$/, '')} was not found`;
}

/** Keeps the end of a command's output, to tell by it why the command failed. */
export function watchOutput() {
  let tail = '';
  return {
    add(text: string): void {
      tail = (tail + text).slice(-LOOKED_AT);
    },
    /** Completes 'it failed: …'; undefined where the output tells of no cause that we know. */
    cause(): string | undefined {
      const text = stripVTControlCharacters(tail);
      for (const [pattern, sentence] of CAUSES) {
        const found = pattern.exec(text);
        if (found) return sentence(found[1] ?? '');
      }
      return undefined;
    },
  };
}
