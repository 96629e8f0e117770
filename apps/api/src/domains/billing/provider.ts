import type { PaymentCard, PaymentProviderInfo, PlanTier } from '@nephos/contracts';

/** A card as its provider names and shows it. */
export interface Card extends PaymentCard {
  id: string;
}

/** What a payment is for; kept with it by the provider. */
export interface Purpose {
  userId: string;
  planTier: PlanTier;
  /** The key of the charge; absent but for a renewal. */
  chargeKey?: string;
}

/** A payment at its provider. */
export interface Intent {
  id: string;
  status: 'succeeded' | 'processing' | 'requires_action' | 'requires_payment_method' | 'canceled';
  /** Cents that have arrived. */
  amountReceived: number;
  /** Lower case, ISO 4217. */
  currency: string;
  /** Whether it is about real money. */
  livemode: boolean;
  /** What `Purpose` says, where the payment is ours. */
  metadata: Readonly<Record<string, string>>;
  /** Lets the browser pay it. */
  clientSecret: string;
  /** What it was paid with. */
  card: Card | null;
  /** When it succeeded, by the provider's clock; null before. */
  paidAt: string | null;
  /** Why the last attempt to pay was declined, in one sentence; '' otherwise. */
  failure: string;
}

export interface Customer {
  userId: string;
  email: string;
  /** '' where unknown. */
  name: string;
  /** The id that they had, and that the provider knows no more. */
  replaces?: string;
}

/** A payment to ask for, in US dollars. */
export interface Order {
  customerId: string;
  /** Cents. */
  amount: number;
  purpose: Purpose;
  /** Asked for again with the same key, it is the same payment. */
  key: string;
}

export interface Charge extends Order {
  cardId: string;
  /** Whether it may have been made before, however long ago: a provider forgets keys. */
  maybeMade: boolean;
}

/** What came of a charge without the person. */
export type Charged =
  | { status: 'succeeded'; intent: Intent }
  | { status: 'declined' /** Null where it came to none. */; intentId: string | null; failure: string };

/** Takes card payments. Every call rejects with 503 where the provider does not answer: then nothing is known. */
export interface PaymentProvider {
  readonly info: PaymentProviderInfo;
  readonly livemode: boolean;
  /** The provider's id of a person. Asked again, it is the same one. */
  createCustomer(customer: Customer): Promise<string>;
  /** A payment that the browser confirms; its card is kept for renewals. Null where there is no such customer. */
  createIntent(order: Order): Promise<Intent | null>;
  /** Null where there is none. */
  readIntent(id: string): Promise<Intent | null>;
  /**
   * Pays a payment that was begun with a card that was kept, while its owner is there: the bank may ask them. One that
   * succeeded stays as it is. A card that is declined or gone leaves the payment unpaid, and says why. Null where there
   * is no such payment.
   */
  payWith(id: string, cardId: string): Promise<Intent | null>;
  /** What came of a charge that was asked for earlier; null where it was never made. */
  findCharge(charge: Pick<Charge, 'customerId' | 'key'>): Promise<Charged | null>;
  /** Charges a card that was kept. */
  charge(charge: Charge): Promise<Charged>;
  /** No charge is possible any more; a card that is gone already is no error. */
  forgetCard(cardId: string): Promise<void>;
}

/** Names a person to the provider, so that it makes one customer of them. */
export function customerKeyOf({ userId, replaces }: Customer): string {
  return replaces === undefined ? `customer-${userId}` : `customer-${userId}-after-${replaces}`;
}

/** Why a card that its provider has forgotten is not charged. */
export const CARD_GONE = 'The card can no longer be charged.';
const DECLINED = 'The card was declined.';
const NEEDS_OWNER = 'Your bank needs you to confirm this payment.';

/** What came of a charge without the person, by its payment; undefined while that is open. */
export function chargedOf(intent: Intent): Charged | undefined {
  if (intent.status === 'succeeded') return { status: 'succeeded', intent };
  if (intent.status === 'processing') return undefined;
  const failure = intent.failure || (intent.status === 'requires_action' ? NEEDS_OWNER : DECLINED);
  return { status: 'declined', intentId: intent.id, failure };
}

/** For an invoice, for example `Visa ending 4242`. */
export function labelOf(card: Pick<PaymentCard, 'brand' | 'last4'> | null): string {
  return card ? `${card.brand} ending ${card.last4}` : 'No card';
}
