import { type Concept, LEXICON } from './concepts.ts';
import { isNear } from './edit-distance.ts';

/** A question as the rules see it. */
export interface Question {
  /** As it was asked, as much of it as is read. */
  text: string;
  /** Lower case, without marks and punctuation; short forms written out. */
  words: readonly string[];
  concepts: ReadonlySet<Concept>;
}

/** What follows is taken for the text that a question is about, not for the question. */
const MAX_LENGTH = 600;
/** The name of an environment variable, such as `DATABASE_URL`. */
const VARIABLE = /\b[A-Z][A-Z0-9]*_[A-Z0-9_]+\b/;
/** Words in the longest phrase of the lexicon. */
const LONGEST_PHRASE = 4;

/** Words that look like others of the lexicon, and are none of them. */
export const COMMON: ReadonlySet<string> = new Set(
  (
    'about after all also always and any anyone are because been before being best between both but call called came ' +
    'can clean clear close come could current day days did does doing done down each else even ever every few find ' +
    'first for france from get give goes going good great had has haven her here him his house into just keep know ' +
    'like little long look made many maybe mean men might more most much must name need new next now off old once one ' +
    'only open other our out over paint part people place please print put quite rather really right said same say ' +
    'see seem sent should side simple since some stage state still story such sure take tell than that the their them ' +
    'then there these they thing things think this those though through time times today told too top try turn two ' +
    'under until very want was water way week well went were what when where which while white who will wish with ' +
    'word words world would write year yes you your stable stuff imagine release serve server poem joke weather'
  ).split(' '),
);

const SHORT_FORMS: readonly (readonly [RegExp, string])[] = [
  [/\bcan['’]?t\b/g, 'cannot'],
  [/\bwon['’]?t\b/g, 'will not'],
  [/\b(do|does|did|is|are|was|has|have|would|could|should)n['’]?t\b/g, '$1 not'],
  [/\bwhat['’]?s\b/g, 'what is'],
  [/\bhow['’]?s\b/g, 'how is'],
  [/\bwhere['’]?s\b/g, 'where is'],
  [/\bi['’]?ve\b/g, 'i have'],
  [/['’]s\b/g, ''],
  [/\b(is|are) (.{1,80}) up\W*$/g, '$1 $2 running'],
];

/** Lower-case words without marks; what is neither a letter, a digit nor `_` parts them. */
export function normalised(text: string): string {
  let plain = text
    .normalize('NFKD')
    .replace(/\p{Mark}/gu, '')
    .toLowerCase();
  for (const [form, written] of SHORT_FORMS) plain = plain.replace(form, written);
  return plain.replace(/[^\p{Letter}\p{Number}_]+/gu, ' ').trim();
}

export function readQuestion(text: string): Question {
  const beginning = text.slice(0, MAX_LENGTH).toWellFormed();
  const words = normalised(beginning).split(' ');
  const concepts = new Set<Concept>(VARIABLE.test(text) ? ['variable'] : []);
  for (let at = 0; at < words.length; at += 1) {
    for (let length = 1; length <= LONGEST_PHRASE && at + length <= words.length; length += 1) {
      for (const concept of conceptsOf(words.slice(at, at + length))) concepts.add(concept);
    }
  }
  return { text: beginning, words, concepts };
}

function conceptsOf(words: readonly string[]): readonly Concept[] {
  const [word = ''] = words;
  const exact = LEXICON.get(words.join(' '));
  if (exact || words.length > 1) return exact ?? [];
  const most = word.length >= 9 ? 2 : 1;
  if (word.length < 5 || COMMON.has(word)) return [];
  for (const [known, concepts] of LEXICON) {
    if (known.length >= 5 && known[0] === word[0] && isNear(word, known, most)) return concepts;
  }
  return [];
}
