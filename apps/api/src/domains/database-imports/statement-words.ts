/** Follows the words of a statement that stand outside of quotes and comments. */
export interface StatementWords {
  /** A word in lower case; `isNested`: within parentheses. */
  add(word: string, isNested: boolean): void;
  /** Whether a semicolon belongs to a function's body that is written as `begin atomic … end`. */
  isInBody(): boolean;
  /** Whether rows follow the statement. */
  takesRows(): boolean;
}

/** Those by which psql, too, tells a function from other statements. */
const MAKES_ROUTINE = /^create (or replace )?(function|procedure)\b/;
const WORDS_TO_TELL = 4;

export function createStatementWords(): StatementWords {
  let first = '';
  let count = 0;
  let last = '';
  let depth = 0;
  let isFromStdin = false;
  return {
    add(word, isNested) {
      if (count++ < WORDS_TO_TELL) first = `${first} ${word}`.trimStart();
      if (isNested) return;
      if (last === 'from' && word === 'stdin') isFromStdin = true;
      last = word;
      if (!MAKES_ROUTINE.test(first)) return;
      if (word === 'begin' || (word === 'case' && depth > 0)) depth++;
      else if (word === 'end' && depth > 0) depth--;
    },
    isInBody: () => depth > 0,
    takesRows: () => isFromStdin && /^copy\b/.test(first),
  };
}
