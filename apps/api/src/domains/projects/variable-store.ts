import {
  MAX_VARIABLES,
  type NewVariables,
  referencesIn,
  soleReference,
  type Variable,
  type VariableScope,
} from '@nephos/contracts';
import { atomically, type Database } from '@nephos/db';
import { type Kysely, sql } from 'kysely';
import type { z } from 'zod';
import type { UserContext } from '../../core/context.ts';
import { forbidden, notFound } from '../../core/errors.ts';
import type { SecretsBox } from '../../platform/secrets-box.ts';
import { assertReferable } from './references.ts';

/** What has variables: a project or a group. Whoever makes one has looked whose it is. */
export interface VariableHolder {
  kind: 'project' | 'group';
  id: string;
}

/** Holds the holder's row until the transaction ends; throws 404 where it is not theirs. */
export type Lock = (trx: Kysely<Database>) => Promise<VariableHolder>;

/** A row's columns that are shown. */
interface StoredVariable {
  name: string;
  scope: VariableScope;
  refersTo: string[];
  isReference: boolean;
  updatedAt: string;
}

export const SHOWN = ['name', 'scope', 'refersTo', 'isReference', 'updatedAt'] as const;

export function variableOf({ refersTo, isReference, ...variable }: StoredVariable): Variable {
  return { ...variable, references: refersTo, reference: isReference ? (refersTo[0] ?? null) : null };
}

/** A holder's variables by name, without their values. */
export async function readVariables(db: Kysely<Database>, { kind, id }: VariableHolder): Promise<Variable[]> {
  const rows =
    kind === 'project'
      ? await db
          .selectFrom('projectVariables')
          .select(SHOWN)
          .where('projectId', '=', id)
          .orderBy('name')
          .execute()
      : await db
          .selectFrom('groupVariables')
          .select(SHOWN)
          .where('groupId', '=', id)
          .orderBy('name')
          .execute();
  return rows.map(variableOf);
}

export interface Writing {
  lock: Lock;
  variables: z.output<typeof NewVariables>['variables'];
  /** Which field of the input has the value of the `index`th. */
  field?: (index: number) => string;
}

/**
 * Adds or replaces several, or none where there is no room for all of them, or one refers to what is not there. Answers
 * those, by name.
 */
export async function storeVariables(
  ctx: UserContext,
  secrets: SecretsBox,
  { lock, variables, field = (index) => `variables.${index}.value` }: Writing,
): Promise<Variable[]> {
  if (variables.length === 0) return [];
  return atomically(ctx.db, async (trx) => {
    const holder = await lock(trx);
    await assertReferable(
      { ...ctx, db: trx },
      variables.map(({ value }, index) => ({ value, path: field(index) })),
    );
    const names = new Set(variables.map(({ name }) => name));
    const present = await readVariables(trx, holder);
    if (present.filter(({ name }) => !names.has(name)).length + names.size > MAX_VARIABLES) {
      throw forbidden('QUOTA_EXCEEDED', `A ${holder.kind} can have up to ${MAX_VARIABLES} variables.`);
    }
    const scopes = new Map(present.map(({ name, scope }) => [name, scope]));
    const rows = variables.map(({ name, value, scope = scopes.get(name) ?? 'all' }) => ({
      name,
      scope,
      value: sealVariable(secrets, holder.id, name, value),
      refersTo: referencesIn(value),
      isReference: soleReference(value) !== undefined,
    }));
    return (await writeVariables(trx, holder, rows)).map(variableOf);
  });
}

type NewRow = Omit<StoredVariable, 'updatedAt'> & { value: Buffer };

function writeVariables(
  trx: Kysely<Database>,
  { kind, id }: VariableHolder,
  rows: readonly NewRow[],
): Promise<StoredVariable[]> {
  return kind === 'project'
    ? trx
        .insertInto('projectVariables')
        .values(rows.map((row) => ({ ...row, projectId: id })))
        .onConflict((existing) => existing.columns(['projectId', 'name']).doUpdateSet(replacement))
        .returning(SHOWN)
        .execute()
    : trx
        .insertInto('groupVariables')
        .values(rows.map((row) => ({ ...row, groupId: id })))
        .onConflict((existing) => existing.columns(['groupId', 'name']).doUpdateSet(replacement))
        .returning(SHOWN)
        .execute();
}

/** What a row that has the name already takes from the one that was to be inserted. */
const replacement = {
  value: sql<Buffer>`excluded.value`,
  scope: sql<VariableScope>`excluded.scope`,
  refersTo: sql<string[]>`excluded.refers_to`,
  isReference: sql<boolean>`excluded.is_reference`,
  updatedAt: sql<string>`now()`,
};

/** The one variable that was written. */
export async function writtenAlone(written: Promise<Variable[]>): Promise<Variable> {
  const [variable] = await written;
  if (!variable) throw new Error('a variable was not written');
  return variable;
}

/** Says who is given one from now on. */
export async function storeScope(
  db: Kysely<Database>,
  { kind, id }: VariableHolder,
  { name, scope }: { name: string; scope: VariableScope },
): Promise<Variable> {
  const change = { scope, updatedAt: sql<string>`now()` };
  const row =
    kind === 'project'
      ? await db
          .updateTable('projectVariables')
          .set(change)
          .where('projectId', '=', id)
          .where('name', '=', name)
          .returning(SHOWN)
          .executeTakeFirst()
      : await db
          .updateTable('groupVariables')
          .set(change)
          .where('groupId', '=', id)
          .where('name', '=', name)
          .returning(SHOWN)
          .executeTakeFirst();
  if (!row) throw notFound();
  return variableOf(row);
}

export async function dropVariable(
  db: Kysely<Database>,
  { kind, id }: VariableHolder,
  name: string,
): Promise<{ success: true }> {
  const { numDeletedRows } =
    kind === 'project'
      ? await db
          .deleteFrom('projectVariables')
          .where('projectId', '=', id)
          .where('name', '=', name)
          .executeTakeFirst()
      : await db
          .deleteFrom('groupVariables')
          .where('groupId', '=', id)
          .where('name', '=', name)
          .executeTakeFirst();
  if (numDeletedRows === 0n) throw notFound();
  return { success: true };
}

/** Opens what `holderId` has under a name. Never for an answer. */
export function openVariable(secrets: SecretsBox, holderId: string, name: string, sealed: Buffer): string {
  return secrets.open(sealed, contextOf(holderId, name));
}

/** Seals for `holderId` what `openVariable` opens. */
export function sealVariable(secrets: SecretsBox, holderId: string, name: string, value: string): Buffer {
  return secrets.seal(value, contextOf(holderId, name));
}

/** Ties a sealed value to its place: copied to another holder or name, it does not open. */
function contextOf(holderId: string, name: string): string {
  return `${holderId}:${name}`;
}
