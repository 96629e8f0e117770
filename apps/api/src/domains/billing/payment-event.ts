import { atomically, type Database } from '@nephos/db';
import { type Kysely, sql } from 'kysely';
import { notFound, Refusal } from '../../core/errors.ts';
import { activate } from './activate.ts';
import type { BillingParts } from './billing.ts';
import { concludeRenewal } from './conclude-renewal.ts';
import { chargedOf, type Intent, type PaymentProvider } from './provider.ts';
import type { PaymentEvent } from './stripe-event.ts';

type EventParts = Pick<BillingParts, 'db' | 'provider' | 'log' | 'forgetFormerCards'>;

/** Days that events are remembered; Stripe gives up delivering one after three. */
const KEPT_DAYS = 30;
/** Refusals that another delivery would get as well. */
const FOR_GOOD = new Set(['PAYMENT_NOT_COMPLETED', 'PLAN_MISMATCH', 'NOT_FOUND']);

/**
 * Does what an event is about, once: its id is kept in the transaction of its effect. What it says is not believed but
 * read at the provider, so events may come late, twice and in any order. Throws 503 for what shall be delivered again.
 */
export async function receiveEvent(parts: EventParts, event: PaymentEvent): Promise<void> {
  if (event.intentId === null) {
    parts.log.info({ event: event.id, type: event.type }, 'an event tells of no payment, and is ignored');
    return;
  }
  if (await isKnown(parts.db, event.id)) return;
  const intent = await parts.provider.readIntent(event.intentId);
  if (!intent) return;
  try {
    await atomically(parts.db, async (trx) => {
      if (await keep(trx, event)) await apply(trx, parts.provider, intent);
    });
    // The answer does not wait for it, and what fails now is done within the hour.
    void parts.forgetFormerCards();
  } catch (error) {
    if (!(error instanceof Refusal && FOR_GOOD.has(error.reason))) throw error;
    parts.log.warn({ event: event.id, intent: intent.id, reason: error.reason }, 'an event had no effect');
  }
}

async function apply(trx: Kysely<Database>, provider: PaymentProvider, intent: Intent): Promise<void> {
  const { chargeKey } = intent.metadata;
  if (chargeKey !== undefined) {
    const charged = chargedOf(intent);
    if (charged) await concludeRenewal(trx, provider, { key: chargeKey, charged, card: intent.card });
  } else if (intent.status === 'succeeded') {
    // A first payment that was declined in the browser is no charge: it is tried again there.
    await activate(trx, await askedFor(trx, intent.id), { intent, provider });
  }
}

/** Looks up whose payment it is. Throws 404 for one that others, who share our account at the provider, asked for. */
async function askedFor(trx: Kysely<Database>, id: string): Promise<{ id: string; userId: string }> {
  const asked = await trx
    .selectFrom('paymentIntents')
    .select(['id', 'userId'])
    .where('id', '=', id)
    .executeTakeFirst();
  if (!asked) throw notFound();
  return asked;
}

async function isKnown(db: Kysely<Database>, id: string): Promise<boolean> {
  const known = await db.selectFrom('webhookEvents').select('id').where('id', '=', id).executeTakeFirst();
  return known !== undefined;
}

/** False for an event that had its effect already. It waits for one whose effect is being made. */
async function keep(trx: Kysely<Database>, { id, type }: PaymentEvent): Promise<boolean> {
  const { numInsertedOrUpdatedRows: inserted } = await trx
    .insertInto('webhookEvents')
    .values({ id, type })
    .onConflict((known) => known.doNothing())
    .executeTakeFirst();
  return inserted === 1n;
}

export async function sweepEvents(db: Kysely<Database>): Promise<void> {
  await db
    .deleteFrom('webhookEvents')
    .where('receivedAt', '<', sql<string>`now() - make_interval(days => ${KEPT_DAYS})`)
    .execute();
}
