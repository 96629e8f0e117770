import { PLANS, type Plan } from '@nephos/contracts/constants';
import type { Database } from '@nephos/db';
import { type Kysely, sql } from 'kysely';
import type { Settings } from '../../core/env.ts';
import { IN_FORCE, IS_PAID } from './standing.ts';

/** What plans are told by. */
export interface Plans {
  db: Kysely<Database>;
  settings: Pick<Settings, 'billing'>;
}

/** What an account may have: `deployments` is null and `storage` infinite for any number. */
export type Allowance = Pick<Plan, 'name' | 'deployments' | 'storage'>;

const UNLIMITED: Allowance = { name: 'Unlimited', deployments: null, storage: Number.POSITIVE_INFINITY };

/**
 * The plan whose limits an account has: that of its subscription, also while a renewal is past due; without one, those
 * of the smallest plan. No limits where billing is switched off.
 */
export async function planOf({ db, settings }: Plans, userId: string): Promise<Allowance> {
  if (!settings.billing) return UNLIMITED;
  const subscription = await db
    .selectFrom('subscriptions')
    .select('planTier')
    .where('userId', '=', userId)
    .where(IN_FORCE)
    .executeTakeFirst();
  return PLANS[subscription?.planTier ?? 'starter'];
}

/**
 * Whether what a workspace has is a trial: it lasts, by the database's clock, and no subscription is in its place. The
 * trial is its person's: only a personal workspace has one.
 */
export async function isOnTrial({ db, settings }: Plans, userId: string): Promise<boolean> {
  if (!settings.billing) return false;
  const user = await db
    .selectFrom('users')
    .select('id')
    .where('id', '=', userId)
    .where(sql<boolean>`trial_end_date > now()`)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('subscriptions')
            .select('subscriptions.id')
            .where('subscriptions.userId', '=', userId)
            .where(IN_FORCE),
        ),
      ),
    )
    .executeTakeFirst();
  return user !== undefined;
}

/**
 * Whether someone may install marketplace items: while their trial lasts, or a subscription that is paid for, both by
 * the database's clock. Always where billing is switched off.
 */
export async function mayInstall({ db, settings }: Plans, userId: string): Promise<boolean> {
  if (!settings.billing) return true;
  const workspace = await db
    .selectFrom('workspaces')
    .leftJoin('users', 'users.id', 'workspaces.id')
    .select(({ exists, selectFrom }) => [
      sql<boolean>`coalesce(trial_end_date > now(), false)`.as('inTrial'),
      exists(
        selectFrom('subscriptions')
          .select('subscriptions.id')
          .where('subscriptions.userId', '=', userId)
          .where(IS_PAID),
      ).as('subscribed'),
    ])
    .where('workspaces.id', '=', userId)
    .executeTakeFirst();
  return workspace !== undefined && (workspace.inTrial || Boolean(workspace.subscribed));
}
