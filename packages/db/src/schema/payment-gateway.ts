import type { Generated, GeneratedAlways } from 'kysely';
import type { GeneratedInstant } from './auth.ts';

/** Money at one place. Its balance is the sum of its entries, and changes as they are inserted, by a trigger. */
export interface LedgerAccountsTable {
  id: Generated<string>;
  /** `revenue` is what cards paid for subscriptions. */
  kind: 'available' | 'held' | 'outside' | 'revenue';
  currency: Generated<'USD'>;
  /** Cents; below zero only for `outside`. */
  balance: GeneratedAlways<number>;
  /** How many it has. */
  entries: GeneratedAlways<number>;
  changedAt: GeneratedAlways<string>;
}

/** A movement of money: two entries or more that sum to zero. Never changed. */
export interface LedgerTransactionsTable {
  id: Generated<string>;
  /** The payment's, on both of its sides. */
  reference: string;
  /** The transaction that this one undoes. */
  reverses: string | null;
  createdAt: GeneratedInstant;
}

/** What a transaction does to an account. Never changed. */
export interface LedgerEntriesTable {
  accountId: string;
  /** Counts the account's entries from 1. */
  position: GeneratedAlways<number>;
  transactionId: string;
  /** Cents, not 0. */
  amount: number;
  balanceAfter: GeneratedAlways<number>;
  /** Null for entries that no statement shows. */
  kind: 'sent' | 'received' | 'returned' | null;
  paymentId: string | null;
  createdAt: GeneratedAlways<string>;
}

/** A transaction's place in the ledger's chain. Never changed. */
export interface LedgerLinksTable {
  /** Counts from 1 without a gap. */
  position: number;
  transactionId: string;
  /** SHA-256 over the hash before it and the transaction's text (`ledger_transaction_text`). */
  hash: Buffer;
}

export interface VirtualAccountsTable {
  id: Generated<string>;
  ownerId: string;
  accountName: string;
  bankName: string;
  /** The bank's name as names are compared: lower case, single spaces. */
  bankKey: GeneratedAlways<string>;
  accountNumber: string;
  currency: Generated<'USD'>;
  availableId: string;
  heldId: string;
  outsideId: string;
  holdsTestFunds: Generated<boolean>;
  createdAt: GeneratedInstant;
  /** Null while it is open. A closed one has nothing in it, and never gets anything again. */
  closedAt: Generated<string | null>;
}

/** One side of a payment. Its rows are told of as `payment_changed`, by a trigger. */
export interface GatewayPaymentsTable {
  id: Generated<string>;
  ownerId: string;
  virtualAccountId: string;
  type: 'send' | 'receive';
  status: 'pending' | 'processing' | 'completed' | 'failed' | 'cancelled';
  /** Whether the other side is at another bank. */
  outside: boolean;
  reference: string;
  description: string;
  /** Cents. */
  amount: number;
  senderAccountName: string;
  senderAccountNumber: string;
  senderBankName: string;
  receiverAccountName: string;
  receiverAccountNumber: string;
  receiverBankName: string;
  failure: Generated<string>;
  /** Kept for ever: a send happens once for each. */
  idempotencyKey: string | null;
  fingerprint: string | null;
  /** What put the money aside, of a send to another bank. */
  holdId: string | null;
  createdAt: GeneratedInstant;
  settledAt: string | null;
}

export interface BeneficiariesTable {
  id: Generated<string>;
  ownerId: string;
  accountName: string;
  accountNumber: string;
  bankName: string;
  bankCode: string;
  createdAt: GeneratedInstant;
}
