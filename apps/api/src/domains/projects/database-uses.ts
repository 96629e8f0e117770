import { sql } from 'kysely';
import type { UserContext } from '../../core/context.ts';
import { findDatabase } from '../databases/read.ts';

/** The projects whose variables refer to a database, their own ones or those of a group, by name. Throws 404. */
export async function projectsOfDatabase(
  { db, ownerId }: UserContext,
  id: string,
): Promise<{ id: string; name: string }[]> {
  const { name } = await findDatabase(db, ownerId, id);
  const uses = refersToOneOf([`databases.${name}.`, `databases.${id}.`]);
  return db
    .selectFrom('projects')
    .select(['projects.id', 'projects.name'])
    .where('projects.ownerId', '=', ownerId)
    .where(({ or, exists, selectFrom }) =>
      or([
        exists(
          selectFrom('projectVariables')
            .select('projectVariables.name')
            .whereRef('projectVariables.projectId', '=', 'projects.id')
            .where(uses),
        ),
        exists(
          selectFrom('projectVariableGroups')
            .innerJoin('groupVariables', 'groupVariables.groupId', 'projectVariableGroups.groupId')
            .select('groupVariables.name')
            .whereRef('projectVariableGroups.projectId', '=', 'projects.id')
            .where(uses),
        ),
      ]),
    )
    .orderBy('projects.name')
    .execute();
}

/** Whether a variable refers to a field of what begins so: a name may have dots itself, and a field has none. */
function refersToOneOf(beginnings: readonly string[]) {
  return sql<boolean>`exists (
    select from unnest(refers_to) path, unnest(${beginnings}::text[]) beginning
    where starts_with(path, beginning) and strpos(substr(path, length(beginning) + 1), '.') = 0
  )`;
}
