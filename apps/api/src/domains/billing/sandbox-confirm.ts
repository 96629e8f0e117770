import type { SandboxCard, SandboxOutcome } from '@nephos/contracts';
import { atomically, type Database } from '@nephos/db';
import { type Kysely, sql } from 'kysely';
import type { z } from 'zod';
import type { UserContext } from '../../core/context.ts';
import { forbidden, notFound } from '../../core/errors.ts';
import type { BillingParts } from './billing.ts';
import type { Intent } from './provider.ts';
import { type NamedCard, testCardOf } from './sandbox-cards.ts';
import { idOfSecret, newSandboxId, readSandboxIntent, SUCCEEDED } from './sandbox-intents.ts';

type Input = z.output<typeof SandboxCard>;
type Payer = Pick<UserContext, 'db' | 'ownerId' | 'audit'>;
type Sandbox = Pick<BillingParts, 'secrets' | 'provider'>;

const NO_TEST_CARD = "This isn't a test card. The sandbox accepts only its own test cards.";
const NOT_AUTHENTICATED =
  'We are unable to authenticate your payment method. Please choose a different payment method and try again.';

/**
 * Pays with a test card what the owner began to pay. Once it succeeded, it stays so. Throws 403 where
 * payments go to Stripe, and 404.
 */
export function confirmSandboxPayment(ctx: Payer, parts: Sandbox, input: Input): Promise<SandboxOutcome> {
  return withIntent(ctx, parts, input.clientSecret, async (trx, { id, status, card: earlier }) => {
    if (status === 'succeeded') return;
    if (earlier) await dropCard(trx, { id, cardId: earlier.id });
    const card = testCardOf(input.cardNumber);
    const failure = card ? (card.declined ?? (await expiryFailure(trx, input))) : NO_TEST_CARD;
    if (!card || failure !== '') return decline(trx, id, failure);
    await trx
      .updateTable('sandboxIntents')
      .set(card.asks ? { status: 'requires_action', failure: '' } : SUCCEEDED)
      .set({ cardId: await keepCard(trx, { id, card, input }) })
      .where('id', '=', id)
      .execute();
  });
}

/** Answers as the card's owner would answer their bank. Throws as `confirmSandboxPayment`. */
export function authenticateSandboxPayment(
  ctx: Payer,
  parts: Sandbox,
  { clientSecret, approve }: { clientSecret: string; approve: boolean },
): Promise<SandboxOutcome> {
  return withIntent(ctx, parts, clientSecret, async (trx, { id, status, card }) => {
    if (status !== 'requires_action') return;
    if (!approve) {
      if (card) await dropCard(trx, { id, cardId: card.id });
      return decline(trx, id, NOT_AUTHENTICATED);
    }
    await trx.updateTable('sandboxIntents').set(SUCCEEDED).where('id', '=', id).execute();
  });
}

/** Changes someone's payment under its lock, and says what it is then. */
async function withIntent(
  { db, ownerId, audit }: Payer,
  { secrets, provider }: Sandbox,
  clientSecret: string,
  change: (trx: Kysely<Database>, intent: Intent) => Promise<void>,
): Promise<SandboxOutcome> {
  if (provider.info.name !== 'sandbox') {
    throw forbidden('FORBIDDEN', 'Card payments are handled by Stripe here, so there is no sandbox.');
  }
  const id = idOfSecret({ secrets }, clientSecret);
  const own = await db
    .selectFrom('paymentIntents')
    .select('id')
    .where('userId', '=', ownerId)
    .where('id', '=', id ?? '')
    .executeTakeFirst();
  if (!own) throw notFound();
  return atomically(db, async (trx) => {
    const deps = { db: trx, secrets };
    const before = await readSandboxIntent(deps, own.id, { lock: true });
    if (!before) throw notFound();
    await change(trx, before);
    const after = await readSandboxIntent(deps, own.id);
    if (!after) throw notFound();
    audit.note({ subject: { id: own.id }, after: { status: after.status } });
    await audit.write(trx);
    return outcomeOf(after);
  });
}

function outcomeOf({ id, status, failure }: Intent): SandboxOutcome {
  const shown = status === 'succeeded' || status === 'requires_action' ? status : 'requires_payment_method';
  return { status: shown, paymentIntentId: id, message: failure };
}

/** Forgets a card that a payment came to nothing with, but for one that is kept since it has paid another. */
async function dropCard(trx: Kysely<Database>, { id, cardId }: { id: string; cardId: string }) {
  const paidAnother = trx
    .selectFrom('sandboxIntents')
    .select('id')
    .where('cardId', '=', cardId)
    .where('id', '<>', id)
    .where('status', '=', 'succeeded');
  await trx.updateTable('sandboxIntents').set({ cardId: null }).where('id', '=', id).execute();
  await trx
    .deleteFrom('sandboxCards')
    .where('id', '=', cardId)
    .where(({ not, exists }) => not(exists(paidAnother)))
    .execute();
}

async function decline(trx: Kysely<Database>, id: string, failure: string): Promise<void> {
  await trx
    .updateTable('sandboxIntents')
    .set({ status: 'requires_payment_method', failure })
    .where('id', '=', id)
    .execute();
}

async function keepCard(
  trx: Kysely<Database>,
  { id, card, input }: { id: string; card: NamedCard; input: Input },
): Promise<string> {
  const { expiryMonth, expiryYear } = input;
  const { customerId } = await trx
    .selectFrom('sandboxIntents')
    .select('customerId')
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  const kept = await trx
    .insertInto('sandboxCards')
    .values({
      ...{ id: newSandboxId('pm'), customerId, testCard: card.name, brand: card.brand },
      ...{ last4: card.number.slice(-4), expiryMonth, expiryYear },
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return kept.id;
}

/** Stripe's sentence for a card whose month has ended, by the database's clock; '' for one that is good. */
async function expiryFailure(trx: Kysely<Database>, { expiryYear, expiryMonth }: Input): Promise<string> {
  const { rows } = await sql<{ year: number; month: number }>`
    select extract(year from day)::int as year, extract(month from day)::int as month
    from (select now() at time zone 'UTC' as day) today`.execute(trx);
  const { year, month } = rows[0] ?? { year: 0, month: 0 };
  if (expiryYear < year) return "Your card's expiration year is invalid.";
  if (expiryYear === year && expiryMonth < month) return "Your card's expiration month is invalid.";
  return '';
}
