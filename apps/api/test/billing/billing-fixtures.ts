import { randomUUID } from 'node:crypto';
import type { Inputs, PlanTier, SandboxOutcome, Subscription } from '@nephos/contracts';
import type { Database } from '@nephos/db';
import { type Kysely, sql } from 'kysely';
import type { Person } from '../world.ts';

type Caller = Pick<Person, 'rest' | 'rpc'>;

/** Stripe's test cards, by what they do. */
export const CARDS = {
  success: '4242424242424242',
  mastercard: '5555555555554444',
  declined: '4000000000000002',
  insufficientFunds: '4000000000009995',
  expired: '4000000000000069',
  incorrectCvc: '4000000000000127',
  asksOnce: '4000002500003155',
  asksAlways: '4000002760003184',
  renewalDeclined: '4000000000000341',
} as const;

/** What is typed into the card form, but for the payment's secret. */
export function cardInput(
  cardNumber: string = CARDS.success,
): Omit<Inputs['billing']['confirmSandboxPayment'], 'clientSecret'> {
  return { cardNumber, expiryMonth: 12, expiryYear: 2099, cvc: '123' };
}

/** Begins to pay for a plan and pays it in the sandbox; `outcome` says what came of it. */
export async function pay(
  { rpc }: Caller,
  planTier: PlanTier,
  cardNumber: string = CARDS.success,
): Promise<{ clientSecret: string; paymentIntentId: string; outcome: SandboxOutcome }> {
  const started = await rpc.billing.startPayment.mutate({ planTier });
  const input = { ...cardInput(cardNumber), clientSecret: started.clientSecret };
  return { ...started, outcome: await rpc.billing.confirmSandboxPayment.mutate(input) };
}

/** Goes the whole way as the console does, with a key of its own for each step. */
export async function subscribe(
  person: Caller,
  planTier: PlanTier = 'starter',
  cardNumber: string = CARDS.success,
): Promise<Subscription> {
  const { clientSecret, paymentIntentId, outcome } = await pay(person, planTier, cardNumber);
  if (outcome.status === 'requires_action') {
    await person.rpc.billing.authenticateSandboxPayment.mutate({ clientSecret, approve: true });
  }
  return (await record(person, { planTier, paymentIntentId })).body as Subscription;
}

/** `POST /api/subscriptions`. */
export function record(person: Pick<Person, 'rest'>, body: object, key: string = randomUUID()) {
  return person.rest('POST /api/subscriptions', { body, headers: { 'idempotency-key': key } });
}

/** How many charges of someone were completed, and the cents that the ledger has of them as revenue. */
export async function chargedTo(
  db: Kysely<Database>,
  userId: string,
): Promise<{ payments: number; booked: number }> {
  const { rows } = await sql<{ payments: number; booked: number }>`
    select count(p.id)::int as payments, coalesce(sum(e.amount), 0)::int as booked
    from payments p
    join ledger_entries e on e.transaction_id = p.ledger_transaction_id
    join ledger_system_accounts s on s.account_id = e.account_id and s.name = 'revenue'
    where p.user_id = ${userId} and p.status = 'completed'`.execute(db);
  return rows[0] ?? { payments: 0, booked: 0 };
}

/** Lets the period of a subscription end `ago`, as if all of it had begun that much earlier. */
export async function makeDue(db: Kysely<Database>, id: string, ago = '1 second'): Promise<void> {
  await sql`
    update subscriptions set
      renewal_date = now() - ${ago}::interval,
      anchor_day = extract(day from (now() - ${ago}::interval) at time zone 'UTC')
    where id = ${id}`.execute(db);
}

/** `POST /api/create-subscription-payment`. */
export function start(person: Pick<Person, 'rest'>, planTier: unknown, key?: string) {
  const headers: Record<string, string> = key ? { 'idempotency-key': key } : {};
  return person.rest('POST /api/create-subscription-payment', { body: { planTier }, headers });
}

/** Pays in the sandbox with a test card: a good one, but for the changes. */
export function confirm(person: Pick<Person, 'rest'>, changes: object) {
  return person.rest('POST /api/billing/sandbox/confirm', { body: { ...cardInput(), ...changes } });
}
