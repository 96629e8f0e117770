import type { Generated } from 'kysely';
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
  renewalDate: string;
  cancelAtPeriodEnd: Generated<boolean>;
  /** Declined renewals since the last that succeeded. */
  failedAttempts: Generated<number>;
  failure: Generated<string>;
  nextAttempt: string | null;
  cancelledAt: string | null;
  createdAt: GeneratedInstant;
}

/** A person at a payment provider, with the card that renewals are charged to. */
export interface PaymentCustomersTable {
  userId: string;
  provider: Provider;
  customerId: string;
  paymentMethodId: string | null;
  brand: string | null;
  last4: string | null;
  expiryMonth: number | null;
  expiryYear: number | null;
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
  /** The subscription that it renews; null for one that begins a subscription. */
  renews: string | null;
  /** The subscription that it paid for: an intent pays once. */
  subscriptionId: string | null;
  createdAt: GeneratedInstant;
}

export interface PaymentsTable {
  id: Generated<string>;
  invoiceId: string;
  userId: string;
  subscriptionId: string | null;
  intentId: string | null;
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
