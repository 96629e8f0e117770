import { admin } from '@nephos/contracts';
import { implement } from '../../trpc.ts';
import { changeRole } from './change-role.ts';
import { checkEngines } from './engines.ts';
import { listAllPayments, listAllSubscriptions, listAllUsage, listPeople } from './lists.ts';
import { readTotals } from './totals.ts';

export const adminRouter = implement(admin, {
  totals: ({ ctx }) => readTotals(ctx),
  users: ({ ctx, input }) => listPeople(ctx, input),
  subscriptions: ({ ctx, input }) => listAllSubscriptions(ctx, input),
  payments: ({ ctx, input }) => listAllPayments(ctx, input),
  usage: ({ ctx, input }) => listAllUsage(ctx, input),
  changeRole: ({ ctx, input }) => changeRole(ctx, input),
  engines: ({ ctx }) => checkEngines(ctx),
});
