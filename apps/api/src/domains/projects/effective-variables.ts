import type { VariableScope } from '@nephos/contracts';
import type { Database } from '@nephos/db';
import type { Kysely } from 'kysely';
import type { SecretsBox } from '../../platform/secrets-box.ts';
import { openVariable, sealVariable } from './variable-store.ts';

/** A project's variables as a deployment keeps them. */
export interface KeptVariables {
  /** Sealed for the project, in base64 by name; references are not resolved. */
  variables: Record<string, string>;
  /** Of those that are not for build and app both. */
  variableScopes: Record<string, Exclude<VariableScope, 'all'>>;
}

/**
 * The variables that a deployment of the project gets now: its own, and those of its groups. Of the same name, the
 * project's own wins, then that of the group that was linked last.
 */
export async function effectiveVariables(
  db: Kysely<Database>,
  secrets: SecretsBox,
  projectId: string,
): Promise<KeptVariables> {
  const kept: KeptVariables = { variables: {}, variableScopes: {} };
  const keep = (name: string, scope: VariableScope, sealed: Buffer) => {
    kept.variables[name] = sealed.toString('base64');
    if (scope === 'all') delete kept.variableScopes[name];
    else kept.variableScopes[name] = scope;
  };
  const shared = await db
    .selectFrom('projectVariableGroups')
    .innerJoin('groupVariables', 'groupVariables.groupId', 'projectVariableGroups.groupId')
    .select(['groupVariables.groupId', 'name', 'scope', 'value'])
    .where('projectId', '=', projectId)
    .orderBy('position')
    .execute();
  for (const { groupId, name, scope, value } of shared) {
    keep(name, scope, sealVariable(secrets, projectId, name, openVariable(secrets, groupId, name, value)));
  }
  const own = await db
    .selectFrom('projectVariables')
    .select(['name', 'scope', 'value'])
    .where('projectId', '=', projectId)
    .execute();
  for (const { name, scope, value } of own) keep(name, scope, value);
  return kept;
}
