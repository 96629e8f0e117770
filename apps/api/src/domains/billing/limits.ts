import { MAX_DATABASES, type PlanUse } from '@nephos/contracts';
import type { UserContext } from '../../context.ts';
import { countOwned } from '../auth/count-owned.ts';
import { readQuota } from './storage-quota.ts';

/** What the signed-in person may have, and has: the same figures that refusals go by. */
export async function readLimits({ db, user, settings }: UserContext): Promise<PlanUse> {
  const { plan, used } = await readQuota({ db, settings }, user.id);
  return {
    plan: plan.name,
    projects: { used: await countOwned(db, 'projects', user.id), limit: plan.deployments },
    databases: { used: await countOwned(db, 'managedDatabases', user.id), limit: MAX_DATABASES },
    storage: { used, limit: Number.isFinite(plan.storage) ? plan.storage : null },
  };
}
