import { MAX_FUNDS } from '@nephos/contracts';
import { type Database, type Parameter, prepare } from '@nephos/db';
import { type Kysely, sql } from 'kysely';
import { insertRecords } from '../../platform/audit.ts';
import { type Batches, createBatches } from '../../platform/batches.ts';
import type { PaymentRow } from './payments.ts';

/** One send, as the database's function of that name takes it: see migration 0109. */
export interface Send {
  owner_id: string;
  account_id: string;
  /** Cents. */
  amount: number;
  number: string;
  name: string;
  bank: string;
  description: string;
  reference: string;
  key: string | null;
  fingerprint: string | null;
  /** Whether the caller carries on with a send that leaves this bank. */
  outside: boolean;
  /** The call's record of who did what, as JSON, which goes with the payment. */
  audit: string;
}

export type SendRefusal =
  | 'NOT_FOUND'
  | 'ACCOUNT_CLOSED'
  | 'SAME_ACCOUNT'
  | 'NO_SUCH_ACCOUNT'
  | 'INSUFFICIENT_FUNDS'
  | 'LIMIT'
  | 'IDEMPOTENCY_KEY_REUSED'
  | 'OUTSIDE';

/** The sender's payment, or why there is none. `replayed`: by an earlier send with this key. */
export type SendOutcome = { replayed: boolean } & (
  | ({ refusal: null } & PaymentRow)
  | { refusal: SendRefusal }
);

const sendAll = prepare((_, parameter: Parameter<{ sends: string; records: string }>) =>
  sql<SendOutcome>`
    with o as materialized (select * from gateway_send(${parameter('sends')}::jsonb, ${MAX_FUNDS})),
    told as (
      ${insertRecords(sql`
        select of
        from o join jsonb_array_elements(${parameter('records')}::jsonb) with ordinality record (of, n) using (n)
        where o.refusal is null and not o.replayed and of <> 'null'`)}
    )
    select o.refusal, o.replayed, (o.payment).* from o order by o.n`.compile(_),
);

/** Makes sends in the transaction that `db` is, or in one of their own: an outcome for each, in their order. */
export function gatewaySend(db: Kysely<Database>, sends: readonly Send[]): Promise<SendOutcome[]> {
  // Records are JSON already: joined, they are neither written nor read a second time.
  const records = `[${sends.map(({ audit }) => audit).join()}]`;
  return sendAll(db, { sends: JSON.stringify(sends.map(({ audit: _, ...send }) => send)), records });
}

/** The index that lets a key have one effect. */
const ONE_EFFECT = 'gateway_payments_by_key';

/**
 * Sends from different accounts have no lock in common, so two with one key can meet at the index that lets it have one
 * effect. The first is committed by then: retried, the second finds it.
 */
export async function retryAfterRace<T>(attempt: () => Promise<T>): Promise<T> {
  try {
    return await attempt();
  } catch (error) {
    if (error instanceof Error && 'constraint' in error && error.constraint === ONE_EFFECT) return attempt();
    throw error;
  }
}

/**
 * What waits while one batch is made is the next, so batches grow with the load. Two at a time were measured: half as
 * large, half as much work for the database again for each send, and a quarter fewer sends.
 */
const AT_ONCE = 1;
const LARGEST = 64;
/** Milliseconds that a send waits for those before it: as long as any request does for a connection. */
const PATIENCE = 2000;
/** SQLSTATEs that undid the whole batch for what one of its sends met: bad data, a key used twice at once, a deadlock. */
const UNDONE = /^(22|23|40|P0)/;

/** Sends that come at the same time share one commit. */
export function createSendBatches(db: Kysely<Database>): Batches<Send, SendOutcome> {
  return createBatches({
    run: (sends) => gatewaySend(db, sends),
    atOnce: AT_ONCE,
    largest: LARGEST,
    patience: PATIENCE,
    mayRepeat: (error) => error instanceof Error && 'code' in error && UNDONE.test(String(error.code)),
  });
}
