import { atomically, type Database } from '@nephos/db';
import type { Kysely } from 'kysely';
import { noAudit } from '../../core/call-audit.ts';
import type { UserContext } from '../../core/context.ts';
import { readUser } from '../auth/user-columns.ts';

/** The context of work that is done for someone in the background, as they are now. `db` is no transaction. */
export async function actAs(db: Kysely<Database>, ownerId: string, requestId: string): Promise<UserContext> {
  const user = await readUser(db, ownerId);
  if (!user) throw new Error('the person is gone');
  return {
    user,
    ownerId,
    sessionId: null,
    tokenScope: null,
    db,
    audit: noAudit,
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
