import type { JSONColumnType } from 'kysely';
import type { GeneratedInstant } from './auth.ts';

/** The first answer to a write with an `Idempotency-Key`, written in the transaction of its effect. */
export interface IdempotencyKeysTable {
  /** User id, or client address when signed out. */
  caller: string;
  /** `domain.procedure`. */
  procedure: string;
  key: string;
  /** Keyed hash of the canonical input. */
  fingerprint: string;
  answer: JSONColumnType<object>;
  createdAt: GeneratedInstant;
}

/** A fixed window of calls. Unlogged: a crash forgets it. */
export interface RateLimitsTable {
  key: string;
  count: number;
  windowEnds: string;
}
