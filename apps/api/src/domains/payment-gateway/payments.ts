import { randomBytes } from 'node:crypto';
import { type GatewayTransaction, MAX_PAGE, type Page } from '@nephos/contracts';
import type { Database } from '@nephos/db';
import type { Kysely, Selectable } from 'kysely';
import type { z } from 'zod';
import type { UserContext } from '../../core/context.ts';
import { notFound } from '../../core/errors.ts';

export type PaymentRow = Selectable<Database['gatewayPayments']>;

const SHOWN = [
  'id',
  'virtualAccountId',
  'type',
  'status',
  'reference',
  'description',
  'amount',
  'senderAccountName',
  'senderAccountNumber',
  'senderBankName',
  'receiverAccountName',
  'receiverAccountNumber',
  'receiverBankName',
  'failure',
  'createdAt',
  'settledAt',
] as const satisfies (keyof PaymentRow)[];

/** Crockford's base 32: no I, L, O and U. */
const LETTERS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const REFERENCE_LENGTH = 16;

/** Names a payment to people, with 80 random bits, for example `NP-7K3M9QX2TWBD0F5H`. */
export function newReference(): string {
  let reference = 'NP-';
  for (const byte of randomBytes(REFERENCE_LENGTH)) reference += LETTERS.charAt(byte % LETTERS.length);
  return reference;
}

/** Someone's side of payments, with exactly what the contract shows. */
function paymentsOf(db: Kysely<Database>, ownerId: string) {
  return db.selectFrom('gatewayPayments').where('ownerId', '=', ownerId).select(SHOWN);
}

/** The owner's payments, newest first. */
export function listPayments(
  { db, ownerId }: UserContext,
  { limit = MAX_PAGE, cursor }: z.output<typeof Page> = {},
): Promise<GatewayTransaction[]> {
  const all = paymentsOf(db, ownerId).orderBy('id', 'desc').limit(limit);
  return (cursor === undefined ? all : all.where('id', '<', cursor)).execute();
}

/** Throws 404. */
export async function findPayment(
  db: Kysely<Database>,
  ownerId: string,
  id: string,
): Promise<GatewayTransaction> {
  const payment = await paymentsOf(db, ownerId).where('id', '=', id).executeTakeFirst();
  if (!payment) throw notFound();
  return payment;
}
