import { atomically, type Database } from '@nephos/db';
import { type Kysely, sql } from 'kysely';
import type { Charge, Charged, Customer, Intent, Order, PaymentProvider } from './provider.ts';
import { TEST_CARDS, testCardNamed } from './sandbox-cards.ts';
import { newSandboxId, readSandboxIntent, type SandboxDeps, sandboxIntentOf } from './sandbox-intents.ts';

const CARD_GONE = 'The card can no longer be charged.';
const EXPIRED = 'Your card has expired.';

/**
 * A provider in this process that moves no real money: Stripe's test cards behave as they do there. What it keeps is in
 * the database, so that it outlives the process and is one over all replicas.
 */
export function createSandboxProvider(deps: SandboxDeps): PaymentProvider {
  return {
    livemode: false,
    info: { name: 'sandbox', publishableKey: null, testMode: true, testCards: TEST_CARDS },
    createCustomer: (customer) => createCustomer(deps.db, customer),
    createIntent: (order) => atomically(deps.db, (db) => createIntent({ ...deps, db }, order)),
    readIntent: (id) => readSandboxIntent(deps, id),
    charge: (charge) => atomically(deps.db, (db) => makeCharge({ ...deps, db }, charge)),
    forgetCard: async (cardId) => {
      await deps.db.deleteFrom('sandboxCards').where('id', '=', cardId).execute();
    },
  };
}

async function createCustomer(db: Kysely<Database>, { userId }: Customer): Promise<string> {
  const { id } = await db
    .insertInto('sandboxCustomers')
    .values({ id: newSandboxId('cus'), idempotencyKey: userId })
    // Returns the row that was there.
    .onConflict((same) => same.column('idempotencyKey').doUpdateSet({ idempotencyKey: userId }))
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

type Beginning = { status: 'requires_payment_method' | 'succeeded'; cardId: string | null; failure: string };
const UNPAID: Beginning = { status: 'requires_payment_method', cardId: null, failure: '' };

/** The payment of the order's key: made as `beginning` says, or as it was made before. */
async function createIntent(deps: SandboxDeps, order: Order, beginning = UNPAID): Promise<Intent> {
  const { customerId, amount, purpose, key: idempotencyKey } = order;
  const metadata = JSON.stringify(purpose);
  await deps.db
    .insertInto('sandboxIntents')
    .values({ id: newSandboxId('pi'), customerId, idempotencyKey, amount, metadata, ...beginning })
    .onConflict((same) => same.column('idempotencyKey').doNothing())
    .execute();
  const made = await deps.db
    .selectFrom('sandboxIntents')
    .selectAll()
    .where('idempotencyKey', '=', idempotencyKey)
    .executeTakeFirstOrThrow();
  return sandboxIntentOf(deps, made);
}

async function makeCharge(deps: SandboxDeps, charge: Charge): Promise<Charged> {
  const failure = await declineOf(deps.db, charge);
  const { cardId } = charge;
  const intent = await createIntent(deps, charge, {
    ...(failure === ''
      ? { status: 'succeeded', cardId }
      : { status: 'requires_payment_method', cardId: null }),
    failure,
  });
  return intent.status === 'succeeded'
    ? { status: 'succeeded', intent }
    : { status: 'declined', intentId: intent.id, failure: intent.failure };
}

/** Why a card is not charged without its owner; '' where it is. */
async function declineOf(db: Kysely<Database>, { cardId, customerId }: Charge): Promise<string> {
  const card = await db
    .selectFrom('sandboxCards')
    .select(['testCard', isOver().as('expired')])
    .where('customerId', '=', customerId)
    .where('id', '=', cardId)
    .executeTakeFirst();
  if (!card) return CARD_GONE;
  if (card.expired) return EXPIRED;
  return testCardNamed(card.testCard)?.renewal ?? '';
}

/** A card is good until the end of its month. */
function isOver() {
  return sql<boolean>`make_date(expiry_year, expiry_month, 1) + interval '1 month' <= now() at time zone 'UTC'`;
}
