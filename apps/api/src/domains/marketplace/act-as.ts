import type { Deps, UserContext } from '../../context.ts';
import { trialActive, USER_COLUMNS } from '../auth/user-columns.ts';

/** The context of work that is done for someone in the background, as they are now. */
export async function actAs(deps: Deps, userId: string, requestId: string): Promise<UserContext> {
  const user = await deps.db
    .selectFrom('users')
    .select(USER_COLUMNS)
    .select(trialActive)
    .where('users.id', '=', userId)
    .executeTakeFirstOrThrow();
  return {
    ...deps,
    user,
    sessionId: null,
    tokenScope: null,
    ip: '',
    userAgent: '',
    requestId,
    idempotencyKey: undefined,
    setHeader() {},
    foundExisting() {},
    hangUp() {},
  };
}
