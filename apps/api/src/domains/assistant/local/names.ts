import type { AssistantScope } from '@nephos/contracts';
import type { Concept } from './concepts.ts';
import { findDatabase } from './find-database.ts';
import { findNamed } from './find-named.ts';
import { findProject } from './find-project.ts';
import type { LocalTurn } from './intent.ts';
import type { Question } from './question.ts';
import { PAGE_ROWS, type Reading, read } from './read.ts';

/** What the page is about, where it is about one thing. */
const SUBJECT: Readonly<Record<AssistantScope, Concept>> = {
  database: 'database',
  container: 'image',
  kubernetes: 'project',
  general: 'project',
};

/**
 * The question with what it names by name: `shop` stands for a project where the person has one that is called so, and
 * `it` for what the page is about. Where nothing was understood, no name helps, and nothing is looked up.
 */
export async function* withNames(turn: LocalTurn): Reading<Question> {
  const { asked, scope, resourceId } = turn;
  if (asked.concepts.size === 0) return asked;
  const named = resourceId === null ? yield* conceptsNamed(turn) : [SUBJECT[scope]];
  return { ...asked, concepts: new Set([...asked.concepts, ...named]) };
}

async function* conceptsNamed(turn: LocalTurn): Reading<Concept[]> {
  const { project } = yield* findProject(turn);
  const { named: database } = yield* findDatabase(turn);
  const zones = yield* read(turn, ['dns', 'zones'], {});
  const zone = findNamed(turn.asked, zones, ({ domain }) => [domain]);
  const images = yield* read(turn, ['containers', 'list'], { limit: PAGE_ROWS });
  const image = findNamed(turn.asked, images, ({ name }) => [name, name.split('/').at(-1) ?? '']);
  const found: readonly (readonly [Concept, unknown])[] = [
    // An address says more than the word in it that is also a project's name.
    ['project', zone ? undefined : project],
    ['database', database],
    ['domain', zone],
    ['image', image],
  ];
  return found.filter(([, thing]) => thing !== undefined).map(([concept]) => concept);
}
