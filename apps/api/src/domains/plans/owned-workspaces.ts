import type { WorkspaceLimits } from '@nephos/contracts';
import { MAX_OWNED_WORKSPACES, UNPAID_WORKSPACES } from '@nephos/contracts';
import type { Database } from '@nephos/db';
import { type Kysely, type RawBuilder, sql } from 'kysely';
import { conflict } from '../../core/errors.ts';
import { readSetLimits } from './limits.ts';
import type { Plans } from './plan.ts';
import { IN_FORCE } from './standing.ts';

/** Whether a row of `workspaces` counts. */
function counts({ billing }: Plans['settings']): RawBuilder<boolean> {
  if (!billing) return sql`true`;
  return sql`not exists (select from subscriptions where subscriptions.user_id = workspaces.id and ${IN_FORCE})`;
}

/**
 * Shared workspaces that somebody owns, and may. Where plans are sold, each has the limits of the smallest one for
 * nothing, so those that have a subscription do not count.
 */
export async function readOwnedWorkspaces(
  { db, settings }: Plans,
  userId: string,
): Promise<WorkspaceLimits['limits']['workspaces']> {
  const { used } = await db
    .selectFrom('workspaceMembers')
    .innerJoin('workspaces', 'workspaces.id', 'workspaceId')
    .select(({ fn }) => fn.countAll<number>().as('used'))
    .where('workspaceMembers.userId', '=', userId)
    .where('role', '=', 'owner')
    .where('personal', '=', false)
    .where(counts(settings))
    .executeTakeFirstOrThrow();
  const { workspaces: set } = await readSetLimits(db, userId);
  return { used, standard: settings.billing ? UNPAID_WORKSPACES : MAX_OWNED_WORKSPACES, set };
}

/** Holds back whoever else makes the person an owner, until the transaction ends. Taken after all other locks. */
async function lockOwner(trx: Kysely<Database>, userId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('owner:' || ${userId}, 0))`.execute(trx);
}

async function countThose({ db, settings }: Plans, ids: readonly string[]): Promise<number> {
  const { those } = await db
    .selectFrom('workspaces')
    .select(({ fn }) => fn.countAll<number>().as('those'))
    .where('id', '=', sql<string>`any(${ids}::uuid[])`)
    .where(counts(settings))
    .executeTakeFirstOrThrow();
  return those;
}

interface NewOwner {
  userId: string;
  /** Of somebody else than the caller. */
  email?: string;
  /** Ids of the workspaces that they are to own; absent: one that has no plan yet. */
  gets?: readonly string[];
}

/** Throws 409 LIMIT where somebody may not own so many more shared workspaces. */
export async function assertMayOwn(plans: Plans, { userId, email, gets }: NewOwner): Promise<void> {
  await lockOwner(plans.db, userId);
  const adding = gets ? await countThose(plans, gets) : 1;
  if (adding === 0) return;
  const { used, standard, set } = await readOwnedWorkspaces(plans, userId);
  const most = set ?? standard ?? Number.POSITIVE_INFINITY;
  if (used + adding <= most) return;
  const counted = plans.settings.billing ? ' without a plan' : '';
  throw conflict(
    'LIMIT',
    email === undefined
      ? `You own ${used} of ${most} workspaces${counted}. Delete one first, or ask an admin for more.`
      : `${email} owns ${used} of ${most} workspaces${counted}, and this would add ${adding}. An admin can allow more.`,
  );
}
