import type { FoundResource } from '@nephos/contracts';
import { isNear } from './edit-distance.ts';
import type { LocalTurn } from './intent.ts';
import { normalised, type Question } from './question.ts';
import { type Newest, type Reading, read } from './read.ts';

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

/** What of a kind there is: its newest, and how to come by any other of them. */
interface Findable<T> {
  newest: Newest<T>;
  kind: FoundResource['kind'];
  namesOf(thing: T): readonly string[];
  /** Nothing where it is gone. */
  get(found: FoundResource): Reading<T | undefined>;
}

/** The one of all that a question names; a typing error is forgiven among the newest. */
export async function* findAmongAll<T extends { id: string }>(
  turn: LocalTurn,
  { newest, kind, namesOf, get }: Findable<T>,
): Reading<T | undefined> {
  if (newest.isAll) return findNamed(turn.asked, newest.rows, namesOf);
  const things = yield* read(turn, ['assistant', 'find'], { text: turn.asked.text });
  const ofKind = things.filter((thing) => thing.kind === kind);
  const found = findNamed(turn.asked, ofKind, ({ called }) => [called]);
  if (!found) return findNamed(turn.asked, newest.rows, namesOf);
  return newest.rows.find(({ id }) => id === found.id) ?? (yield* get(found));
}
