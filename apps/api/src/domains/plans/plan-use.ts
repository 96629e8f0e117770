import type { PlanUse, WorkspaceLimits } from '@nephos/contracts';
import { LIMITED, type Limited, MAX_OWNED_WORKSPACES } from '@nephos/contracts/constants';
import type { UserContext } from '../../core/context.ts';
import { countLimited, STANDARD } from './limits.ts';
import { readOwnedWorkspaces } from './owned-workspaces.ts';
import { isOnTrial, type Plans } from './plan.ts';
import { readQuota } from './storage-quota.ts';

/** What an owner has, and may have: the same figures that refusals go by. */
export async function readWorkspaceLimits(plans: Plans, ownerId: string): Promise<WorkspaceLimits> {
  const { plan, used } = await readQuota(plans, ownerId);
  const { name, deployments, storage } = plan.standard;
  const limit = (of: Limited, use: number, standard: number | null) => ({
    ...{ used: use, standard, set: plan.set[of] },
  });
  const count = (of: Exclude<Limited, 'storage' | 'workspaces'>) => countLimited(plans.db, of, ownerId);
  return {
    plan: name,
    limits: {
      projects: limit('projects', await count('projects'), deployments),
      previews: limit('previews', await count('previews'), null),
      workspaces: await readOwnedWorkspaces(plans, ownerId),
      databases: limit('databases', await count('databases'), STANDARD.databases),
      dnsZones: limit('dnsZones', await count('dnsZones'), STANDARD.dnsZones),
      virtualAccounts: limit('virtualAccounts', await count('virtualAccounts'), STANDARD.virtualAccounts),
      storage: limit('storage', used, Number.isFinite(storage) ? storage : null),
    },
  };
}

/** The same as the owner is told it. */
export async function readLimits(
  { db, user, ownerId }: UserContext,
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
  // Whatever workspace the call is made in, it is a person who owns some.
  const owned = await readOwnedWorkspaces(plans, user.id);
  return {
    plan,
    trial: await isOnTrial(plans, ownerId),
    setByAdmin: LIMITED.filter((name) => (name === 'workspaces' ? owned : limits[name]).set !== null),
    projects: may(limits.projects),
    previews: may(limits.previews),
    workspaces: { used: owned.used, limit: owned.set ?? owned.standard ?? MAX_OWNED_WORKSPACES },
    databases: mayAlike('databases'),
    dnsZones: mayAlike('dnsZones'),
    virtualAccounts: mayAlike('virtualAccounts'),
    storage: may(limits.storage),
  };
}
