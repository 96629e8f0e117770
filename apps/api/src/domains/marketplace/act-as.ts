import { atomically, type Database } from '@nephos/db';
import type { Kysely } from 'kysely';
import type { UserContext } from '../../core/context.ts';
import { readActing } from '../workspaces/acting.ts';

/** The context of work that is done for a workspace in the background, as it is now. `db` is no transaction. */
export async function actAs(db: Kysely<Database>, ownerId: string, requestId: string): Promise<UserContext> {
  const acting = await readActing(db, ownerId);
  if (!acting) throw new Error('the workspace is gone');
  return {
    ...acting,
    ownerId,
    sessionId: null,
    tokenScope: null,
    db,
    afterCommit: (task) => task(),
    signal: undefined,
    requestId,
  };
}

/** Does `work` in a transaction. What the services in it want done after the commit is done then, and only then. */
export async function inTransaction<T>(
  ctx: UserContext,
  work: (inner: UserContext) => Promise<T>,
): Promise<T> {
  let tasks: (() => void)[] = [];
  const result = await atomically(ctx.db, (db) => {
    tasks = [];
    return work({ ...ctx, db, afterCommit: (task) => tasks.push(task) });
  });
  for (const task of tasks) ctx.afterCommit(task);
  return result;
}
