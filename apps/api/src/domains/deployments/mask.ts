const MASK = '***';
/** Shorter values are too likely to be ordinary words of a log. */
const MIN_LENGTH = 6;

/** Replaces secrets in text that comes in pieces; a piece's end that may begin a secret waits for the next. */
export interface Masker {
  push(piece: string): string;
  /** What still waits, when no piece follows. */
  flush(): string;
}

/** Makes one masker per stream for the given secrets; those under six characters stay readable. */
export function createMasking(values: Iterable<string>): () => Masker {
  const secrets = [...new Set(values)]
    .filter((value) => value.length >= MIN_LENGTH)
    .map(clean)
    .sort((a, b) => b.length - a.length);
  const pattern = new RegExp(secrets.map(escapePattern).join('|') || '(?!)', 'g');
  const firsts = new Set(secrets.map((secret) => secret[0]));
  const longest = secrets[0]?.length ?? 0;

  /** Index from which `text` may continue as a secret. */
  function openEnd(text: string, from: number): number {
    for (let i = Math.max(from, text.length - longest + 1); i < text.length; i += 1) {
      if (!firsts.has(text[i])) continue;
      const tail = text.slice(i);
      if (secrets.some((secret) => secret.length > tail.length && secret.startsWith(tail))) return i;
    }
    return text.length;
  }

  return () => {
    let waiting = '';
    return {
      push(piece) {
        const text = waiting + piece;
        let masked = '';
        let at = 0;
        for (;;) {
          const held = openEnd(text, at);
          pattern.lastIndex = at;
          const match = pattern.exec(text);
          if (!match || match.index >= held) {
            waiting = text.slice(held);
            return masked + text.slice(at, held);
          }
          masked += text.slice(at, match.index) + MASK;
          at = match.index + match[0].length;
        }
      },
      flush() {
        const rest = waiting.replace(pattern, MASK);
        waiting = '';
        return rest;
      },
    };
  };
}

/** Takes out what PostgreSQL's text cannot hold: NUL, and halves of surrogate pairs. */
export function clean(text: string): string {
  return text.replace(/\0|\p{Surrogate}/gu, '');
}

function escapePattern(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
}
