import type { SavedCardOutcome } from '@nephos/contracts';
import type { UserContext } from '../../core/context.ts';
import { conflict, notFound } from '../../core/errors.ts';
import type { BillingParts } from './billing.ts';
import { claimCharge, isOver, releaseCharge } from './charge-claim.ts';
import { readCustomer } from './customers.ts';
import { assertBillingOn, requestedBy } from './intents.ts';
import type { Intent } from './provider.ts';

/**
 * Pays what the owner began to pay with the card that their renewals are charged to. The payment is bound to its owner,
 * plan and price, and is made once: repeated, it says what came of it. Making a subscription of it is `subscribe`, as of
 * any other. Throws 403 BILLING_OFF, 404, 409 ALREADY_SUBSCRIBED, NO_CARD and PAYMENT_IN_PROGRESS, and 503 while a renewal
 * is being charged or where the provider does not answer.
 */
export async function payWithSavedCard(
  ctx: UserContext,
  { settings, provider }: Pick<BillingParts, 'settings' | 'provider'>,
  { paymentIntentId: id }: { paymentIntentId: string },
): Promise<SavedCardOutcome> {
  assertBillingOn(settings);
  const { db, ownerId } = ctx;
  const requested = await requestedBy(db, ownerId)
    .where('id', '=', id)
    .where('provider', '=', provider.info.name)
    .executeTakeFirst();
  if (!requested) throw notFound();
  if (requested.subscriptionId !== null) return { status: 'succeeded', paymentIntentId: id, message: '' };
  const customer = await readCustomer(db, ownerId, provider);
  if (!customer?.card) throw conflict('NO_CARD', 'There is no saved card to pay with.');
  const claim = await claimCharge(ctx, provider, requested);
  const intent = await provider.payWith(id, customer.card.id);
  if (isOver(intent)) await releaseCharge(db, claim);
  if (!intent) throw notFound();
  return outcomeOf(intent);
}

const CANCELED = 'This payment was cancelled. Choose the plan again.';

function outcomeOf({ id: paymentIntentId, status, failure }: Intent): SavedCardOutcome {
  switch (status) {
    case 'canceled':
      return { status: 'requires_payment_method', paymentIntentId, message: CANCELED };
    case 'requires_payment_method':
      return { status, paymentIntentId, message: failure || 'The card was declined.' };
    default:
      return { status, paymentIntentId, message: '' };
  }
}
