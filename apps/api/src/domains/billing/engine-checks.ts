import type { Settings } from '../../core/settings.ts';
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
        ? healthy('Plan limits apply. Plans are paid by card.')
        : off('No trials, no plan limits, no charges.'),
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
      if (!isStripe) return healthy('Accepts test cards only; no real money moves.');
      return healthy(provider.info.testMode ? 'Responds in test mode; no real money moves.' : 'Responds.');
    },
  };
}
