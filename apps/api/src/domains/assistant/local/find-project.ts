import type { Project } from '@nephos/contracts';
import { findNamed } from './find-named.ts';
import type { LocalTurn } from './intent.ts';
import { PAGE_ROWS, type Reading, read } from './read.ts';

/** The person's newest projects, and the one of them that the question or the page is about. */
export async function* findProject(
  turn: LocalTurn,
): Reading<{ projects: Project[]; project: Project | undefined }> {
  const projects = yield* read(turn, ['projects', 'list'], { limit: PAGE_ROWS });
  const named = findNamed(turn.asked, projects, ({ name, slug }) => [name, slug]);
  const project = named ?? projects.find(({ id }) => id === turn.resourceId);
  return { projects, project };
}

/** When something of the project happened last, as text that sorts. */
export function lastTouched({ latestDeployment, createdAt }: Project): string {
  return latestDeployment?.createdAt ?? createdAt;
}
