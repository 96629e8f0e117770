import type {
  contract,
  NewVariable,
  NewVariables,
  Variable,
  VariableGroup,
  VariableScopeChange,
} from '@nephos/contracts';
import { MAX_VARIABLE_GROUPS } from '@nephos/contracts';
import { atomically } from '@nephos/db';
import type { z } from 'zod';
import type { UserContext } from '../../core/context.ts';
import { conflict, notFound } from '../../core/errors.ts';
import { assertRoom, lockAccount } from '../../platform/account-lock.ts';
import type { SecretsBox } from '../../platform/secrets-box.ts';
import {
  dropVariable,
  storeScope,
  storeVariables,
  type VariableHolder,
  writtenAlone,
} from '../projects/variable-store.ts';
import { assertGroup, findGroup, groupRowsOf, groupsOf } from './read.ts';

type NewGroup = z.output<typeof contract.variableGroups.create.input>;

const holderOf = (id: string): VariableHolder => ({ kind: 'group', id });
const taken = (name: string) => conflict('EXISTS', `You already have a variable group named ${name}.`);

export async function listGroups({ db, ownerId }: UserContext): Promise<VariableGroup[]> {
  return groupsOf(db, await groupRowsOf(db, ownerId).orderBy('name').orderBy('id').execute());
}

export function getGroup({ db, ownerId }: UserContext, id: string): Promise<VariableGroup> {
  return findGroup(db, ownerId, id);
}

/** Makes one with its variables, or not at all. Throws 403 PLAN_LIMIT_REACHED and 409 EXISTS. */
export async function createGroup(
  ctx: UserContext,
  secrets: SecretsBox,
  { name, variables }: NewGroup,
): Promise<VariableGroup> {
  const { ownerId } = ctx;
  return atomically(ctx.db, async (trx) => {
    await assertRoom(trx, ownerId, {
      table: 'variableGroups',
      most: MAX_VARIABLE_GROUPS,
      refusal: `You can have up to ${MAX_VARIABLE_GROUPS} variable groups. Delete one first.`,
    });
    const group = await trx
      .insertInto('variableGroups')
      .values({ ownerId, name })
      .onConflict((conflicting) => conflicting.columns(['ownerId', 'name']).doNothing())
      .returning('id')
      .executeTakeFirst();
    if (!group) throw taken(name);
    const lock = async () => holderOf(group.id);
    await storeVariables({ ...ctx, db: trx }, secrets, { lock, variables });
    return findGroup(trx, ownerId, group.id);
  });
}

/** Throws 404, and 409 EXISTS where another one has the name. */
export async function renameGroup(
  { db, ownerId }: UserContext,
  { id, name }: { id: string; name: string },
): Promise<VariableGroup> {
  return atomically(db, async (trx) => {
    await lockAccount(trx, ownerId);
    const other = await groupRowsOf(trx, ownerId).where('name', '=', name).executeTakeFirst();
    if (other && other.id !== id) throw taken(name);
    await trx
      .updateTable('variableGroups')
      .set({ name })
      .where('ownerId', '=', ownerId)
      .where('id', '=', id)
      .execute();
    return findGroup(trx, ownerId, id);
  });
}

export async function removeGroup({ db, ownerId }: UserContext, id: string): Promise<{ success: true }> {
  const { numDeletedRows } = await db
    .deleteFrom('variableGroups')
    .where('ownerId', '=', ownerId)
    .where('id', '=', id)
    .executeTakeFirst();
  if (numDeletedRows === 0n) throw notFound();
  return { success: true };
}

/** Adds or replaces several, or none where one is refused. Answers those, by name. */
export function setGroupVariables(
  ctx: UserContext,
  secrets: SecretsBox,
  { id, variables }: z.output<typeof NewVariables>,
): Promise<Variable[]> {
  return storeVariables(ctx, secrets, { lock: lockOf(ctx, id), variables });
}

export function setGroupVariable(
  ctx: UserContext,
  secrets: SecretsBox,
  { id, ...variable }: z.output<typeof NewVariable>,
): Promise<Variable> {
  return writtenAlone(
    storeVariables(ctx, secrets, { lock: lockOf(ctx, id), variables: [variable], field: () => 'value' }),
  );
}

export async function scopeGroupVariable(
  { db, ownerId }: UserContext,
  { id, ...change }: z.output<typeof VariableScopeChange>,
): Promise<Variable> {
  await assertGroup(db, ownerId, id);
  return storeScope(db, holderOf(id), change);
}

export async function removeGroupVariable(
  { db, ownerId }: UserContext,
  { id, name }: { id: string; name: string },
): Promise<{ success: true }> {
  await assertGroup(db, ownerId, id);
  return dropVariable(db, holderOf(id), name);
}

function lockOf({ ownerId }: UserContext, id: string) {
  return async (trx: UserContext['db']): Promise<VariableHolder> => {
    const group = await groupRowsOf(trx, ownerId).where('id', '=', id).forNoKeyUpdate().executeTakeFirst();
    if (!group) throw notFound();
    return holderOf(id);
  };
}
