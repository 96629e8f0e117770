import { MAX_DATABASES, type PlanUse } from '@nephos/contracts';
import type { Database } from '@nephos/db';
import type { Kysely } from 'kysely';
import type { UserContext } from '../../context.ts';
import { readQuota } from './storage-quota.ts';

/** What the signed-in person may have, and has: the same figures that refusals go by. */
export async function readLimits({ db, user }: UserContext): Promise<PlanUse> {
  const { plan, used } = await readQuota(db, user.id);
  return {
    plan: plan.name,
    projects: { used: await countOf(db, 'projects', user.id), limit: plan.deployments },
    databases: { used: await countOf(db, 'managedDatabases', user.id), limit: MAX_DATABASES },
    storage: { used, limit: plan.storage },
  };
}

async function countOf(
  db: Kysely<Database>,
  table: 'projects' | 'managedDatabases',
  ownerId: string,
): Promise<number> {
  const { count } = await db
    .selectFrom(table)
    .where('ownerId', '=', ownerId)
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return count;
}
