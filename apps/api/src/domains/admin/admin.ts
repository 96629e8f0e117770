import type { contract } from '@nephos/contracts';
import { checkEngines, type EngineCheck } from '../../platform/engine-check.ts';
import type { Platform } from '../../platform/platform.ts';
import type { Domain } from '../domain.ts';
import { changeRole } from './change-role.ts';
import { createInvitation, listInvitations, revokeInvitation } from './invitations.ts';
import { listAllPayments, listAllSubscriptions, listAllUsage, listPeople, readTotals } from './lists.ts';

/** What administrators see of everyone, and decide. `engines` gives what the whole server runs on. */
export function createAdmin(
  { settings, log }: Pick<Platform, 'settings' | 'log'>,
  { engines }: { engines(): readonly EngineCheck[] },
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
      engines: () => checkEngines(engines(), log),
    },
  };
}
