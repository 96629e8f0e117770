import type { FoundResource } from '@nephos/contracts';
import { CONCEPT_OF_KIND } from './concept-of-kind.ts';
import type { Concept } from './concepts.ts';
import { normalised, type Question, readQuestion } from './question.ts';

/** Words that stand for what was spoken of before. */
const POINTS =
  /\b(?:it|its|them|they|one|ones|same|former|latter|(?:that|this|those|these)(?= (?:app|build|database|db|deployment|domain|image|one|project|site)s?\b|$))\b/;
/** Goes on with what was asked before. */
const GOES_ON = /^(?:and|also|then|but|so|or|now|ok|okay) /;
/** Asks the same of another thing. */
const OF_ANOTHER = /^(?:(?:what|how) about|for|of|same for) /;
const PLACES: readonly (readonly [RegExp, number])[] = [
  [/\b(?:first|1st)(?: one\b|$)/, 0],
  [/\b(?:second|2nd)(?: one\b|$)/, 1],
  [/\b(?:third|3rd)(?: one\b|$)/, 2],
  [/\b(?:fourth|4th)(?: one\b|$)/, 3],
  [/\b(?:fifth|5th)(?: one\b|$)/, 4],
  [/\blast one\b|\blatter$/, -1],
];

/** Words that say nothing of what is asked. */
const FILLING: ReadonlySet<string> = new Set(
  (
    'a about again also an and are at but can could did do does first for fifth fourth former from give have how i ' +
    'in is it its just last latter me my now of ok okay on one ones or other our please same second show so tell ' +
    'that the their them then there these they third this those to too was what with would you 1st 2nd 3rd 4th 5th'
  ).split(' '),
);
/** Concepts that ask for nothing by themselves. */
const ASKS_NOTHING: ReadonlySet<Concept> = new Set([
  'what',
  'list',
  'last',
  'have',
  'again',
  'hello',
  'thanks',
  'help',
]);
const KINDS: ReadonlySet<Concept> = new Set(Object.values(CONCEPT_OF_KIND));

/** What a question says beside the name in it. */
export interface Parts {
  /** Kinds of resource that it speaks of. */
  kinds: ReadonlySet<Concept>;
  /** All others. */
  concepts: ReadonlySet<Concept>;
  /** Those of them that ask for something. */
  asks: ReadonlySet<Concept>;
  /** Words that stand for a kind. */
  kindWords: readonly string[];
  /** Words that mean nothing to us. */
  rest: readonly string[];
}

export function isPointing({ words }: Question): boolean {
  return POINTS.test(words.join(' '));
}

/** Whether it goes on with what was asked before, maybe of another thing. */
export function goesOn(asked: Question): boolean {
  return GOES_ON.test(asked.words.join(' ')) || isOfAnother(asked);
}

export function isOfAnother({ words }: Question): boolean {
  return OF_ANOTHER.test(withoutOpening(words.join(' ')));
}

/** The place in a list that it names, from 0, or from -1 at the list's end. */
export function placeIn({ words }: Question): number | undefined {
  const text = words.join(' ');
  return PLACES.find(([sign]) => sign.test(text))?.[1];
}

export function partsOf({ words }: Question, named: FoundResource | undefined): Parts {
  const text = withoutOpening(words.join(' ')).replace(OF_ANOTHER, '');
  const nameless = named ? ` ${text} `.replace(` ${normalised(named.called)} `, ' ').trim() : text;
  const { concepts, words: others } = readQuestion(nameless);
  const known = [...concepts];
  const conceptsOf = (word: string) => [...readQuestion(word).concepts];
  return {
    kinds: new Set(known.filter((concept) => KINDS.has(concept))),
    concepts: new Set(known.filter((concept) => !KINDS.has(concept))),
    asks: new Set(known.filter((concept) => !KINDS.has(concept) && !ASKS_NOTHING.has(concept))),
    kindWords: others.filter((word) => conceptsOf(word).some((concept) => KINDS.has(concept))),
    rest: others.filter((word) => word !== '' && !FILLING.has(word) && conceptsOf(word).length === 0),
  };
}

function withoutOpening(text: string): string {
  return text.replace(GOES_ON, '');
}
