import { type FoundResource, MAX_FOUND_TEXT } from '@nephos/contracts';
import { chooseIntent } from './choose-intent.ts';
import { CONCEPT_OF_KIND } from './concept-of-kind.ts';
import type { Concept } from './concepts.ts';
import { type Exchange, exchangesOf, namedIn, namesIn } from './conversation.ts';
import type { LocalTurn } from './intent.ts';
import type { Question } from './question.ts';
import { goesOn, isOfAnother, isPointing, type Parts, partsOf, placeIn } from './question-parts.ts';
import { type Reading, read } from './read.ts';
import { type Referent, referentAt, referentsOf, referentTo } from './referents.ts';

/** Words of a question that may leave out what it is about. */
const ELLIPSIS = 6;
/** Words of a question that can be a follow-up. */
const LONGEST = 30;
/** Words of a question that is nothing but a name. */
const LONGEST_NAME = 4;
/** Words that may be added to the question before. */
const MOST_ADDED = 8;
/** Says that all is meant, or another than what was spoken of. */
const AT_LARGE = /\b(?:my|our|all|any|every|everything|last|latest|newest|new)\b/;

/** What is asked of a thing that is only named. */
const ASKED_OF_KIND: Partial<Record<Referent['kind'], Concept>> = {
  project: 'status',
  database: 'status',
  domain: 'status',
  image: 'pull',
};

/** A question as it is meant where it was asked. */
export interface Meant {
  turn: LocalTurn;
  /** What it seems to name, and the person does not have; '' for nothing. */
  missing: string;
}

/** What is known of a question that may be a follow-up. */
interface Following {
  turn: LocalTurn;
  past: readonly Exchange[];
  things: readonly FoundResource[];
  said: Parts;
  /** What it names itself, by its name or by its place in a list. */
  own: Referent | undefined;
  /** What was spoken of before, the latest first. */
  referents: readonly Referent[];
}

/** The question with what it leaves out and the conversation before it says: what it is about, or what is asked. */
export async function* inContext(turn: LocalTurn): Reading<Meant> {
  const { asked } = turn;
  const past = exchangesOf(turn.history);
  const leadsBack = isPointing(asked) || goesOn(asked) || placeIn(asked) !== undefined;
  if (past.length === 0 || (leadsBack ? asked.words.length > LONGEST : isWhole(asked))) {
    return { turn, missing: '' };
  }
  const text = searchable([asked.text, ...past.map(namesIn)].join(', '));
  const things = yield* read(turn, ['assistant', 'find'], { text });
  const named = namedIn(asked, things);
  const following: Following = {
    turn,
    past,
    things,
    said: partsOf(asked, named),
    own: named ? referentTo(named) : referentAt(placeIn(asked), past, things),
    referents: referentsOf(turn, past, things),
  };
  if (following.said.asks.size === 0) return askedAgain(following) ?? { turn, missing: '' };
  return { turn: named ? turn : aboutTheSame(following), missing: '' };
}

/** As much of a text as is searched at once. What cannot be shown is in no name, but may be in a log that was quoted. */
function searchable(text: string): string {
  const shown = text.replaceAll(/[^\p{L}\p{M}\p{N}\p{P}\p{S}]+/gu, ' ').normalize('NFC');
  return shown.slice(0, MAX_FOUND_TEXT).toWellFormed();
}

/** Whether a question that does not lead back says all by itself: what it is about, or that it is about all. */
function isWhole(asked: Question): boolean {
  const { asks, kinds, rest } = partsOf(asked, undefined);
  if (asks.size === 0) return asked.words.length > LONGEST_NAME || kinds.size > 0;
  const namesNothing = rest.length === 0 && kinds.size === 0 && !AT_LARGE.test(asked.words.join(' '));
  return asked.words.length > ELLIPSIS || !namesNothing;
}

/** Another question about what was spoken of: the latest that it can be asked of. */
function aboutTheSame({ turn, said, own, referents }: Following): LocalTurn {
  const possible = (own ? [own] : referents).filter(({ kind }) => fits(kind, said.kinds));
  const candidates = possible.map((referent) => ({
    referent,
    meant: about(turn, referent, [...said.asks, ...said.kinds]),
  }));
  const found = candidates.find(({ referent, meant }) =>
    chooseIntent(meant.asked, turn.scope)?.about?.includes(referent.kind),
  );
  return found?.meant ?? turn;
}

/** The same question as before, about something else or with something added; undefined where it is none. */
function askedAgain({ turn, past, things, said, own, referents }: Following): Meant | undefined {
  const { asked } = turn;
  const isWordless = said.rest.length === 0;
  const saysSo = goesOn(asked) || ((own !== undefined || isPointing(asked)) && isWordless);
  if (!saysSo || said.rest.length > MOST_ADDED) return undefined;
  const last = lastAsking(past, things);
  const isSwap = isOfAnother(asked) && !isWordless;
  const referent = own ?? (isSwap ? undefined : referents.find(({ kind }) => fits(kind, said.kinds)));
  if (!last && !own) return undefined;
  const asks = last?.parts.concepts ?? new Set(own && [ASKED_OF_KIND[own.kind] ?? CONCEPT_OF_KIND[own.kind]]);
  const kinds = said.kinds.size > 0 ? said.kinds : (last?.parts.kinds ?? []);
  const again: LocalTurn = {
    ...turn,
    question: `${turn.question} ${last?.earlier.text ?? ''}`,
    // How much was said before does not make it longer.
    asked: { ...asked, words: [...said.rest, ...(isWordless ? (last?.parts.rest ?? []) : [])] },
  };
  const meant = referent
    ? about(again, referent, asks)
    : { ...again, asked: { ...again.asked, concepts: new Set([...asks, ...kinds]) } };
  return { turn: meant, missing: own ? '' : said.rest.join(' ') };
}

/** The latest question that asks for something, and what it says beside the name in it. */
function lastAsking(past: readonly Exchange[], things: readonly FoundResource[]) {
  return past
    .map(({ asked: earlier }) => ({ earlier, parts: partsOf(earlier, namedIn(earlier, things)) }))
    .find(({ parts }) => parts.asks.size > 0);
}

/** A question with the name and the kind of what it is about. */
function about(turn: LocalTurn, { kind, words }: Referent, concepts: Iterable<Concept>): LocalTurn {
  const { asked } = turn;
  return {
    ...turn,
    asked: {
      text: `${asked.text} ${words.join(' ')}`,
      words: [...asked.words, ...words],
      concepts: new Set([...concepts, CONCEPT_OF_KIND[kind]]),
    },
  };
}

function fits(kind: Referent['kind'], kinds: ReadonlySet<Concept>): boolean {
  return kinds.size === 0 || kinds.has(CONCEPT_OF_KIND[kind]);
}
