import type { Project } from '@nephos/contracts';
import { findNamed } from './find-named.ts';
import type { LocalTurn } from './intent.ts';
import { PAGE_ROWS, type Reading, read } from './read.ts';

/** The person's newest projects, and the one of them that the question or the page is about. */
export async function* findProject(
  turn: LocalTurn,
): Reading<{ projects: Project[]; project: Project | undefined }> {
  const projects = yield* read(turn, ['projects', 'list'], { limit: PAGE_ROWS });
  const named = findNamed(turn.asked, projects, namesOf);
  const project = named ?? projects.find(({ id }) => id === turn.resourceId);
  return { projects, project };
}

/** What people call a project: `My Shop` is the shop, too. */
function namesOf({ name, slug }: Project): string[] {
  return [name, slug, name.replace(/^(?:my|our|the)\s+/i, '')];
}

/** When something of the project happened last, as text that sorts. */
export function lastTouched({ latestDeployment, createdAt }: Project): string {
  return latestDeployment?.createdAt ?? createdAt;
}
