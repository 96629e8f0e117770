import type { Database } from '@nephos/db';
import type { Kysely } from 'kysely';

/** What a record of who did what is about. */
export interface Subject {
  kind: string;
  id: string | null;
  name: string | null;
}

/** What a service knows better than its call's input says. */
export interface Noted {
  subject?: Partial<Subject>;
  before?: object;
  after?: object;
}

/** What only a call's record needs to be told: whose it is, where neither the caller nor the input says so. */
export interface NotedCall extends Noted {
  ownerId?: string;
}

/** The record of one call, which is written in the transaction of what the call changes. */
export interface CallAudit {
  /** Says of the call's record what its input does not. */
  note(noted: NotedCall): void;
  /**
   * Writes the record in `trx`. Of use where the call's own transaction is not that of `once`, and once in each attempt;
   * anywhere else the call's wrapper does it.
   */
  write(trx: Kysely<Database>): Promise<void>;
  /** Writes in `db` that the call was refused: not in its transaction, which is undone. */
  writeRefusal(db: Kysely<Database>): Promise<void>;
  /** The record as JSON, for a statement that writes it itself. */
  hand(): string;
}

/** Of work that is recorded as a whole elsewhere. */
export const noAudit: CallAudit = {
  note: () => {},
  write: async () => {},
  writeRefusal: async () => {},
  hand: () => 'null',
};
