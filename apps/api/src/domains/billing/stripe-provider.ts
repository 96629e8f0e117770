import type { Logger } from 'pino';
import Stripe from 'stripe';
import { unavailable, unavailableSince } from '../../core/errors.ts';
import type { StripeSettings } from '../../core/settings.ts';
import {
  CARD_GONE,
  type Charge,
  type Charged,
  type Customer,
  chargedOf,
  customerKeyOf,
  type Intent,
  type Order,
  type PaymentProvider,
  type Purpose,
} from './provider.ts';
import { declineOf, intentOf } from './stripe-intent.ts';

/** Milliseconds that a person waits for Stripe, twice at the most. */
const TIMEOUT = 4000;
/** Milliseconds for a charge that nobody waits for. */
const CHARGE_TIMEOUT = 25_000;
const EXPAND = ['payment_method', 'latest_charge'];

const { StripeCardError, StripeInvalidRequestError } = Stripe.errors;

/** Card payments by Stripe. Nothing that it answers is logged whole: there are secrets in it. */
export function createStripeProvider(
  keys: StripeSettings,
  log: Logger,
  { timeout } = { timeout: TIMEOUT },
): PaymentProvider {
  const limits = { timeout, maxNetworkRetries: 1, telemetry: false };
  const stripe = new Stripe(keys.secretKey, { ...addressOf(keys.apiBase), ...limits });
  const livemode = isLive(keys.secretKey);

  async function ask<T>(question: () => Promise<T>): Promise<T> {
    try {
      return await question();
    } catch (error) {
      throw failureOf(error, log);
    }
  }

  return {
    livemode,
    info: { name: 'stripe', publishableKey: keys.publishableKey, testMode: !livemode, testCards: [] },
    createCustomer: (customer) => ask(() => createCustomer(stripe, customer)),
    createIntent: (order) => ask(() => unlessMissing(() => createIntent(stripe, order), 'customer')),
    readIntent: (id) => ask(() => unlessMissing(() => readIntent(stripe, id))),
    payWith: (id, cardId) => ask(() => unlessMissing(() => payWith(stripe, id, cardId), 'intent')),
    findCharge: (charge) => ask(() => lookUpCharge(stripe, charge)),
    charge: (charge) => ask(() => makeCharge(stripe, charge)),
    forgetCard: (cardId) => ask(() => forgetCard(stripe, cardId)),
  };
}

/** Whether a secret key moves real money. */
function isLive(secretKey: string): boolean {
  return /^[a-z]+_live_/.test(secretKey);
}

function addressOf(base: URL | undefined) {
  if (!base) return {};
  const protocol = base.protocol === 'http:' ? ('http' as const) : ('https' as const);
  return { protocol, host: base.hostname, port: base.port || (protocol === 'http' ? 80 : 443) };
}

/** 503 for what is not the person's fault: Stripe is away, or does not take our keys, or not what we ask. */
function failureOf(error: unknown, log: Logger): unknown {
  if (!(error instanceof Stripe.errors.StripeError)) return error;
  const { type, code, statusCode, requestId } = error;
  log.warn(
    { provider: 'stripe', type, code, statusCode, requestId },
    'a call to the payment provider failed',
  );
  return unavailable("Card payments aren't available right now. Try again in a moment.");
}

/** Null where what is asked about, or what `param` names, is not there, for example deleted in the dashboard. */
async function unlessMissing<T>(question: () => Promise<T>, param?: string): Promise<T | null> {
  try {
    return await question();
  } catch (error) {
    const isMissing = error instanceof StripeInvalidRequestError && error.code === 'resource_missing';
    if (isMissing && (param === undefined || error.param === param)) return null;
    throw error;
  }
}

async function createCustomer(stripe: Stripe, person: Customer): Promise<string> {
  const { userId, email, name } = person;
  const customer = await stripe.customers.create(
    { email, ...(name && { name }), metadata: { userId } },
    { idempotencyKey: customerKeyOf(person) },
  );
  return customer.id;
}

function metadataOf({ userId, planTier, chargeKey }: Purpose) {
  return { userId, planTier, ...(chargeKey !== undefined && { chargeKey }) };
}

