import { admin } from '@nephos/contracts';
import { implement } from '../../trpc.ts';
import { changeRole } from './change-role.ts';
import { checkEngines } from './engines.ts';
import { createInvitation, listInvitations, revokeInvitation } from './invitations.ts';
import { listAllPayments, listAllSubscriptions, listAllUsage, listPeople } from './lists.ts';
import { readTotals } from './totals.ts';

export const adminRouter = implement(admin, {
  totals: ({ ctx }) => readTotals(ctx),
  users: ({ ctx, input }) => listPeople(ctx, input),
  subscriptions: ({ ctx, input }) => listAllSubscriptions(ctx, input),
  payments: ({ ctx, input }) => listAllPayments(ctx, input),
  usage: ({ ctx, input }) => listAllUsage(ctx, input),
  changeRole: ({ ctx, input }) => changeRole(ctx, input),
  invitations: ({ ctx }) => listInvitations(ctx),
  createInvitation: ({ ctx, input }) => createInvitation(ctx, input),
  revokeInvitation: ({ ctx, input }) => revokeInvitation(ctx, input),
  engines: ({ ctx }) => checkEngines(ctx),
});
