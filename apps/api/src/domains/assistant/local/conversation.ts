import type { FoundResource } from '@nephos/contracts';
import type { PastMessage } from '../responder.ts';
import { findNamed } from './find-named.ts';
import { normalised, type Question, readQuestion } from './question.ts';

/** A question of before, and its answer as far as there is one. */
export interface Exchange {
  asked: Question;
  answer: string;
}

/** Questions that an answer may look back to. */
const REMEMBERED = 6;

const CODE_BLOCK = /^(`{3,})[^\n]*\n[\s\S]*?^\1$/gm;
/** What an answer makes stand out: names are always bold or code. */
const STANDS_OUT = /\*\*((?:\\.|[^*\\])+)\*\*|(`+) ?(.+?) ?\2/g;
const LIST_ITEM = /^(?:-|\d+\.) /;

/** The latest exchanges of a conversation, the last one first. */
export function exchangesOf(history: readonly PastMessage[]): Exchange[] {
  const exchanges: Exchange[] = [];
  for (const { sender, content } of history) {
    const last = exchanges[0];
    if (sender === 'user') exchanges.unshift({ asked: readQuestion(content), answer: '' });
    else if (last) last.answer = content;
  }
  return exchanges.slice(0, REMEMBERED);
}

/** Everything in an exchange that may be a name, for one search. */
export function namesIn({ asked, answer }: Exchange): string {
  return [asked.text, ...linesOf(answer).flatMap(({ names }) => names)].join(', ');
}

/** What an exchange was about: what its question names, else what its answer does outside of lists, or in a list of one. */
export function spokenOf({ asked, answer }: Exchange, things: readonly FoundResource[]) {
  const lines = linesOf(answer);
  const told = lines.filter(({ isItem }) => !isItem).flatMap(({ names }) => thingsCalled(names, things));
  const listed = listedIn(answer, things);
  return namedIn(asked, things) ?? told[0] ?? (listed.length === 1 ? listed[0] : undefined);
}

/** What an answer lists, in its order. */
export function listedIn(answer: string, things: readonly FoundResource[]): FoundResource[] {
  const items = linesOf(answer).filter(({ isItem }) => isItem);
  // A line of a list may name more, such as an address; its first name is what it is about.
  return [...new Set(items.flatMap(({ names }) => thingsCalled(names, things).slice(0, 1)))];
}

export function namedIn(asked: Question, things: readonly FoundResource[]): FoundResource | undefined {
  return findNamed(asked, things, ({ called }) => [called]);
}

function linesOf(answer: string): { isItem: boolean; names: string[] }[] {
  return answer
    .replaceAll(CODE_BLOCK, '')
    .split('\n')
    .map((line) => ({
      isItem: LIST_ITEM.test(line),
      names: [...line.matchAll(STANDS_OUT)].map(
        ([, bold, , code]) => bold?.replaceAll(/\\(.)/g, '$1') ?? code ?? '',
      ),
    }));
}

function thingsCalled(names: readonly string[], things: readonly FoundResource[]): FoundResource[] {
  return names.flatMap((name) => {
    const words = normalised(name);
    return (
      things.find((thing) => normalised(thing.name) === words || normalised(thing.called) === words) ?? []
    );
  });
}
