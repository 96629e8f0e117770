import { admin } from '@nephos/contracts';
import { unavailable } from '../../errors.ts';
import { implement } from '../../trpc.ts';

function notYet(): never {
  throw unavailable();
}

export const adminRouter = implement(admin, {
  totals: notYet,
  users: notYet,
  subscriptions: notYet,
  payments: notYet,
  usage: notYet,
  changeRole: notYet,
  engines: notYet,
});
