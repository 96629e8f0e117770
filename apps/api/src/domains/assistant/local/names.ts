import { CONCEPT_OF_KIND } from './concept-of-kind.ts';
import type { Concept } from './concepts.ts';
import { findDatabase } from './find-database.ts';
import { findImage } from './find-image.ts';
import { findNamed } from './find-named.ts';
import { findProject } from './find-project.ts';
import type { LocalTurn } from './intent.ts';
import { kindOfPage } from './page.ts';
import type { Question } from './question.ts';
import { type Reading, read } from './read.ts';

/**
 * The question with what it names by name: `shop` stands for a project where the person has one that is called so, and
 * `it` for what the page is about. Where nothing was understood, no name helps, and nothing is looked up.
 */
export async function* withNames(turn: LocalTurn): Reading<Question> {
  const { asked } = turn;
  if (asked.concepts.size === 0) return asked;
  const ofPage = kindOfPage(turn);
  const named = ofPage ? [ofPage] : yield* conceptsNamed(turn);
  return { ...asked, concepts: new Set([...asked.concepts, ...named]) };
}

async function* conceptsNamed(turn: LocalTurn): Reading<Concept[]> {
  const things = yield* read(turn, ['assistant', 'find'], { text: turn.asked.text });
  const named = things.filter((thing) => findNamed(turn.asked, [thing], ({ called }) => [called]));
  const kinds = new Set(named.map(({ kind }) => kind));
  // An address says more than the word in it that is also a project's name.
  if (kinds.has('domain')) kinds.delete('project');
  return kinds.size > 0 ? [...kinds].map((kind) => CONCEPT_OF_KIND[kind]) : yield* conceptsMisspelled(turn);
}

async function* conceptsMisspelled(turn: LocalTurn): Reading<Concept[]> {
  const { project } = yield* findProject(turn);
  const { named: database } = yield* findDatabase(turn);
  const { named: image } = yield* findImage(turn);
  const found = { project, database, image };
  return (['project', 'database', 'image'] as const).filter((kind) => found[kind] !== undefined);
}
