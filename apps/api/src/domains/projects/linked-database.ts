import {
  DATABASE_VARIABLE,
  DEFAULT_DATABASE_TYPE,
  databaseReference,
  NewDatabase,
  type NewProject,
} from '@nephos/contracts';
import type { z } from 'zod';
import type { UserContext } from '../../core/context.ts';
import { invalid } from '../../core/errors.ts';
import { databasesOf } from '../databases/read.ts';
import { createDatabase } from '../databases/service.ts';
import type { ProjectsParts } from './projects.ts';

type Input = z.output<typeof NewProject>;
type Linking = Pick<Input, 'databaseId' | 'newDatabase'>;

/** Refuses two databases for one variable, and another value for it. */
export function assertOneDatabase({ databaseId, newDatabase, variables = [] }: Input): void {
  if (!databaseId && !newDatabase) return;
  if (databaseId && newDatabase) {
    const message = 'Choose an existing database or create one, not both.';
    throw invalid(message, [{ path: 'databaseId', message }]);
  }
  const index = variables.findIndex(({ name }) => name === DATABASE_VARIABLE);
  if (index < 0) return;
  const message = `${DATABASE_VARIABLE} is set by the database you chose. Remove one of them.`;
  throw invalid(message, [{ path: `variables.${index}.name`, message }]);
}

/** The variable that refers to the database, which is made first where it is a new one. */
export async function linkDatabase(
  ctx: UserContext,
  databases: ProjectsParts['databases'],
  { databaseId, newDatabase }: Linking,
): Promise<NonNullable<Input['variables']>> {
  if (!databaseId && !newDatabase) return [];
  const database = newDatabase
    ? await createDatabase(ctx, databases, NewDatabase.parse({ ...newDatabase, type: DEFAULT_DATABASE_TYPE }))
    : await databasesOf(ctx.db, ctx.ownerId)
        .where('id', '=', databaseId ?? '')
        .executeTakeFirst();
  if (!database) {
    const message = "This database doesn't exist anymore. Choose another one.";
    throw invalid(message, [{ path: 'databaseId', message }]);
  }
  return [{ name: DATABASE_VARIABLE, value: databaseReference(database) }];
}
