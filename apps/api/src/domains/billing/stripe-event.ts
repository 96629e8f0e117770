import { PaymentIntentId } from '@nephos/contracts';
import Stripe from 'stripe';
import { z } from 'zod';
import { badSignature, invalid } from '../../core/errors.ts';

/** What Stripe says has happened. It gives the payment's id alone: the payment itself is read from Stripe. */
export interface PaymentEvent {
  id: string;
  type: string;
  /** Null for an event about anything else, and for one that names no payment where it should. */
  intentId: string | null;
}

/** Seconds that a signature is good for. */
const TOLERANCE = 300;

const Event = z.object({ id: z.string().regex(/^evt_\w{1,200}$/), type: z.string() });

/** The events that we act upon. The id is a part of an address at Stripe, so nothing else may stand in its place. */
const PaymentDecided = z.object({
  type: z.enum(['payment_intent.succeeded', 'payment_intent.payment_failed']),
  data: z.object({ object: z.object({ id: PaymentIntentId }) }),
});

/**
 * Reads an event from the bytes that Stripe signed, by the header `Stripe-Signature`. `receivedAt` is in milliseconds.
 * Throws 400 BAD_SIGNATURE, and VALIDATION for what was signed but is no event.
 */
export function readEvent(
  payload: Buffer,
  { signature, secret, receivedAt }: { signature: string; secret: string; receivedAt: number },
): PaymentEvent {
  const signed = isTrue(() =>
    Stripe.webhooks.signature?.verifyHeader(payload, signature, secret, TOLERANCE, undefined, receivedAt),
  );
  if (!signed) throw badSignature();
  const body = jsonOf(payload);
  const event = Event.safeParse(body);
  if (!event.success) throw invalid('The body is not an event of Stripe.');
  const decided = PaymentDecided.safeParse(body);
  return { ...event.data, intentId: decided.success ? decided.data.data.object.id : null };
}

/** The library throws where it means no. */
function isTrue(check: () => boolean | undefined): boolean {
  try {
    return check() === true;
  } catch {
    return false;
  }
}

/** Undefined for what is no JSON. */
function jsonOf(payload: Buffer): unknown {
  try {
    return JSON.parse(payload.toString());
  } catch {
    return undefined;
  }
}
