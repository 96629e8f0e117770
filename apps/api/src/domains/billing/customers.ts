import type { PaymentCard } from '@nephos/contracts';
import { billing } from '@nephos/contracts';
import { atomically, type Database } from '@nephos/db';
import type { Kysely, Selectable } from 'kysely';
import type { UserContext } from '../../context.ts';
import { conflict, notFound } from '../../errors.ts';
import { onceByKey } from '../../http/idempotency.ts';
import { lockAccount } from '../auth/lock-account.ts';
import type { Card, Customer, PaymentProvider } from './provider.ts';

const CARD_COLUMNS = ['paymentMethodId', 'brand', 'last4', 'expiryMonth', 'expiryYear'] as const;
type KeptCard = Pick<Selectable<Database['paymentCustomers']>, (typeof CARD_COLUMNS)[number]>;
const NO_CARD: KeptCard = {
  ...{ paymentMethodId: null, brand: null, last4: null },
  ...{ expiryMonth: null, expiryYear: null },
};

/** Someone at the provider that takes payments now: test and live mode know nothing of each other. */
function customerOf(db: Kysely<Database>, userId: string, { info, livemode }: PaymentProvider) {
  return db
    .selectFrom('paymentCustomers')
    .where('userId', '=', userId)
    .where('provider', '=', info.name)
    .where('livemode', '=', livemode);
}

/** The card that someone's renewals are charged to. */
export async function readCard(
  db: Kysely<Database>,
  userId: string,
  provider: PaymentProvider,
): Promise<PaymentCard | null> {
  const { card } = (await readCustomer(db, userId, provider)) ?? { card: null };
  return (
    card && {
      brand: card.brand,
      last4: card.last4,
      expiryMonth: card.expiryMonth,
      expiryYear: card.expiryYear,
    }
  );
}

/** Undefined for who has never begun to pay. */
export async function readCustomer(
  db: Kysely<Database>,
  userId: string,
  provider: PaymentProvider,
): Promise<{ customerId: string; card: Card | null } | undefined> {
  const row = await customerOf(db, userId, provider)
    .select(['customerId', 'paymentMethodId as id', 'brand', 'last4', 'expiryMonth', 'expiryYear'])
    .executeTakeFirst();
  if (!row) return undefined;
  const { customerId, id, brand, last4, expiryMonth, expiryYear } = row;
  const whole =
    id !== null && brand !== null && last4 !== null && expiryMonth !== null && expiryYear !== null;
  return { customerId, card: whole ? { id, brand, last4, expiryMonth, expiryYear } : null };
}

/** The signed-in person's id at the provider, which learns of them at their first payment. */
export async function ensureCustomer({ db, user, billing: { provider } }: UserContext): Promise<string> {
  const known = await readCustomer(db, user.id, provider);
  if (known) return known.customerId;
  const customerId = await provider.createCustomer(customerFor(user));
  await db
    .insertInto('paymentCustomers')
    .values({ userId: user.id, provider: provider.info.name, livemode: provider.livemode, customerId })
    .onConflict((known) => known.doNothing())
    .execute();
  return customerId;
}

function customerFor({ id: userId, email, firstName, lastName }: UserContext['user']): Customer {
  return { userId, email, name: [firstName, lastName].filter(Boolean).join(' ') };
}

/** Another id for the signed-in person, whose earlier one the provider knows no more; their card went with it. */
export async function replaceCustomer(
  { db, user, billing: { provider } }: UserContext,
  replaces: string,
): Promise<string> {
  const customerId = await provider.createCustomer({ ...customerFor(user), replaces });
  await db
    .updateTable('paymentCustomers')
    .set({ customerId, ...NO_CARD })
    .where('userId', '=', user.id)
    .where('customerId', '=', replaces)
    .execute();
  return customerId;
}

/** Charges renewals to this card from now on. */
export async function keepCard(
  trx: Kysely<Database>,
  userId: string,
  { provider, card }: { provider: PaymentProvider; card: Card },
): Promise<void> {
  const { id: paymentMethodId, ...shown } = card;
  await trx
    .updateTable('paymentCustomers')
    .set({ paymentMethodId, ...shown })
    .where('userId', '=', userId)
    .where('provider', '=', provider.info.name)
    .where('livemode', '=', provider.livemode)
    .execute();
}

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
    row: { ...billing.removeCard, keepsKeys: false },
    ctx,
    path: 'billing.removeCard',
    input: null,
  };
  await onceByKey(call, async (inner) => {
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
