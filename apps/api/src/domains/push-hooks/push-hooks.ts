import type { contract } from '@nephos/contracts';
import type { Database } from '@nephos/db';
import type { Kysely } from 'kysely';
import type { Platform } from '../../platform/platform.ts';
import type { Cause, CauseOutcome } from '../deployments/deploy-for-cause.ts';
import type { Domain } from '../domain.ts';
import type { FollowBranch } from '../previews/previews.ts';
import { addHookRoute } from './hook.route.ts';
import { getHook, listDeliveries, readSecret, removeHook, renewSecret, updateHook } from './service.ts';

/** What the domain was made with. */
export interface PushHooksParts extends Pick<Platform, 'settings' | 'db' | 'secrets'> {
  /** Queues a deployment, or says why not, in the transaction that holds the project's row. */
  deploy(trx: Kysely<Database>, cause: Cause): Promise<CauseOutcome>;
  followBranch: FollowBranch;
}

/** What Git hosts tell of pushes, which deploys projects. */
export function createPushHooks(
  { settings, db, secrets }: Pick<Platform, 'settings' | 'db' | 'secrets'>,
  { deploy, followBranch }: Pick<PushHooksParts, 'deploy' | 'followBranch'>,
): Domain<typeof contract.pushHooks> {
  const parts: PushHooksParts = { settings, db, secrets, deploy, followBranch };
  return {
    handlers: {
      get: ({ ctx, input }) => getHook(ctx, settings, input.id),
      update: ({ ctx, input }) => updateHook(ctx, settings, input),
      remove: ({ ctx, input }) => removeHook(ctx, input.id),
      secret: ({ ctx, input }) => readSecret(ctx, secrets, input.id),
      renewSecret: ({ ctx, input }) => renewSecret(ctx, secrets, input.id),
      deliveries: ({ ctx, input }) => listDeliveries(ctx, input.id),
    },
    routes: (app) => addHookRoute(app, parts),
  };
}
