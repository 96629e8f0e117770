import type { Generated, JSONColumnType } from 'kysely';
import type { GeneratedInstant } from './auth.ts';

type PlanTier = 'starter' | 'professional' | 'enterprise';
type Provider = 'stripe' | 'sandbox';

/** At most one of a person is not cancelled. */
export interface SubscriptionsTable {
  id: Generated<string>;
  userId: string;
  planTier: PlanTier;
  status: 'active' | 'past_due' | 'cancelled';
  /** Cents a month. */
  amount: number;
  /** Day of the month, in UTC, on which it began, and renews where the month has one. */
  anchorDay: number;
  renewalDate: string;
  cancelAtPeriodEnd: Generated<boolean>;
  /** The key of a renewal that the provider was asked for and whose outcome is not written down yet. */
  charging: string | null;
  /** When the provider was last asked for that charge. */
  chargeAskedAt: string | null;
  /** Declined renewals since the last that succeeded. */
  failedAttempts: Generated<number>;
  failure: Generated<string>;
  pastDueSince: string | null;
  nextAttempt: string | null;
  cancelledAt: string | null;
  createdAt: GeneratedInstant;
}

/** A person at a payment provider, in test or in live mode, with the card that renewals are charged to. */
export interface PaymentCustomersTable {
  userId: string;
  provider: Provider;
  livemode: Generated<boolean>;
  customerId: string;
  paymentMethodId: string | null;
  brand: string | null;
  last4: string | null;
  expiryMonth: number | null;
  expiryYear: number | null;
}

/** A card that another took the place of, until the provider has forgotten it. */
export interface FormerCardsTable {
  /** The provider's, for example `pm_1Nx…`. */
  id: string;
  provider: Provider;
  livemode: boolean;
  /** When the provider was last asked to forget it. */
  triedAt: string | null;
}

/** A payment that was asked for. */
export interface PaymentIntentsTable {
  /** The provider's, for example `pi_3Nx…`. */
  id: string;
  userId: string;
  provider: Provider;
  planTier: PlanTier;
  /** Cents. */
  amount: number;
  /** The key of the call that asked for it. */
  idempotencyKey: string | null;
  /** The subscription that it renews; null for one that begins a subscription. */
  renews: string | null;
  /** The subscription that it paid for: an intent pays once. */
  subscriptionId: string | null;
  /** When the provider was last asked to charge the saved card with it; null where that came to nothing. */
  payingSince: string | null;
  /** When the provider had the money; null until it began a subscription. */
  paidAt: string | null;
  createdAt: GeneratedInstant;
}

export interface PaymentsTable {
  id: Generated<string>;
  invoiceId: string;
  userId: string;
  subscriptionId: string | null;
  intentId: string | null;
  /** Where the ledger has it, of one that was completed. */
  ledgerTransactionId: string | null;
  /** Cents. */
  amount: number;
  paymentMethod: string;
  status: 'completed' | 'failed';
  failure: Generated<string>;
  paymentDate: string | null;
}

/** Events of a payment provider that had their effect. */
export interface WebhookEventsTable {
  id: string;
  type: string;
  receivedAt: GeneratedInstant;
}

/** The ledger's accounts that are nobody's: `cards` is outside of this bank. */
export interface LedgerSystemAccountsTable {
  name: 'cards' | 'revenue';
  accountId: string;
}

export interface SandboxCustomersTable {
  id: string;
  idempotencyKey: string;
}

/** A card that the sandbox keeps for renewals: which test card it is, and what people may see of it. */
export interface SandboxCardsTable {
  id: string;
  customerId: string;
  testCard: string;
  brand: string;
  last4: string;
  expiryMonth: number;
  expiryYear: number;
}

export interface SandboxIntentsTable {
  id: string;
  customerId: string;
  idempotencyKey: string;
  status: 'requires_payment_method' | 'requires_action' | 'succeeded';
  /** Cents. */
  amount: number;
  currency: Generated<string>;
  livemode: Generated<boolean>;
  metadata: JSONColumnType<Record<string, string>>;
  cardId: string | null;
  failure: Generated<string>;
  paidAt: string | null;
  createdAt: GeneratedInstant;
}
