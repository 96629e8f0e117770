import type {
  AssistantScope,
  ContainerImage,
  FoundResource,
  ManagedDatabase,
  Project,
} from '@nephos/contracts';
import { namedIn } from './question.ts';
import { type Newest, type Reading, read, readNewest, unlessRefused } from './read.ts';
import type { LocalTurn } from './report.ts';

/** What the page is about on which a tab is open. */
const KIND_OF_PAGE: Readonly<Record<AssistantScope, FoundResource['kind']>> = {
  database: 'database',
  container: 'image',
  kubernetes: 'project',
  general: 'project',
};

/** How a kind of resource is found. */
interface Findable<T> {
  kind: FoundResource['kind'];
  newest: Newest<T>;
  namesOf(thing: T): readonly string[];
  get(id: string): Reading<T>;
}

/** The newest of a kind, and the one of all that the question names, or that the page is about. */
export interface Found<T> {
  newest: Newest<T>;
  named: T | undefined;
}

export async function* findProject(turn: LocalTurn): Reading<Found<Project>> {
  return yield* find(turn, {
    kind: 'project',
    newest: yield* readNewest(turn, 'projects'),
    namesOf: ({ name, slug }) => [name, slug, name.replace(/^(?:my|our|the)\s+/i, '')],
    get: (id) => read(turn, ['projects', 'get'], { id }),
  });
}

export async function* findDatabase(turn: LocalTurn): Reading<Found<ManagedDatabase>> {
  return yield* find(turn, {
    kind: 'database',
    newest: yield* readNewest(turn, 'databases'),
    namesOf: ({ name }) => [name],
    get: (id) => read(turn, ['databases', 'get'], { id }),
  });
}

export async function* findImage(turn: LocalTurn): Reading<Found<ContainerImage>> {
  return yield* find(turn, {
    kind: 'image',
    newest: yield* readNewest(turn, 'containers'),
    namesOf: ({ name, tag }) => [`${name}:${tag}`, name, name.split('/').at(-1) ?? ''],
    get: (id) => read(turn, ['containers', 'get'], { id }),
  });
}

/** What a question is about where it names nothing: the only one there is. */
export function onlyOne<T>({ rows, isAll }: Newest<T>): T | undefined {
  return isAll && rows.length === 1 ? rows[0] : undefined;
}

async function* find<T extends { id: string }>(
  turn: LocalTurn,
  { kind, newest, namesOf, get }: Findable<T>,
): Reading<Found<T>> {
  const named = namedIn(turn.words, newest.rows, namesOf);
  if (named) return { newest, named };
  const id = (newest.isAll ? undefined : yield* idNamed(turn, kind)) ?? idOfPage(turn, kind);
  if (id === undefined) return { newest, named: undefined };
  const listed = newest.rows.find((row) => row.id === id);
  return { newest, named: listed ?? (yield* unlessRefused(get(id))) };
}

/** Finds by name what the first page does not have. */
async function* idNamed(turn: LocalTurn, kind: FoundResource['kind']): Reading<string | undefined> {
  const text = turn.words.join(' ');
  if (text === '') return undefined;
  const things = yield* read(turn, ['assistant', 'find'], { text });
  const ofKind = things.filter((thing) => thing.kind === kind);
  return namedIn(turn.words, ofKind, ({ called }) => [called])?.id;
}

function idOfPage({ scope, resourceId }: LocalTurn, kind: FoundResource['kind']): string | undefined {
  return KIND_OF_PAGE[scope] === kind ? (resourceId ?? undefined) : undefined;
}
