import { billing, type PlanTier, type Subscription } from '@nephos/contracts';
import { atomically } from '@nephos/db';
import type { UserContext } from '../../context.ts';
import { notFound } from '../../errors.ts';
import { once } from '../../http/idempotency.ts';
import { activate } from './activate.ts';
import { planMismatch, requestedBy } from './intents.ts';
import { assertBillingOn } from './status.ts';

interface Input {
  planTier: PlanTier;
  paymentIntentId: string;
}

/**
 * Subscribes the signed-in person with a payment that they began and that succeeded, as the provider says now. The
 * provider is asked before there is a transaction, which would wait for it. Throws 403 BILLING_OFF, and as
 * `activate` does.
 */
export async function subscribe(ctx: UserContext, input: Input): Promise<Subscription> {
  assertBillingOn(ctx);
  const { db, user } = ctx;
  const { provider } = ctx.billing;
  const id = input.paymentIntentId;
  const requested = await requestedBy(db, user.id).where('id', '=', id).executeTakeFirst();
  const asked = requested !== undefined && requested.subscriptionId === null;
  const intent = asked ? await provider.readIntent(id) : null;
  const call = { row: billing.subscribe, ctx, path: 'billing.subscribe', input };
  const answer = await once(call, async (inner) => {
    if (!requested) throw notFound();
    if (requested.planTier !== input.planTier) throw planMismatch();
    const activation = await atomically(inner.db, (trx) =>
      activate(trx, { id, userId: user.id }, { intent, provider }),
    );
    if (activation.existing) inner.foundExisting();
    return activation.subscription;
  });
  // Nobody waits for it, and what fails now is done later.
  void ctx.billing.forgetFormerCards();
  // What was kept under a key is what was answered to it first.
  return answer as Subscription;
}