async function createIntent(stripe: Stripe, order: Order): Promise<Intent> {
  const intent = await stripe.paymentIntents.create(
    {
      amount: order.amount,
      currency: 'usd',
      customer: order.customerId,
      allowed_payment_method_types: ['card'],
      setup_future_usage: 'off_session',
      metadata: metadataOf(order.purpose),
      expand: EXPAND,
    },
    { idempotencyKey: order.key },
  );
  return intentOf(intent);
}

async function readIntent(stripe: Stripe, id: string): Promise<Intent> {
  return intentOf(await stripe.paymentIntents.retrieve(id, { expand: EXPAND }));
}

/**
 * No key of ours: a card that was declined may be tried again, and a payment that succeeded is not made twice under any
 * key. The person waits for it.
 */
async function payWith(stripe: Stripe, id: string, cardId: string): Promise<Intent> {
  try {
    return intentOf(
      await stripe.paymentIntents.confirm(
        id,
        // Stripe's script in the browser shows what the bank asks.
        { payment_method: cardId, use_stripe_sdk: true, expand: EXPAND },
        { timeout: CHARGE_TIMEOUT },
      ),
    );
  } catch (error) {
    if (error instanceof StripeCardError || isSettled(error)) return readIntent(stripe, id);
    if (isCardGone(error) && !isIntentGone(error)) {
      return { ...(await readIntent(stripe, id)), failure: CARD_GONE };
    }
    throw error;
  }
}

/** Whether a payment is not to be paid any more: it succeeded, is being decided on, or was cancelled. */
function isSettled(error: unknown): boolean {
  return error instanceof StripeInvalidRequestError && error.code === 'payment_intent_unexpected_state';
}

function isIntentGone(error: unknown): boolean {
  return error instanceof StripeInvalidRequestError && error.param === 'intent';
}

async function lookUpCharge(
  stripe: Stripe,
  charge: Pick<Charge, 'customerId' | 'key'>,
): Promise<Charged | null> {
  const made = await unlessMissing(() => findCharge(stripe, charge), 'customer');
  return made ? decided(made) : null;
}

async function makeCharge(stripe: Stripe, charge: Charge): Promise<Charged> {
  const made = charge.maybeMade ? await lookUpCharge(stripe, charge) : null;
  return made ?? attempt(stripe, charge);
}

/** 503 while it is open: nothing is known then. */
function decided(intent: Intent): Charged {
  const charged = chargedOf(intent);
  if (!charged) throw unavailableSince('the payment provider has not decided on the charge');
  return charged;
}

/** Stripe may forget a key after a day, but never the payment that it made. */
async function findCharge(
  stripe: Stripe,
  { customerId, key }: Pick<Charge, 'customerId' | 'key'>,
): Promise<Intent | undefined> {
  const made = stripe.paymentIntents.list({
    customer: customerId,
    limit: 100,
    expand: EXPAND.map((member) => `data.${member}`),
  });
  for await (const intent of made) if (intent.metadata.chargeKey === key) return intentOf(intent);
  return undefined;
}

async function attempt(stripe: Stripe, charge: Charge): Promise<Charged> {
  try {
    const intent = await stripe.paymentIntents.create(
      {
        amount: charge.amount,
        currency: 'usd',
        customer: charge.customerId,
        payment_method: charge.cardId,
        allowed_payment_method_types: ['card'],
        off_session: true,
        confirm: true,
        metadata: metadataOf(charge.purpose),
        expand: EXPAND,
      },
      { idempotencyKey: charge.key, timeout: CHARGE_TIMEOUT },
    );
    return decided(intentOf(intent));
  } catch (error) {
    if (error instanceof StripeCardError) return declineOf(error);
    if (isCardGone(error)) {
      return { status: 'declined', intentId: null, failure: CARD_GONE };
    }
    throw error;
  }
}

/** Whether the card, or its owner, is not at Stripe any more. Everything else that Stripe refuses is a fault of ours. */
function isCardGone(error: unknown): boolean {
  if (!(error instanceof StripeInvalidRequestError)) return false;
  return error.code === 'resource_missing' || error.param === 'payment_method';
}

async function forgetCard(stripe: Stripe, cardId: string): Promise<void> {
  try {
    await stripe.paymentMethods.detach(cardId);
  } catch (error) {
    // It is unknown, or attached to nobody any more.
    if (!(error instanceof StripeInvalidRequestError)) throw error;
  }
}
