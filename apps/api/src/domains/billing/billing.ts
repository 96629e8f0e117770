import type { contract } from '@nephos/contracts';
import type { Platform } from '../../platform/platform.ts';
import { runSweeps, type Sweeps } from '../../platform/sweeps.ts';
import type { Domain } from '../domain.ts';
import { listUsage } from '../metering/usage.ts';
import { readLimits } from '../plans/plan-use.ts';
import { billingChecks } from './engine-checks.ts';
import { forgetFormerCards } from './former-cards.ts';
import { payWithSavedCard } from './pay-with-saved-card.ts';
import { sweepEvents } from './payment-event.ts';
import { listPayments } from './payments.ts';
import type { PaymentProvider } from './provider.ts';
import { removeCard } from './remove-card.ts';
import { createRenewals, type Renewals } from './renewals.ts';
import { authenticateSandboxPayment, confirmSandboxPayment } from './sandbox-confirm.ts';
import { createSandboxProvider } from './sandbox-provider.ts';
import { startPayment } from './start-payment.ts';
import { subscribe } from './subscribe.ts';
import {
  activeSubscription,
  cancelSubscription,
  listSubscriptions,
  resumeSubscription,
} from './subscriptions.ts';
import { followBilling, readSummary } from './summary.ts';
import { addStripeWebhook } from './webhook.route.ts';

/** What services of the domain use of what it was made with. */
export interface BillingParts
  extends Pick<Platform, 'settings' | 'db' | 'secrets' | 'log' | 'notifications'> {
  provider: PaymentProvider;
  /** Has the provider forget the cards that others took the place of; what fails is logged, and done within the hour. */
  forgetFormerCards(): Promise<void>;
}

/** The domain, with what else is to be had of it. */
export interface Billing
  extends Domain<typeof contract.billing>,
    Pick<BillingParts, 'provider' | 'forgetFormerCards'> {
  renewals: Renewals;
  /** Does what has become due; what fails is logged, and done within the hour. */
  catchUp(): Promise<void>;
}

/** A few minutes past the hour: the sweeps are at the hour. */
const HOURLY = '7 * * * *';

/** Plans, sold by card: by Stripe where its keys are set, else in the sandbox. Defines the hourly job of renewals. */
export async function createBilling(
  platform: Omit<Platform, 'objects'>,
  { payments }: { payments?: PaymentProvider | undefined } = {},
): Promise<Billing> {
  const { settings, db, jobs, log } = platform;
  const provider = payments ?? (await chooseProvider(platform));
  const renewals = createRenewals({
    ...{ db, jobs, log, provider },
    get free() {
      return !settings.billing;
    },
  });
  const formerCards: Sweeps = { formerCards: () => forgetFormerCards({ db, log, provider }) };
  const parts: BillingParts = {
    ...platform,
    provider,
    forgetFormerCards: () => runSweeps(formerCards, log),
  };
  const catchUp = () =>
    runSweeps({ renewals: renewals.enqueueDue, unclaimedPayments: renewals.claim, ...formerCards }, log);
  jobs.schedule('renewals', HOURLY, catchUp);
  return {
    ...{ provider, renewals, forgetFormerCards: parts.forgetFormerCards },
    handlers: billingHandlers(parts),
    async routes(app) {
      if (settings.stripe) await addStripeWebhook(app, parts, settings.stripe.webhookSecret);
    },
    sweeps: { paymentEvents: () => sweepEvents(db) },
    engines: () => billingChecks(settings, provider),
    catchUp,
  };
}

function billingHandlers(parts: BillingParts): Domain<typeof contract.billing>['handlers'] {
  const { settings, provider, notifications } = parts;
  return {
    status: () => ({ enabled: settings.billing }),
    activeSubscription: ({ ctx }) => activeSubscription(ctx),
    subscriptions: ({ ctx, input }) => listSubscriptions(ctx, input),
    provider: () => provider.info,
    startPayment: ({ ctx, input, key }) => startPayment(ctx, parts, input, key),
    payWithSavedCard: ({ ctx, input }) => payWithSavedCard(ctx, parts, input),
    confirmSandboxPayment: ({ ctx, input }) => confirmSandboxPayment(ctx, parts, input),
    authenticateSandboxPayment: ({ ctx, input }) => authenticateSandboxPayment(ctx, parts, input),
    subscribe: ({ ctx, input, once }) => subscribe(ctx, parts, input, once),
    cancel: ({ ctx }) => cancelSubscription(ctx),
    resume: ({ ctx }) => resumeSubscription(ctx, provider),
    payments: ({ ctx, input }) => listPayments(ctx, input),
    removeCard: ({ ctx, once }) => removeCard(ctx, provider, once),
    usage: ({ ctx, input }) => listUsage(ctx, input),
    summary: ({ ctx }) => readSummary(ctx, provider),
    limits: ({ ctx }) => readLimits(ctx, parts),
    changes: ({ ctx }) => followBilling(ctx, notifications),
  };
}

async function chooseProvider({
  settings,
  db,
  secrets,
  log,
}: Omit<Platform, 'objects'>): Promise<PaymentProvider> {
  if (!settings.stripe) return createSandboxProvider({ db, secrets });
  // Loaded only where it is used: Stripe's library takes a while.
  const { createStripeProvider } = await import('./stripe-provider.ts');
  return createStripeProvider(settings.stripe, log);
}
