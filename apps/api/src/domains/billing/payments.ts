import { MAX_PAGE, type Page, type Payment } from '@nephos/contracts';
import type { Database } from '@nephos/db';
import { type Kysely, sql } from 'kysely';
import type { z } from 'zod';
import type { UserContext } from '../../core/context.ts';
import { postCharge } from '../ledger/ledger.ts';

/** A payment's columns as the contract names them; its amount is in cents. */
export const PAYMENT_COLUMNS = [
  'id',
  'invoiceId',
  'userId',
  'amount',
  'paymentMethod',
  'status',
  'failure',
  'paymentDate',
] as const;

/** Cents, whole or not, in the dollars that payments and administrators are shown; the only place that converts them. */
export function dollarsOf(cents: number): number {
  return cents / 100;
}

/** A charge of which the outcome is known. */
export interface Charging {
  userId: string;
  subscriptionId: string;
  /** Null where the provider made none. */
  intentId: string | null;
  /** Cents. */
  amount: number;
  /** For people. */
  paymentMethod: string;
  /** Why it failed, in one sentence; '' where it was completed. */
  failure: string;
}

/**
 * Writes a charge down. A completed one is in the ledger too, in the same transaction: from the cards, which are outside
 * of this bank, to the revenue.
 */
export async function recordPayment(trx: Kysely<Database>, charging: Charging): Promise<void> {
  const invoiceId = await nextInvoice(trx);
  const completed = charging.failure === '';
  await trx
    .insertInto('payments')
    .values({
      ...charging,
      invoiceId,
      status: completed ? 'completed' : 'failed',
      ledgerTransactionId: completed
        ? await postCharge(trx, { reference: invoiceId, amount: charging.amount })
        : null,
      paymentDate: sql<string>`now()`,
    })
    .execute();
}

/** The year and a number that is never given twice, for example `INV-2026-000042`; a charge undone leaves a gap. */
async function nextInvoice(trx: Kysely<Database>): Promise<string> {
  const { rows } = await sql<{ id: string }>`
    select to_char(now() at time zone 'UTC', '"INV-"YYYY-') || lpad(n::text, greatest(6, length(n::text)), '0') as id
    from nextval('invoice_numbers') n`.execute(trx);
  const [{ id } = { id: '' }] = rows;
  return id;
}

/** What the owner's card was charged, newest first. */
export async function listPayments(
  { db, ownerId }: UserContext,
  { limit = MAX_PAGE, cursor }: z.output<typeof Page> = {},
): Promise<Payment[]> {
  const all = db
    .selectFrom('payments')
    .where('userId', '=', ownerId)
    .select(PAYMENT_COLUMNS)
    .orderBy('id', 'desc')
    .limit(limit);
  const rows = await (cursor === undefined ? all : all.where('id', '<', cursor)).execute();
  return rows.map((row) => ({ ...row, amount: dollarsOf(row.amount) }));
}
