import type { Settings } from '../../env.ts';
import type { SecretsBox } from '../../platform/secrets-box.ts';
import { runSweeps, type Sweeps } from '../../platform/sweeps.ts';
import { forgetFormerCards } from './former-cards.ts';
import type { PaymentProvider } from './provider.ts';
import { createRenewals, type Renewals, type RenewalsDeps } from './renewals.ts';
import { createSandboxProvider } from './sandbox-provider.ts';

/** What takes card payments and lives as long as the process. */
export interface Billing {
  provider: PaymentProvider;
  renewals: Renewals;
  /** Does what has become due; what fails is logged, and done within the hour. */
  catchUp(): Promise<void>;
  /** Of that, only what a payment makes due. */
  forgetFormerCards(): Promise<void>;
}

type BillingDeps = Omit<RenewalsDeps, 'provider'> & {
  settings: Pick<Settings, 'stripe' | 'billing'>;
  secrets: SecretsBox;
  /** In the place of the one that the settings choose. */
  provider: PaymentProvider | undefined;
};

/** A few minutes past the hour: the sweeps are at the hour. */
const HOURLY = '7 * * * *';

/** Stripe where its keys are set, else the sandbox. Defines the hourly job, which begins with `jobs.start()`. */
export async function createBilling({ provider: given, ...deps }: BillingDeps): Promise<Billing> {
  const { jobs, log } = deps;
  const provider = given ?? (await chosen(deps));
  const renewals = createRenewals({ ...deps, provider, free: !deps.settings.billing });
  const formerCards: Sweeps = { formerCards: () => forgetFormerCards({ ...deps, provider }) };
  const billing: Billing = {
    provider,
    renewals,
    catchUp: () =>
      runSweeps({ renewals: renewals.enqueueDue, unclaimedPayments: renewals.claim, ...formerCards }, log),
    forgetFormerCards: () => runSweeps(formerCards, log),
  };
  jobs.schedule('renewals', HOURLY, billing.catchUp);
  return billing;
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
