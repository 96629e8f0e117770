import type Stripe from 'stripe';
import type { Card, Charged, Intent } from './provider.ts';

/** Names that people know, by Stripe's codes. */
const BRANDS: Readonly<Record<string, string>> = {
  amex: 'American Express',
  diners: 'Diners Club',
  discover: 'Discover',
  jcb: 'JCB',
  mastercard: 'Mastercard',
  unionpay: 'UnionPay',
  visa: 'Visa',
};

const DECLINED = 'The card was declined.';

function cardOf(method: Stripe.PaymentIntent['payment_method']): Card | null {
  if (method === null || typeof method === 'string' || !method.card) return null;
  const { brand, last4, exp_month: expiryMonth, exp_year: expiryYear } = method.card;
  return { id: method.id, brand: BRANDS[brand] ?? 'Card', last4, expiryMonth, expiryYear };
}

const STATUSES = ['succeeded', 'processing', 'requires_action', 'canceled'] as const;

/** What we do not ask for (a capture or confirmation by us), and what is new to us, counts as not paid. */
function statusOf({ status }: Stripe.PaymentIntent): Intent['status'] {
  return STATUSES.find((known) => known === status) ?? 'requires_payment_method';
}

function paidAtOf({ status, latest_charge: charge, created }: Stripe.PaymentIntent): string | null {
  if (status !== 'succeeded') return null;
  const seconds = charge === null || typeof charge === 'string' ? created : charge.created;
  return new Date(seconds * 1000).toISOString();
}

/** Reads an intent that Stripe gave with its payment method and charge expanded. */
export function intentOf(intent: Stripe.PaymentIntent): Intent {
  return {
    id: intent.id,
    status: statusOf(intent),
    amountReceived: intent.amount_received,
    currency: intent.currency,
    livemode: intent.livemode,
    metadata: intent.metadata,
    clientSecret: intent.client_secret ?? '',
    card: cardOf(intent.payment_method),
    paidAt: paidAtOf(intent),
    failure: intent.last_payment_error?.message ?? '',
  };
}

/** Reads a decline of Stripe's, with the sentence for the card's owner. */
export function declineOf({ message, payment_intent }: Stripe.errors.StripeCardError): Charged {
  return { status: 'declined', intentId: payment_intent?.id ?? null, failure: message || DECLINED };
}
