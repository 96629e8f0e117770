import { billing } from '@nephos/contracts';
import { unavailable } from '../../errors.ts';
import { implement } from '../../trpc.ts';

function notYet(): never {
  throw unavailable();
}

export const billingRouter = implement(billing, {
  activeSubscription: notYet,
  subscriptions: notYet,
  provider: notYet,
  startPayment: notYet,
  confirmSandboxPayment: notYet,
  authenticateSandboxPayment: notYet,
  subscribe: notYet,
  cancel: notYet,
  resume: notYet,
  payments: notYet,
  removeCard: notYet,
  usage: notYet,
  summary: notYet,
  changes: notYet,
});
