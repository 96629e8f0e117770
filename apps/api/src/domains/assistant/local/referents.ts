import type { FoundResource } from '@nephos/contracts';
import { CONCEPT_OF_KIND } from './concept-of-kind.ts';
import { type Exchange, listedIn, namedIn, spokenOf } from './conversation.ts';
import type { LocalTurn } from './intent.ts';
import { normalised } from './question.ts';
import { partsOf } from './question-parts.ts';

/** What a question may refer to: a resource by its name, or a sort of it, such as `mysql`. */
export interface Referent {
  kind: FoundResource['kind'];
  words: readonly string[];
}

const KINDS = Object.keys(CONCEPT_OF_KIND) as Referent['kind'][];

/**
 * What a conversation spoke of, the latest first. On the page of a resource that is what `it` stands for, unless the
 * question before names another.
 */
export function referentsOf(
  { resourceId }: LocalTurn,
  past: readonly Exchange[],
  things: readonly FoundResource[],
): Referent[] {
  const [latest] = past;
  if (resourceId !== null) return latest ? named(namedIn(latest.asked, things)) : [];
  return past.flatMap((exchange) => {
    const spoken = named(spokenOf(exchange, things));
    return spoken.length > 0 ? spoken : sortsIn(exchange);
  });
}

/** What stands at a place in the latest list. */
export function referentAt(
  place: number | undefined,
  past: readonly Exchange[],
  things: readonly FoundResource[],
): Referent | undefined {
  if (place === undefined) return undefined;
  const lists = past.map(({ answer }) => listedIn(answer, things));
  return named(lists.find(({ length }) => length > 1)?.at(place))[0];
}

export function referentTo({ kind, called }: FoundResource): Referent {
  return { kind, words: normalised(called).split(' ') };
}

function named(thing: FoundResource | undefined): Referent[] {
  return thing ? [referentTo(thing)] : [];
}

function sortsIn({ asked }: Exchange): Referent[] {
  const { kinds, kindWords: words } = partsOf(asked, undefined);
  return KINDS.filter((kind) => kinds.has(CONCEPT_OF_KIND[kind])).map((kind) => ({ kind, words }));
}
