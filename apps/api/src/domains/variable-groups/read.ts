import type { VariableGroup } from '@nephos/contracts';
import type { Database } from '@nephos/db';
import type { Kysely } from 'kysely';
import { notFound } from '../../core/errors.ts';
import { SHOWN, variableOf } from '../projects/variable-store.ts';

/** Someone's groups. */
export function groupRowsOf(db: Kysely<Database>, ownerId: string) {
  return db
    .selectFrom('variableGroups')
    .select(['variableGroups.id', 'variableGroups.name', 'variableGroups.createdAt'])
    .where('variableGroups.ownerId', '=', ownerId);
}

type GroupRow = Awaited<ReturnType<ReturnType<typeof groupRowsOf>['execute']>>[number];

/** Groups as the contract shows them, in the same order. */
export async function groupsOf(db: Kysely<Database>, rows: readonly GroupRow[]): Promise<VariableGroup[]> {
  const ids = rows.map(({ id }) => id);
  if (ids.length === 0) return [];
  const variables = await db
    .selectFrom('groupVariables')
    .select(['groupId', ...SHOWN])
    .where('groupId', 'in', ids)
    .orderBy('name')
    .execute();
  const projects = await db
    .selectFrom('projectVariableGroups')
    .innerJoin('projects', 'projects.id', 'projectVariableGroups.projectId')
    .select(['groupId', 'projects.id', 'projects.name'])
    .where('groupId', 'in', ids)
    .orderBy('projects.name')
    .execute();
  const variablesByGroup = Map.groupBy(variables, ({ groupId }) => groupId);
  const projectsByGroup = Map.groupBy(projects, ({ groupId }) => groupId);
  return rows.map((row) => ({
    ...row,
    variables: (variablesByGroup.get(row.id) ?? []).map(({ groupId: _, ...variable }) =>
      variableOf(variable),
    ),
    projects: (projectsByGroup.get(row.id) ?? []).map(({ id, name }) => ({ id, name })),
  }));
}

export async function findGroup(db: Kysely<Database>, ownerId: string, id: string): Promise<VariableGroup> {
  const [group] = await groupsOf(db, await groupRowsOf(db, ownerId).where('id', '=', id).execute());
  if (!group) throw notFound();
  return group;
}

/** Refuses a group that is not theirs as one that is not there. */
export async function assertGroup(db: Kysely<Database>, ownerId: string, id: string): Promise<void> {
  if (!(await groupRowsOf(db, ownerId).where('id', '=', id).executeTakeFirst())) throw notFound();
}
