import { isSecretReference, soleReference, type VariableScope } from '@nephos/contracts';
import type { Database } from '@nephos/db';
import type { Selectable } from 'kysely';
import type { SecretsBox } from '../../platform/secrets-box.ts';
import { openVariable } from '../projects/variable-store.ts';

type Values = Record<string, string>;

/** What a deployment's row keeps of its variables. */
export type KeptRow = Pick<
  Selectable<Database['deployments']>,
  'projectId' | 'variables' | 'variableScopes' | 'resolvedVariables'
>;

/** A variable as it was when the deployment was queued: its references are not resolved. */
export interface KeptVariable {
  name: string;
  scope: VariableScope;
  text: string;
}

/** The plain values of what a deployment kept. Never for an answer. */
export interface OpenedVariables {
  /** What the app is given. */
  variables: Values;
  buildVariables: Values;
  /** What must not be readable in its log. */
  secrets: string[];
}

export function keptVariables(secrets: SecretsBox, row: KeptRow): KeptVariable[] {
  const { projectId, variables, variableScopes } = row;
  return Object.entries(variables).map(([name, sealed]) => ({
    name,
    scope: variableScopes[name] ?? 'all',
    text: openVariable(secrets, projectId, name, Buffer.from(sealed, 'base64')),
  }));
}

/** The variables with what their references stood for when the deployment was begun. */
export function openVariables(secrets: SecretsBox, row: KeptRow): OpenedVariables {
  const opened: OpenedVariables = { variables: {}, buildVariables: {}, secrets: [] };
  for (const { name, scope, text } of keptVariables(secrets, row)) {
    const resolved = row.resolvedVariables?.[name];
    const value = resolved
      ? openVariable(secrets, row.projectId, name, Buffer.from(resolved, 'base64'))
      : text;
    if (scope !== 'build') opened.variables[name] = value;
    if (scope !== 'run') opened.buildVariables[name] = value;
    const reference = soleReference(text);
    // A host or a port is in many a line of a log, and no secret.
    if (reference === undefined || isSecretReference(reference))
      opened.secrets.push(value, ...passwordsIn(value));
  }
  return opened;
}

/** The passwords of addresses in a value: programs say these by themselves, too. */
function passwordsIn(value: string): string[] {
  return [...value.matchAll(/:\/\/[^\s:@/]*:([^\s@/]+)@/g)].flatMap(([, password = '']) => {
    try {
      return [password, decodeURIComponent(password)];
    } catch {
      return [password];
    }
  });
}
