import type { Settings } from '../../env.ts';
import type { SecretsBox } from '../../platform/secrets-box.ts';
import type { PaymentProvider } from './provider.ts';
import type { RenewalsDeps } from './renewals.ts';
import { createRenewals, type Renewals } from './renewals.ts';
import { createSandboxProvider } from './sandbox-provider.ts';

/** What takes card payments and lives as long as the process. */
export interface Billing {
  provider: PaymentProvider;
  renewals: Renewals;
}

type BillingDeps = Omit<RenewalsDeps, 'provider'> & {
  settings: Pick<Settings, 'stripe'>;
  secrets: SecretsBox;
  /** In the place of the one that the settings choose. */
  provider: PaymentProvider | undefined;
};

/** Stripe where its keys are set, else the sandbox. */
export async function createBilling({ provider: given, ...deps }: BillingDeps): Promise<Billing> {
  const provider = given ?? (await chosen(deps));
  return { provider, renewals: createRenewals({ ...deps, provider }) };
}

async function chosen({
  settings,
  db,
  secrets,
  log,
}: Omit<BillingDeps, 'provider'>): Promise<PaymentProvider> {
  if (!settings.stripe) return createSandboxProvider({ db, secrets });
  // Loaded only where it is used: Stripe's library takes a while.
  const { createStripeProvider } = await import('./stripe-provider.ts');
  return createStripeProvider(settings.stripe, log);
}
