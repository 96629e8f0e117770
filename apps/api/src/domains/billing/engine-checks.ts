import type { Settings } from '../../core/env.ts';
import { type EngineCheck, healthy, off } from '../../platform/engine-check.ts';
import type { PaymentProvider } from './provider.ts';

/** Whether plans are sold, and who takes the payments. */
export function billingChecks(settings: Pick<Settings, 'billing'>, provider: PaymentProvider): EngineCheck[] {
  return [plansCheck(settings), paymentsCheck(provider)];
}

function plansCheck({ billing }: Pick<Settings, 'billing'>): EngineCheck {
  return {
    id: 'billing',
    name: 'Billing',
    running: billing ? 'Trials and plans' : 'None',
    settings: ['BILLING'],
    look: () =>
      billing
        ? healthy('Plans limit what people have, and are paid for by card.')
        : off('No trial and no plan limits anything, and nothing is charged.'),
  };
}

function paymentsCheck(provider: PaymentProvider): EngineCheck {
  const isStripe = provider.info.name === 'stripe';
  return {
    id: 'payments',
    name: 'Card payments',
    running: isStripe ? 'Stripe' : 'Sandbox',
    settings: ['STRIPE_SECRET_KEY', 'STRIPE_PUBLISHABLE_KEY', 'STRIPE_WEBHOOK_SECRET'],
    async look() {
      // Only who has a key is told that there is no such payment.
      await provider.readIntent('pi_00000000');
      if (!isStripe) return healthy('Takes test cards; no money moves.');
      return healthy(provider.info.testMode ? 'Answers, with test keys: no money moves.' : 'Answers.');
    },
  };
}
