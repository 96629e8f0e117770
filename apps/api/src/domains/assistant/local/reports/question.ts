/** A question's words. */
export type Words = readonly string[];

/** What follows is taken for the text that a question is about, not for the question. */
const READ_CHARACTERS = 600;

/** Whoever weighs one thing against another wants an opinion, which rules do not have. */
const OPINION = /\b(?:should|better|best|recommend\w*|difference|versus|vs|compare)\b/;

/** Lower-case words without accents; what is neither a letter, a digit nor `_` parts them. */
export function wordsOf(text: string): Words {
  const plain = text
    .slice(0, READ_CHARACTERS)
    .normalize('NFKD')
    .replace(/\p{Mark}|(?<=\w)['’](?=\w)/gu, '')
    .toLowerCase();
  return plain.match(/[\p{Letter}\p{Number}_]+/gu) ?? [];
}

export function asksForOpinion(words: Words): boolean {
  return OPINION.test(words.join(' '));
}

/**
 * Whether a question has all that a line of keywords asks for, in any order: words parted by spaces, each of which may
 * be one of several (`pull|download`) or a beginning (`deploy*`).
 */
export function hasKeywords(words: Words, line: string): boolean {
  return line
    .split(' ')
    .every((slot) => slot.split('|').some((keyword) => words.some((word) => isWord(word, keyword))));
}

function isWord(word: string, keyword: string): boolean {
  return keyword.endsWith('*') ? word.startsWith(keyword.slice(0, -1)) : word === keyword;
}

/** The one of `things` that a question calls by its name; the longest name first, so that `shop api` is not `shop`. */
export function namedIn<T>(
  words: Words,
  things: readonly T[],
  namesOf: (thing: T) => readonly string[],
): T | undefined {
  const text = ` ${words.join(' ')} `;
  return things
    .flatMap((thing) => namesOf(thing).map((name) => ({ thing, name: wordsOf(name).join(' ') })))
    .filter(({ name }) => name !== '')
    .sort((a, b) => b.name.length - a.name.length)
    .find(({ name }) => text.includes(` ${name} `))?.thing;
}
