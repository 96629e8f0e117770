import type { contract } from '@nephos/contracts';
import { unavailable } from '../../core/errors.ts';
import { checkEngines, type EngineCheck } from '../../platform/engine-check.ts';
import { cancelJob, readJobs, retryJob } from '../../platform/jobs-list.ts';
import type { Platform } from '../../platform/platform.ts';
import type { DeploymentEngine } from '../deployments/engine/engine.ts';
import type { Domain } from '../domain.ts';
import { changeRole } from './change-role.ts';
import { createInvitation, listInvitations, revokeInvitation } from './invitations.ts';
import { changeJob } from './jobs.ts';
import { listAllPayments, listAllSubscriptions, listAllUsage, listPeople, readTotals } from './lists.ts';

/**
 * What administrators see of everyone, and decide. `engines` gives what the whole server runs on, `cluster` the machines
 * that apps run on.
 */
export function createAdmin(
  { settings, log }: Pick<Platform, 'settings' | 'log'>,
  { engines }: { engines(): readonly EngineCheck[] },
  { cluster }: Pick<DeploymentEngine, 'cluster'>,
): Domain<typeof contract.admin> {
  return {
    handlers: {
      totals: ({ ctx }) => readTotals(ctx),
      users: ({ ctx, input }) => listPeople(ctx, input),
      subscriptions: ({ ctx, input }) => listAllSubscriptions(ctx, input),
      payments: ({ ctx, input }) => listAllPayments(ctx, input),
      usage: ({ ctx, input }) => listAllUsage(ctx, input),
      changeRole: ({ ctx, input }) => changeRole(ctx, input),
      invitations: ({ ctx }) => listInvitations(ctx),
      createInvitation: ({ ctx, input }) => createInvitation(ctx, settings, input),
      revokeInvitation: ({ ctx, input }) => revokeInvitation(ctx, input),
      jobs: ({ ctx }) => readJobs(ctx.db),
      retryJob: ({ ctx, input: { id } }) => changeJob(ctx, { id, change: retryJob }),
      cancelJob: ({ ctx, input: { id } }) => changeJob(ctx, { id, change: cancelJob }),
      engines: () => checkEngines(engines(), log),
      joinCommand: ({ input }) => joinCommand(cluster, input),
    },
  };
}

async function joinCommand(cluster: DeploymentEngine['cluster'], options: { renew: boolean }) {
  if (!cluster) throw unavailable('Apps run on this machine alone. Set DEPLOY_RUNTIME=swarm to add others.');
  const reason = cluster.reason();
  if (reason !== '') throw unavailable(reason);
  return { joinCommand: await cluster.joinCommand(options) };
}
