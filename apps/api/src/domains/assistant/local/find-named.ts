import { isNear } from './edit-distance.ts';
import { normalised, type Question } from './question.ts';

/** Letters that a name needs before a typing error in it is forgiven. */
const FORGIVING = 5;

/** The one of `things` that a question names; the longest name first, so that `shop api` is not `shop`. */
export function findNamed<T>(
  { words }: Question,
  things: readonly T[],
  namesOf: (thing: T) => readonly string[],
): T | undefined {
  const text = ` ${words.join(' ')} `;
  const named = things
    .flatMap((thing) => namesOf(thing).map((name) => ({ thing, name: normalised(name) })))
    .filter(({ name }) => name !== '')
    .sort((a, b) => b.name.length - a.name.length);
  const exact = named.find(({ name }) => text.includes(` ${name} `));
  const near = () =>
    named.find(({ name }) => name.length >= FORGIVING && words.some((word) => isNear(word, name, 1)));
  return (exact ?? near())?.thing;
}
