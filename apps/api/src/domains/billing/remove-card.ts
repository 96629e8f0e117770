import { billing } from '@nephos/contracts';
import { atomically, type Database } from '@nephos/db';
import type { Kysely, Selectable } from 'kysely';
import type { UserContext } from '../../context.ts';
import { conflict, notFound } from '../../errors.ts';
import { once } from '../../http/idempotency.ts';
import { lockAccount } from '../auth/lock-account.ts';
import { customerOf, NO_CARD } from './customers.ts';

const CARD_COLUMNS = ['paymentMethodId', 'brand', 'last4', 'expiryMonth', 'expiryYear'] as const;
type KeptCard = Pick<Selectable<Database['paymentCustomers']>, (typeof CARD_COLUMNS)[number]>;

/** Forgets the card, here and at the provider. Throws 404 without one, and 409 while a subscription needs it. */
export async function removeCard(ctx: UserContext): Promise<{ success: true }> {
  const {
    db,
    user,
    billing: { provider },
  } = ctx;
  const kept = await customerOf(db, user.id, provider).select(CARD_COLUMNS).executeTakeFirst();
  const cardId = kept?.paymentMethodId ?? null;
  if (kept && cardId !== null) await forgetCard(ctx, cardId, kept);
  // The provider was asked before there was a transaction, which would wait for it.
  const call = {
    row: billing.removeCard,
    ctx,
    path: 'billing.removeCard',
    input: null,
  };
  await once(call, async (inner) => {
    if (cardId === null) throw notFound('NOT_FOUND', 'There is no card to remove.');
    await changeCard(inner.db, { userId: user.id, cardId }, NO_CARD);
    return { success: true };
  });
  return { success: true };
}

/** The card is none that could be charged from before the provider is asked, so that nothing resumes by it meanwhile. */
async function forgetCard(
  { db, user, billing: { provider } }: UserContext,
  cardId: string,
  kept: KeptCard,
): Promise<void> {
  const card = { userId: user.id, cardId };
  await atomically(db, async (trx) => {
    await assertNotNeeded(trx, user.id);
    await changeCard(trx, card, { brand: null });
  });
  try {
    await provider.forgetCard(cardId);
  } catch (error) {
    await changeCard(db, card, kept);
    throw error;
  }
}

async function assertNotNeeded(trx: Kysely<Database>, userId: string): Promise<void> {
  await lockAccount(trx, userId);
  const renewing = await trx
    .selectFrom('subscriptions')
    .select('id')
    .where('userId', '=', userId)
    .where('status', '<>', 'cancelled')
    .where(({ eb, or }) => or([eb('cancelAtPeriodEnd', '=', false), eb('charging', 'is not', null)]))
    .executeTakeFirst();
  if (renewing) {
    throw conflict('CARD_IN_USE', 'Your subscription renews with this card. Cancel the subscription first.');
  }
}

/** What is kept under that card's id; nothing where another took its place. */
async function changeCard(
  db: Kysely<Database>,
  { userId, cardId }: { userId: string; cardId: string },
  change: Partial<KeptCard>,
): Promise<void> {
  await db
    .updateTable('paymentCustomers')
    .set(change)
    .where('userId', '=', userId)
    .where('paymentMethodId', '=', cardId)
    .execute();
}
