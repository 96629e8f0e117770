import { billing } from '@nephos/contracts';
import { implement } from '../../trpc.ts';
import { followBilling } from './changes.ts';
import { readLimits } from './limits.ts';
import { listPayments } from './payments.ts';
import { removeCard } from './remove-card.ts';
import { authenticateSandboxPayment, confirmSandboxPayment } from './sandbox-confirm.ts';
import { startPayment } from './start-payment.ts';
import { billingStatus } from './status.ts';
import { subscribe } from './subscribe.ts';
import {
  activeSubscription,
  cancelSubscription,
  listSubscriptions,
  resumeSubscription,
} from './subscriptions.ts';
import { readSummary } from './summary.ts';
import { listUsage } from './usage.ts';

export const billingRouter = implement(billing, {
  status: ({ ctx }) => billingStatus(ctx),
  activeSubscription: ({ ctx }) => activeSubscription(ctx),
  subscriptions: ({ ctx, input }) => listSubscriptions(ctx, input),
  provider: ({ ctx }) => ctx.billing.provider.info,
  startPayment: ({ ctx, input }) => startPayment(ctx, input),
  confirmSandboxPayment: ({ ctx, input }) => confirmSandboxPayment(ctx, input),
  authenticateSandboxPayment: ({ ctx, input }) => authenticateSandboxPayment(ctx, input),
  subscribe: ({ ctx, input }) => subscribe(ctx, input),
  cancel: ({ ctx }) => cancelSubscription(ctx),
  resume: ({ ctx }) => resumeSubscription(ctx),
  payments: ({ ctx, input }) => listPayments(ctx, input),
  removeCard: ({ ctx }) => removeCard(ctx),
  usage: ({ ctx, input }) => listUsage(ctx, input),
  summary: ({ ctx }) => readSummary(ctx),
  limits: ({ ctx }) => readLimits(ctx),
  changes: ({ ctx, signal }) => followBilling(ctx, signal),
});
