import { LIMITED, NO_PLAN, PLANS, type Plan, type PlanTier } from '@nephos/contracts/constants';
import { type Database, type Parameter, prepare } from '@nephos/db';
import { type Expression, type Kysely, sql } from 'kysely';
import type { Settings } from '../../core/settings.ts';
import { NO_LIMITS, type SetLimits } from './limits.ts';
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

/** What a workspace's plan is told by, in one row: the tier that it subscribes to, and the limits that an admin set. */
export function planRows(db: Kysely<Database>, userId: Expression<string>) {
  return db
    .selectFrom('workspaces')
    .leftJoin('subscriptions', (join) =>
      join.onRef('subscriptions.userId', '=', 'workspaces.id').on(IN_FORCE),
    )
    .leftJoin('workspaceLimits', 'workspaceLimits.ownerId', 'workspaces.id')
    .select('subscriptions.planTier')
    .select(LIMITED.map((name) => `workspaceLimits.${name}` as const))
    .where('workspaces.id', '=', userId);
}

const plan = prepare((db, parameter: Parameter<{ userId: string }>) =>
  planRows(db, parameter('userId')).compile(),
);

/**
 * The plan whose limits an account has, but for those that an administrator set: that of its subscription, also while a
 * renewal is past due; without one, those of the smallest plan. No plan limits anything where billing is switched off.
 */
export async function planOf({ db, settings }: Plans, userId: string): Promise<Allowance> {
  const [row] = await plan(db, { userId });
  return allowanceOf(settings, row);
}

/** What an account may have by its row of `planRows`; without one, what anybody may. */
export function allowanceOf(
  settings: Plans['settings'],
  row: ({ planTier: PlanTier | null } & SetLimits) | undefined,
): Allowance {
  const { planTier, ...set } = row ?? { planTier: null, ...NO_LIMITS };
  const { name, deployments, storage } = heldBy(settings, planTier ?? undefined);
  return {
    ...{ name, set, standard: { name, deployments, storage } },
    deployments: set.projects ?? deployments,
    storage: set.storage ?? storage,
  };
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
