export interface KotlinToken {
  kind: 'comment' | 'string' | 'number' | 'word' | 'sign';
  /** What a string means. */
  text: string;
}

const PATTERNS: readonly [KotlinToken['kind'] | 'space', RegExp][] = [
  ['space', /[ \n]+/y],
  ['comment', /\/\/[^\n]*/y],
  ['string', /"(?:[^"\\\n\r]|\\.)*"/y],
  ['number', /\d+/y],
  ['word', /[A-Za-z_]\w*/y],
  ['sign', /\?\.|==|!=|[{}()[\].,=:;?<>+-]/y],
];

const CLOSING: Readonly<Record<string, string>> = { '{': '}', '(': ')', '[': ']' };
const ESCAPES: Readonly<Record<string, string>> = { t: '\t', b: '\b', n: '\n', r: '\r' };

/** What a Kotlin string literal means. Throws for a template: none of what a person gave may become code. */
function meaningOf(literal: string): string {
  const inner = literal.slice(1, -1);
  return inner.replace(/\\u([0-9a-fA-F]{4})|\\(.)|(\$)(?=[A-Za-z_{`])/g, (_whole, hex, escaped, dollar) => {
    if (dollar) throw new Error(`a template in ${literal}`);
    if (hex) return String.fromCharCode(Number.parseInt(hex, 16));
    if (`'"\\$`.includes(escaped)) return escaped;
    const meaning = ESCAPES[escaped];
    if (meaning === undefined) throw new Error(`an unknown escape in ${literal}`);
    return meaning;
  });
}

/** The tokens of a Gradle script in the part of Kotlin that ours is written in; throws for everything else. */
export function kotlinTokens(source: string): KotlinToken[] {
  const tokens: KotlinToken[] = [];
  const open: string[] = [];
  for (let at = 0; at < source.length; ) {
    const found = PATTERNS.map(([kind, pattern]) => {
      pattern.lastIndex = at;
      return { kind, text: pattern.exec(source)?.[0] };
    }).find(({ text }) => text !== undefined);
    if (!found?.text) throw new Error(`no Kotlin: ${JSON.stringify(source.slice(at, at + 40))}`);
    at += found.text.length;
    const { kind, text } = found;
    if (kind === 'space') continue;
    if (CLOSING[text]) open.push(CLOSING[text]);
    if (['}', ')', ']'].includes(text) && open.pop() !== text) throw new Error(`unbalanced ${text}`);
    tokens.push({ kind, text: kind === 'string' ? meaningOf(text) : text });
  }
  if (open.length > 0) throw new Error(`open to the end: ${open.join(' ')}`);
  return tokens;
}

/** The values of a script's assignments `name = value`, by name; of several with one name, the first. */
export function kotlinAssignments(source: string): Record<string, string> {
  const tokens = kotlinTokens(source).filter(({ kind }) => kind !== 'comment');
  const assigned = tokens.flatMap((token, i): [string, string][] => {
    const [equals, value] = [tokens[i + 1], tokens[i + 2]];
    return token.kind === 'word' && equals?.kind === 'sign' && equals.text === '=' && value
      ? [[token.text, value.text]]
      : [];
  });
  return Object.fromEntries(assigned.toReversed());
}
