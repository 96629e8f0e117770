import type { NewVariable, NewVariables, Variable, VariableScopeChange } from '@nephos/contracts';
import type { z } from 'zod';
import type { UserContext } from '../../core/context.ts';
import { notFound } from '../../core/errors.ts';
import type { SecretsBox } from '../../platform/secrets-box.ts';
import { assertProject, lockProject } from './read.ts';
import {
  dropVariable,
  readVariables,
  storeScope,
  storeVariables,
  type VariableHolder,
  writtenAlone,
} from './variable-store.ts';

const holderOf = (id: string): VariableHolder => ({ kind: 'project', id });

/** A project's own variables by name, without their values. */
export async function listVariables({ db, ownerId }: UserContext, id: string): Promise<Variable[]> {
  await assertProject(db, ownerId, id);
  return readVariables(db, holderOf(id));
}

/** Adds or replaces one; a project can have up to 100. */
export function setVariable(
  ctx: UserContext,
  secrets: SecretsBox,
  { id, ...variable }: z.output<typeof NewVariable>,
): Promise<Variable> {
  return writtenAlone(
    storeVariables(ctx, secrets, {
      lock: lockOf(ctx, id),
      variables: [variable],
      field: () => 'value',
    }),
  );
}

/** Adds or replaces several, or none where one is refused. Answers those, by name. */
export function setVariables(
  ctx: UserContext,
  secrets: SecretsBox,
  { id, variables }: z.output<typeof NewVariables>,
): Promise<Variable[]> {
  return storeVariables(ctx, secrets, { lock: lockOf(ctx, id), variables });
}

export async function scopeVariable(
  { db, ownerId }: UserContext,
  { id, ...change }: z.output<typeof VariableScopeChange>,
): Promise<Variable> {
  await assertProject(db, ownerId, id);
  return storeScope(db, holderOf(id), change);
}

export async function removeVariable(
  { db, ownerId }: UserContext,
  { id, name }: { id: string; name: string },
): Promise<{ success: true }> {
  await assertProject(db, ownerId, id);
  return dropVariable(db, holderOf(id), name);
}

function lockOf({ ownerId }: UserContext, id: string) {
  return async (trx: UserContext['db']): Promise<VariableHolder> => {
    if (!(await lockProject(trx, ownerId, id))) throw notFound();
    return holderOf(id);
  };
}
