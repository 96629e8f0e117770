import { atomically, type Database } from '@nephos/db';
import { type Kysely, sql } from 'kysely';
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
} from './provider.ts';
import { behaviourOf, TEST_CARDS } from './sandbox-cards.ts';
import {
  newSandboxId,
  readSandboxIntent,
  type SandboxDeps,
  SUCCEEDED,
  sandboxIntentOf,
} from './sandbox-intents.ts';

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
    payWith: (id, cardId) => atomically(deps.db, (db) => payWith({ ...deps, db }, id, cardId)),
    findCharge: (charge) => findCharge(deps, charge),
    charge: (charge) => atomically(deps.db, (db) => makeCharge({ ...deps, db }, charge)),
    forgetCard: async (cardId) => {
      await deps.db.deleteFrom('sandboxCards').where('id', '=', cardId).execute();
    },
  };
}

async function createCustomer(db: Kysely<Database>, customer: Customer): Promise<string> {
  const idempotencyKey = customerKeyOf(customer);
  const { id } = await db
    .insertInto('sandboxCustomers')
    .values({ id: newSandboxId('cus'), idempotencyKey })
    // Returns the row that was there.
    .onConflict((same) => same.column('idempotencyKey').doUpdateSet({ idempotencyKey }))
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

type Beginning =
  | { status: 'requires_payment_method'; failure: string }
  | (typeof SUCCEEDED & { cardId: string });
const UNPAID: Beginning = { status: 'requires_payment_method', failure: '' };

/** The payment of the order's key: made as `beginning` says, or as it was made before. Null without the customer. */
async function createIntent(
  deps: SandboxDeps,
  order: Order,
  beginning: Beginning = UNPAID,
): Promise<Intent | null> {
  const { customerId, amount, purpose, key: idempotencyKey } = order;
  const customer = deps.db.selectFrom('sandboxCustomers').select('id').where('id', '=', customerId);
  if (!(await customer.executeTakeFirst())) return null;
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

async function findCharge(
  deps: SandboxDeps,
  { customerId, key }: Pick<Charge, 'customerId' | 'key'>,
): Promise<Charged | null> {
  const made = await deps.db
    .selectFrom('sandboxIntents')
    .selectAll()
    .where('customerId', '=', customerId)
    .where('idempotencyKey', '=', key)
    .executeTakeFirst();
  return made ? (chargedOf(await sandboxIntentOf(deps, made)) ?? null) : null;
}

async function makeCharge(deps: SandboxDeps, charge: Charge): Promise<Charged> {
  const failure = await declineOf(deps.db, charge);
  const beginning: Beginning =
    failure === '' ? { ...SUCCEEDED, cardId: charge.cardId } : { status: 'requires_payment_method', failure };
  const intent = await createIntent(deps, charge, beginning);
  if (!intent) return { status: 'declined', intentId: null, failure };
  return intent.status === 'succeeded'
    ? { status: 'succeeded', intent }
    : { status: 'declined', intentId: intent.id, failure: intent.failure };
}

/** The payment's owner is there, so a bank that asks at each payment asks them. */
async function payWith(deps: SandboxDeps, id: string, cardId: string): Promise<Intent | null> {
  const { db } = deps;
  const before = await readSandboxIntent(deps, id, { lock: true });
  if (before === null || before.status === 'succeeded') return before;
  const { customerId } = await db
    .selectFrom('sandboxIntents')
    .select('customerId')
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  const card = await readCard(db, { customerId, cardId });
  const failure = card.failure || (card.asks ? '' : card.renewal);
  const paid = card.asks ? ({ status: 'requires_action', failure: '' } as const) : SUCCEEDED;
  await db
    .updateTable('sandboxIntents')
    .set(failure === '' ? { ...paid, cardId } : { status: 'requires_payment_method', failure })
    .where('id', '=', id)
    .execute();
  return readSandboxIntent(deps, id);
}

/** Why a card is not charged without its owner; '' where it is. */
async function declineOf(db: Kysely<Database>, charge: Charge): Promise<string> {
  const { failure, renewal } = await readCard(db, charge);
  return failure || renewal;
}

interface KeptCard {
  /** Why it can be charged by nobody; '' where it can. */
  failure: string;
  /** Why it is not charged without its owner; '' where it is. */
  renewal: string;
  /** Whether its bank asks at each payment, however it was kept. */
  asks: boolean;
}

async function readCard(
  db: Kysely<Database>,
  { customerId, cardId }: Pick<Charge, 'customerId' | 'cardId'>,
): Promise<KeptCard> {
  const card = await db
    .selectFrom('sandboxCards')
    .select(['testCard', isOver().as('expired')])
    .where('customerId', '=', customerId)
    .where('id', '=', cardId)
    .executeTakeFirst();
  if (!card) return { failure: CARD_GONE, renewal: '', asks: false };
  return { failure: card.expired ? EXPIRED : '', ...behaviourOf(card.testCard) };
}

/** A card is good until the end of its month. */
function isOver() {
  return sql<boolean>`make_date(expiry_year, expiry_month, 1) + interval '1 month' <= now() at time zone 'UTC'`;
}
