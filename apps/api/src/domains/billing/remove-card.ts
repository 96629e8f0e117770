import type { Once } from '@nephos/contracts/implement';
import { atomically, type Database } from '@nephos/db';
import type { Kysely, Selectable } from 'kysely';
import type { UserContext } from '../../core/context.ts';
import { conflict, notFound } from '../../core/errors.ts';
import { lockAccount } from '../../platform/account-lock.ts';
import { customerOf, NO_CARD } from './customers.ts';
import type { PaymentProvider } from './provider.ts';

const CARD_COLUMNS = ['paymentMethodId', 'brand', 'last4', 'expiryMonth', 'expiryYear'] as const;
type KeptCard = Pick<Selectable<Database['paymentCustomers']>, (typeof CARD_COLUMNS)[number]>;

/** Forgets the card, here and at the provider. Throws 404 without one, and 409 while a subscription needs it. */
export async function removeCard(ctx: UserContext, provider: PaymentProvider, once: Once<UserContext>) {
  const { db, ownerId } = ctx;
  const kept = await customerOf(db, ownerId, provider).select(CARD_COLUMNS).executeTakeFirst();
  const cardId = kept?.paymentMethodId ?? null;
  if (kept && cardId !== null) await forgetCard(ctx, provider, { cardId, kept });
  // The provider was asked outside of a transaction, which would be open while it answers.
  return once(async (inner) => {
    if (cardId === null) throw notFound('NOT_FOUND', 'There is no card to remove.');
    await changeCard(inner.db, { userId: ownerId, cardId }, NO_CARD);
    return { success: true as const };
  });
}

/** Marks the card as none that can be charged before the provider is asked, so that no subscription resumes meanwhile. */
async function forgetCard(
  { db, ownerId }: UserContext,
  provider: PaymentProvider,
  { cardId, kept }: { cardId: string; kept: KeptCard },
): Promise<void> {
  const card = { userId: ownerId, cardId };
  await atomically(db, async (trx) => {
    await assertNotNeeded(trx, ownerId);
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

/** Changes what is stored of the card; nothing where another card took its place. */
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
