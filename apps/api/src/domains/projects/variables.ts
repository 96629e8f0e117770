import { MAX_VARIABLES, type NewVariable, type NewVariables, type Variable } from '@nephos/contracts';
import { atomically, type Database } from '@nephos/db';
import { type Kysely, sql } from 'kysely';
import type { z } from 'zod';
import type { UserContext } from '../../core/context.ts';
import { forbidden, notFound } from '../../core/errors.ts';
import type { SecretsBox } from '../../platform/secrets-box.ts';
import { assertProject, lockProject } from './read.ts';

/** A project's variables by name, without their values. */
export async function listVariables({ db, ownerId }: UserContext, projectId: string): Promise<Variable[]> {
  await assertProject(db, ownerId, projectId);
  return db
    .selectFrom('projectVariables')
    .select(['name', 'updatedAt'])
    .where('projectId', '=', projectId)
    .orderBy('name')
    .execute();
}

/** Adds or replaces one; a project can have up to 100. */
export async function setVariable(
  ctx: UserContext,
  secrets: SecretsBox,
  { id, name, value }: z.output<typeof NewVariable>,
): Promise<Variable> {
  const [variable] = await setVariables(ctx, secrets, { id, variables: [{ name, value }] });
  if (!variable) throw new Error('a variable was not written');
  return variable;
}

/** Adds or replaces several, or none where there is no room for all of them. Answers those, by name. */
export async function setVariables(
  { db, ownerId }: UserContext,
  secrets: SecretsBox,
  { id: projectId, variables }: z.output<typeof NewVariables>,
): Promise<Variable[]> {
  return atomically(db, async (trx) => {
    if (!(await lockProject(trx, ownerId, projectId))) throw notFound();
    const names = variables.map(({ name }) => name);
    const others = await trx
      .selectFrom('projectVariables')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .where('projectId', '=', projectId)
      .where('name', 'not in', names)
      .executeTakeFirstOrThrow();
    if (others.count + names.length > MAX_VARIABLES) {
      throw forbidden('QUOTA_EXCEEDED', `A project can have up to ${MAX_VARIABLES} variables.`);
    }
    return trx
      .insertInto('projectVariables')
      .values(
        variables.map(({ name, value }) => ({
          projectId,
          name,
          value: secrets.seal(value, contextOf(projectId, name)),
        })),
      )
      .onConflict((existing) =>
        existing
          .columns(['projectId', 'name'])
          .doUpdateSet(({ ref }) => ({ value: ref('excluded.value'), updatedAt: sql`now()` })),
      )
      .returning(['name', 'updatedAt'])
      .execute();
  });
}

export async function removeVariable(
  { db, ownerId }: UserContext,
  { id: projectId, name }: { id: string; name: string },
): Promise<{ success: true }> {
  await assertProject(db, ownerId, projectId);
  const deleted = await db
    .deleteFrom('projectVariables')
    .where('projectId', '=', projectId)
    .where('name', '=', name)
    .executeTakeFirst();
  if (deleted.numDeletedRows === 0n) throw notFound();
  return { success: true };
}

/** The variables as they are now, still sealed, for a deployment to keep: base64 by name. */
export async function sealedVariables(
  db: Kysely<Database>,
  projectId: string,
): Promise<Record<string, string>> {
  const rows = await db
    .selectFrom('projectVariables')
    .select(['name', 'value'])
    .where('projectId', '=', projectId)
    .execute();
  return Object.fromEntries(rows.map(({ name, value }) => [name, value.toString('base64')]));
}

/** The plain values of what a deployment kept, for its build, its app and their log. Never for an answer. */
export function openVariables(
  secrets: SecretsBox,
  { projectId, variables }: { projectId: string; variables: Record<string, string> },
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(variables).map(([name, sealed]) => [
      name,
      secrets.open(Buffer.from(sealed, 'base64'), contextOf(projectId, name)),
    ]),
  );
}

/** Ties a sealed value to its place: copied to another project or name, it does not open. */
function contextOf(projectId: string, name: string): string {
  return `${projectId}:${name}`;
}
