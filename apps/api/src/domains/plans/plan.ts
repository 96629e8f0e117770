import { NO_PLAN, PLANS, type Plan, type PlanTier } from '@nephos/contracts/constants';
import type { Database } from '@nephos/db';
import { type Kysely, sql } from 'kysely';
import type { Settings } from '../../core/settings.ts';
import { readSetLimits, type SetLimits } from './limits.ts';
import { IN_FORCE, IS_PAID } from './standing.ts';

/** What plans are told by. */
export interface Plans {
  db: Kysely<Database>;
  settings: Pick<Settings, 'billing'>;
}

/** What a plan holds: `deployments` is null and `storage` infinite for any number. */
type Held = Pick<Plan, 'name' | 'deployments' | 'storage'>;

/** What an account may have. */
export interface Allowance extends Held {
  /** What of it an administrator set in the place of the plan's. */
  set: SetLimits;
  standard: Held;
}

const UNLIMITED: Held = { name: NO_PLAN, deployments: null, storage: Number.POSITIVE_INFINITY };

/**
 * The plan whose limits an account has, but for those that an administrator set: that of its subscription, also while a
 * renewal is past due; without one, those of the smallest plan. No plan limits anything where billing is switched off.
 */
export async function planOf(plans: Plans, userId: string): Promise<Allowance> {
  const { name, deployments, storage } = await heldOf(plans, userId);
  const set = await readSetLimits(plans.db, userId);
  return {
    ...{ name, set, standard: { name, deployments, storage } },
    deployments: set.projects ?? deployments,
    storage: set.storage ?? storage,
  };
}

async function heldOf({ db, settings }: Plans, userId: string): Promise<Held> {
  if (!settings.billing) return heldBy(settings, undefined);
  const subscription = await db
    .selectFrom('subscriptions')
    .select('planTier')
    .where('userId', '=', userId)
    .where(IN_FORCE)
    .executeTakeFirst();
  return heldBy(settings, subscription?.planTier);
}

/** What the plan holds that somebody subscribes to, or who has none the smallest. */
export function heldBy({ billing }: Plans['settings'], planTier: PlanTier | undefined): Held {
  return billing ? PLANS[planTier ?? 'starter'] : UNLIMITED;
}

/** The least that any plan holds; null: no plan limits anything. */
export function leastHeld({ billing }: Plans['settings']): Record<'projects' | 'storage', number | null> {
  if (!billing) return { projects: null, storage: null };
  const all: Plan[] = Object.values(PLANS);
  return {
    projects: Math.min(...all.map(({ deployments }) => deployments ?? Number.POSITIVE_INFINITY)),
    storage: Math.min(...all.map(({ storage }) => storage)),
  };
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
