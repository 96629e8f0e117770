import type { PaymentCard } from '@nephos/contracts';
import type { Database } from '@nephos/db';
import type { Kysely } from 'kysely';
import type { UserContext } from '../../core/context.ts';
import { giveUpCard } from './former-cards.ts';
import type { Card, Customer, PaymentProvider } from './provider.ts';

/** The columns of a card, where there is none. */
export const NO_CARD = {
  ...{ paymentMethodId: null, brand: null, last4: null },
  ...{ expiryMonth: null, expiryYear: null },
};

/** Someone's row for the provider and mode in use: test and live mode know nothing of each other. */
export function customerOf(db: Kysely<Database>, userId: string, { info, livemode }: PaymentProvider) {
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

/** Undefined for somebody who has never begun to pay. */
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

/** The owner's id at the provider, which learns of them at their first payment. */
export async function ensureCustomer(ctx: UserContext, provider: PaymentProvider): Promise<string> {
  const { db, ownerId } = ctx;
  const known = await readCustomer(db, ownerId, provider);
  if (known) return known.customerId;
  const customerId = await provider.createCustomer(customerFor(ctx));
  await db
    .insertInto('paymentCustomers')
    .values({ userId: ownerId, provider: provider.info.name, livemode: provider.livemode, customerId })
    .onConflict((known) => known.doNothing())
    .execute();
  return customerId;
}

function customerFor({ ownerId: userId, user: { email, firstName, lastName } }: UserContext): Customer {
  return { userId, email, name: [firstName, lastName].filter(Boolean).join(' ') };
}

/** Another id for the owner, whose earlier one the provider knows no more; their card went with it. */
export async function replaceCustomer(
  ctx: UserContext,
  provider: PaymentProvider,
  replaces: string,
): Promise<string> {
  const customerId = await provider.createCustomer({ ...customerFor(ctx), replaces });
  await ctx.db
    .updateTable('paymentCustomers')
    .set({ customerId, ...NO_CARD })
    .where('userId', '=', ctx.ownerId)
    .where('customerId', '=', replaces)
    .execute();
  return customerId;
}

/** Charges renewals to this card from now on; the provider forgets the one before. */
export async function keepCard(
  trx: Kysely<Database>,
  userId: string,
  { provider, card }: { provider: PaymentProvider; card: Card },
): Promise<void> {
  const { id: paymentMethodId, ...shown } = card;
  const before = await customerOf(trx, userId, provider).select('paymentMethodId').executeTakeFirst();
  const former = before?.paymentMethodId ?? card.id;
  if (former !== card.id) await giveUpCard(trx, provider, former);
  await trx
    .updateTable('paymentCustomers')
    .set({ paymentMethodId, ...shown })
    .where('userId', '=', userId)
    .where('provider', '=', provider.info.name)
    .where('livemode', '=', provider.livemode)
    .execute();
}
