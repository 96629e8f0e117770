/** What ends a line of an xcconfig file for Xcode. */
const LINE_END = /\r\n|[\n\r\u2028\u2029]/;

/**
 * What Xcode makes of a value with references: `$$` is a dollar, `$()` nothing, and any other reference is looked up
 * in `settings`. Throws for one that is not there: nothing that a person gave may become a reference.
 */
export function expandSettings(text: string, settings: Readonly<Record<string, string>> = {}): string {
  return text.replace(
    /\$(?:\$|\(([^)]*)\)|\{([^}]*)\}|([A-Za-z_]\w*))/g,
    (whole, parenthesised, braced, bare) => {
      const name = parenthesised ?? braced ?? bare;
      if (whole === '$$') return '$';
      if (name === '') return '';
      const value = settings[name];
      if (value === undefined) throw new Error(`a reference: ${whole}`);
      return value;
    },
  );
}

/** The settings of an xcconfig file, expanded. Throws for includes, conditions, and what is no assignment. */
export function xcconfigSettings(source: string): Record<string, string> {
  const lines = source
    .split(LINE_END)
    .map((line) => line.replace(/\/\/.*$/, '').trim())
    .filter((line) => line !== '');
  return Object.fromEntries(
    lines.map((line) => {
      const [, name, value] = /^([A-Za-z_]\w*)[ \t]*=[ \t]*(.*?);?$/.exec(line) ?? [];
      if (name === undefined || value === undefined) throw new Error(`no setting: ${JSON.stringify(line)}`);
      return [name, expandSettings(value)];
    }),
  );
}
