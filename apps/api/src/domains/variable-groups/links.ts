import { MAX_LINKED_GROUPS, type VariableGroup } from '@nephos/contracts';
import { atomically } from '@nephos/db';
import type { UserContext } from '../../core/context.ts';
import { forbidden, notFound } from '../../core/errors.ts';
import { assertProject, lockProject } from '../projects/read.ts';
import { assertGroup, groupRowsOf, groupsOf } from './read.ts';

interface Link {
  /** The project's. */
  id: string;
  groupId: string;
}

/** The groups of a project in the order of linking. */
export async function groupsOfProject({ db, ownerId }: UserContext, id: string): Promise<VariableGroup[]> {
  await assertProject(db, ownerId, id);
  const rows = await groupRowsOf(db, ownerId)
    .innerJoin('projectVariableGroups', 'groupId', 'variableGroups.id')
    .where('projectId', '=', id)
    .orderBy('position')
    .execute();
  return groupsOf(db, rows);
}

/** Links a group as the last one, whose variables win over those of earlier ones. Answers the project's groups. */
export async function linkGroup(ctx: UserContext, { id, groupId }: Link): Promise<VariableGroup[]> {
  const { ownerId } = ctx;
  return atomically(ctx.db, async (trx) => {
    if (!(await lockProject(trx, ownerId, id))) throw notFound();
    await assertGroup(trx, ownerId, groupId);
    await trx
      .deleteFrom('projectVariableGroups')
      .where('projectId', '=', id)
      .where('groupId', '=', groupId)
      .execute();
    const linked = await groupsOfProject({ ...ctx, db: trx }, id);
    if (linked.length >= MAX_LINKED_GROUPS) {
      throw forbidden('QUOTA_EXCEEDED', `A project can have up to ${MAX_LINKED_GROUPS} variable groups.`);
    }
    await trx.insertInto('projectVariableGroups').values({ projectId: id, groupId }).execute();
    return groupsOfProject({ ...ctx, db: trx }, id);
  });
}

/** Throws 404 where the group is not linked. */
export async function unlinkGroup(
  { db, ownerId }: UserContext,
  { id, groupId }: Link,
): Promise<{ success: true }> {
  await assertProject(db, ownerId, id);
  const { numDeletedRows } = await db
    .deleteFrom('projectVariableGroups')
    .where('projectId', '=', id)
    .where('groupId', '=', groupId)
    .executeTakeFirst();
  if (numDeletedRows === 0n) throw notFound();
  return { success: true };
}
