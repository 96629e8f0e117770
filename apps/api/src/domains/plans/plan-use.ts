import type { PlanUse, WorkspaceLimits } from '@nephos/contracts';
import { LIMITED, type Limited } from '@nephos/contracts/constants';
import type { UserContext } from '../../core/context.ts';
import { countLimited, STANDARD } from './limits.ts';
import { isOnTrial, type Plans } from './plan.ts';
import { readQuota } from './storage-quota.ts';

/** What an owner has, and may have: the same figures that refusals go by. */
export async function readWorkspaceLimits(plans: Plans, ownerId: string): Promise<WorkspaceLimits> {
  const { plan, used } = await readQuota(plans, ownerId);
  const { name, deployments, storage } = plan.standard;
  const limit = (of: Limited, use: number, standard: number | null) => ({
    ...{ used: use, standard, set: plan.set[of] },
  });
  const count = (of: Exclude<Limited, 'storage'>) => countLimited(plans.db, of, ownerId);
  return {
    plan: name,
    limits: {
      projects: limit('projects', await count('projects'), deployments),
      databases: limit('databases', await count('databases'), STANDARD.databases),
      dnsZones: limit('dnsZones', await count('dnsZones'), STANDARD.dnsZones),
      virtualAccounts: limit('virtualAccounts', await count('virtualAccounts'), STANDARD.virtualAccounts),
      storage: limit('storage', used, Number.isFinite(storage) ? storage : null),
    },
  };
}

/** The same as the owner is told it. */
export async function readLimits(
  { db, ownerId }: UserContext,
  { settings }: Pick<Plans, 'settings'>,
): Promise<PlanUse> {
  const plans = { db, settings };
  const { plan, limits } = await readWorkspaceLimits(plans, ownerId);
  const may = ({ used, standard, set }: WorkspaceLimits['limits'][Limited]) => ({
    ...{ used, limit: set ?? standard },
  });
  const mayAlike = (of: keyof typeof STANDARD) => ({
    used: limits[of].used,
    limit: limits[of].set ?? STANDARD[of],
  });
  return {
    plan,
    trial: await isOnTrial(plans, ownerId),
    setByAdmin: LIMITED.filter((name) => limits[name].set !== null),
    projects: may(limits.projects),
    databases: mayAlike('databases'),
    dnsZones: mayAlike('dnsZones'),
    virtualAccounts: mayAlike('virtualAccounts'),
    storage: may(limits.storage),
  };
}
