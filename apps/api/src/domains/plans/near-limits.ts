import { LIMITED, type Limited } from '@nephos/contracts/constants';
import { type RawBuilder, sql } from 'kysely';
import { COUNTED, STANDARD } from './limits.ts';
import { heldBy, leastHeld, type Plans } from './plan.ts';
import { IN_FORCE } from './standing.ts';

/** Previews go by themselves, and who makes a workspace sees how many there may be. */
const UNTOLD = ['previews', 'workspaces'] as const;

/** What is told of when it is nearly reached. */
export type ToldLimit = Exclude<Limited, (typeof UNTOLD)[number]>;

const TOLD = LIMITED.filter((of): of is ToldLimit => !UNTOLD.some((untold) => untold === of));

/** How much of something an owner has that is limited. */
export interface LimitedUse {
  ownerId: string;
  of: ToldLimit;
  used: number;
  limit: number;
  setByAdmin: boolean;
}

/** How near a limit is near: at this share of it, or with less room than this. */
export interface Nearness {
  share: number;
  room: number;
}

interface Row {
  ownerId: string;
  used: number;
  set: number | null;
  planTier: Parameters<typeof heldBy>[1] | null;
}

/**
 * Of all workspaces those that are near what they may have, by the figures that refusals go by: a statement
 * for each thing that is limited.
 */
export async function readNearLimits(plans: Plans, near: Nearness): Promise<LimitedUse[]> {
  const uses: LimitedUse[] = [];
  for (const of of TOLD) {
    for (const { ownerId, used, set, planTier } of await readNear(plans, of, near)) {
      const limit = set ?? limitIn(plans, of, planTier ?? undefined);
      if (limit !== null && isNear({ used, limit }, near))
        uses.push({ ownerId, of, used, limit, setByAdmin: set !== null });
    }
  }
  return uses;
}

export function isNear(
  { used, limit }: Pick<LimitedUse, 'used' | 'limit'>,
  { share, room }: Nearness,
): boolean {
  return used >= limit * share || used > limit - room;
}

/** What nobody has set; null: any number. */
function limitIn(
  { settings }: Pick<Plans, 'settings'>,
  of: ToldLimit,
  planTier: Parameters<typeof heldBy>[1],
) {
  if (of !== 'projects' && of !== 'storage') return STANDARD[of];
  const { deployments, storage } = heldBy(settings, planTier);
  return of === 'projects' ? deployments : storage;
}

/** Whoever may be near a limit: who has no plan of their own is taken to have the smallest. */
async function readNear({ db, settings }: Plans, of: ToldLimit, { share, room }: Nearness): Promise<Row[]> {
  const least = of === 'projects' || of === 'storage' ? leastHeld(settings)[of] : STANDARD[of];
  const most = sql`coalesce(${sql.ref(`limits.${of}`)}, ${least}::float8)`;
  const { rows } = await sql<Row>`
    select workspaces.id as owner_id, used, ${sql.ref(`limits.${of}`)} as set, plan_tier
    from (${usesOf(of)}) as uses
    join workspaces on workspaces.id = uses.owner_id and closing_since is null
    left join workspace_limits as limits on limits.owner_id = uses.owner_id
    left join (select user_id, plan_tier from subscriptions where ${IN_FORCE}) as plans on plans.user_id = uses.owner_id
    where used > 0 and (used >= ${most} * ${share}::float8 or used > ${most} - ${room}::float8)
    order by workspaces.id`.execute(db);
  return rows;
}

function usesOf(of: ToldLimit): RawBuilder<unknown> {
  if (of === 'storage') {
    return sql`
      select workspaces.id as owner_id, (stored + unfinished)::float8 as used
      from workspaces, lateral storage_of(workspaces.id)`;
  }
  const { table, only = sql`true` } = COUNTED[of];
  return sql`select owner_id, count(*)::float8 as used from ${sql.table(table)} where ${only} group by owner_id`;
}
