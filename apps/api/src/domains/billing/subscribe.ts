import type { PlanTier } from '@nephos/contracts';
import { found, type Once } from '@nephos/contracts/implement';
import { atomically } from '@nephos/db';
import type { UserContext } from '../../core/context.ts';
import { notFound } from '../../core/errors.ts';
import { activate } from './activate.ts';
import type { BillingParts } from './billing.ts';
import { assertBillingOn, planMismatch, requestedBy } from './intents.ts';

interface Input {
  planTier: PlanTier;
  paymentIntentId: string;
}

/**
 * Subscribes the owner with a payment that they began and that succeeded, as the provider says now. The provider is
 * asked outside of a transaction, which would be open while it answers. Throws 403 BILLING_OFF, and as `activate` does.
 */
export async function subscribe(
  ctx: UserContext,
  parts: Pick<BillingParts, 'settings' | 'provider' | 'forgetFormerCards'>,
  input: Input,
  once: Once<UserContext>,
) {
  const { db, ownerId } = ctx;
  const { settings, provider } = parts;
  assertBillingOn(settings);
  const id = input.paymentIntentId;
  const requested = await requestedBy(db, ownerId).where('id', '=', id).executeTakeFirst();
  const asked = requested !== undefined && requested.subscriptionId === null;
  const intent = asked ? await provider.readIntent(id) : null;
  const answer = await once(async (inner) => {
    if (!requested) throw notFound();
    if (requested.planTier !== input.planTier) throw planMismatch();
    const activation = await atomically(inner.db, (trx) =>
      activate(trx, { id, userId: ownerId }, { intent, provider }),
    );
    return activation.existing ? found(activation.subscription) : activation.subscription;
  });
  // The answer does not wait for it, and what fails now is done within the hour.
  ctx.afterCommit(() => void parts.forgetFormerCards());
  return answer;
}
