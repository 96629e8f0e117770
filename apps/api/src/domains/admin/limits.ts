import type { LimitChanges, WorkspaceLimits } from '@nephos/contracts';
import { atomically } from '@nephos/db';
import { sql } from 'kysely';
import type { UserContext } from '../../core/context.ts';
import { notFound } from '../../core/errors.ts';
import type { Settings } from '../../core/settings.ts';
import { lockAccount } from '../../platform/account-lock.ts';
import { readWorkspaceLimits } from '../plans/plan-use.ts';

type Owning = Pick<Settings, 'billing'>;

async function assertOwner({ db }: Pick<UserContext, 'db'>, ownerId: string): Promise<void> {
  const owner = await db.selectFrom('workspaces').select('id').where('id', '=', ownerId).executeTakeFirst();
  if (!owner) throw notFound();
}

/** What an owner has, and may have. Throws 404. */
export async function limitsOf(
  { db }: UserContext,
  settings: Owning,
  ownerId: string,
): Promise<WorkspaceLimits> {
  await assertOwner({ db }, ownerId);
  return readWorkspaceLimits({ db, settings }, ownerId);
}

/** Sets limits, or takes them back, for the next thing that is made; what is there stays. Throws 404. */
export function changeLimits(
  { db, user }: UserContext,
  settings: Owning,
  { ownerId, ...changes }: LimitChanges & { ownerId: string },
): Promise<WorkspaceLimits> {
  return atomically(db, async (trx) => {
    await assertOwner({ db: trx }, ownerId);
    await lockAccount(trx, ownerId);
    const set = { ...changes, changedAt: sql<string>`now()`, changedBy: user.id };
    await trx
      .insertInto('workspaceLimits')
      .values({ ownerId, ...set })
      .onConflict((conflicting) => conflicting.column('ownerId').doUpdateSet(set))
      .execute();
    return readWorkspaceLimits({ db: trx, settings }, ownerId);
  });
}
