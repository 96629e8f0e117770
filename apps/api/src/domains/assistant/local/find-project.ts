import type { Project } from '@nephos/contracts';
import { findAmongAll } from './find-named.ts';
import type { LocalTurn } from './intent.ts';
import { idOfPage } from './page.ts';
import { type Reading, read, readNewest, unlessRefused } from './read.ts';

/** The person's newest projects, and the one of all that the question or the page is about. */
export async function* findProject(
  turn: LocalTurn,
): Reading<{ projects: readonly Project[]; project: Project | undefined }> {
  const newest = yield* readNewest(turn, 'projects');
  const get = ({ id }: { id: string }) => unlessRefused(read(turn, ['projects', 'get'], { id }));
  const named = yield* findAmongAll(turn, { newest, kind: 'project', namesOf, get });
  const ofPage = idOfPage(turn, 'project');
  const project =
    named ?? newest.rows.find(({ id }) => id === ofPage) ?? (ofPage ? yield* get({ id: ofPage }) : undefined);
  return { projects: newest.rows, project };
}

/** What people call a project: `My Shop` is the shop, too. */
function namesOf({ name, slug }: Project): string[] {
  return [name, slug, name.replace(/^(?:my|our|the)\s+/i, '')];
}

/** When something of the project happened last, as text that sorts. */
function lastTouched({ latestDeployment, createdAt }: Project): string {
  return latestDeployment?.createdAt ?? createdAt;
}

/** The one of which something happened last. */
export function latestOf(projects: readonly Project[]): Project | undefined {
  return projects.toSorted((a, b) => (lastTouched(a) < lastTouched(b) ? 1 : -1))[0];
}
