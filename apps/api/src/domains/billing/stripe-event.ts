import Stripe from 'stripe';
import { badSignature } from '../../errors.ts';

/** What Stripe says has happened. Of the payment only its id is taken: it is read anew. */
export interface PaymentEvent {
  id: string;
  type: string;
  /** Null for an event about anything else. */
  intentId: string | null;
}

/** Seconds that a signature is good for. */
const TOLERANCE = 300;

/**
 * Reads an event from the bytes that Stripe signed, by the header `Stripe-Signature`. `receivedAt` is in milliseconds.
 * Throws 400 BAD_SIGNATURE.
 */
export function readEvent(
  payload: Buffer,
  { signature, secret, receivedAt }: { signature: string; secret: string; receivedAt: number },
): PaymentEvent {
  const event = verified(() =>
    Stripe.webhooks.constructEvent(payload, signature, secret, TOLERANCE, undefined, receivedAt),
  );
  const about = event.type === 'payment_intent.succeeded' || event.type === 'payment_intent.payment_failed';
  return { id: event.id, type: event.type, intentId: about ? event.data.object.id : null };
}

function verified<T>(read: () => T): T {
  try {
    return read();
  } catch {
    throw badSignature();
  }
}
