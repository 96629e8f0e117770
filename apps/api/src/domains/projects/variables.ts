import type { NewVariable, Variable } from '@nephos/contracts';
import { atomically, type Database } from '@nephos/db';
import { type Kysely, sql } from 'kysely';
import type { z } from 'zod';
import type { UserContext } from '../../core/context.ts';
import { forbidden, notFound } from '../../core/errors.ts';
import type { SecretsBox } from '../../platform/secrets-box.ts';
import { assertProject, lockProject } from './read.ts';

const MAX_VARIABLES = 100;

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
  { db, ownerId }: UserContext,
  secrets: SecretsBox,
  { id: projectId, name, value }: z.output<typeof NewVariable>,
): Promise<Variable> {
  return atomically(db, async (trx) => {
    if (!(await lockProject(trx, ownerId, projectId))) throw notFound();
    const others = await trx
      .selectFrom('projectVariables')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .where('projectId', '=', projectId)
      .where('name', '<>', name)
      .executeTakeFirstOrThrow();
    if (others.count >= MAX_VARIABLES) {
      throw forbidden('QUOTA_EXCEEDED', `A project can have at most ${MAX_VARIABLES} variables.`);
    }
    const sealed = secrets.seal(value, contextOf(projectId, name));
    return trx
      .insertInto('projectVariables')
      .values({ projectId, name, value: sealed })
      .onConflict((existing) =>
        existing.columns(['projectId', 'name']).doUpdateSet({ value: sealed, updatedAt: sql`now()` }),
      )
      .returning(['name', 'updatedAt'])
      .executeTakeFirstOrThrow();
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
