import type { ReceiptEntry } from '@nephos/contracts';
import type { Database } from '@nephos/db';
import { type Kysely, sql } from 'kysely';
import type { UserContext } from '../../core/context.ts';
import { inTransaction } from './act-as.ts';
import type { Step } from './catalogue/item.ts';
import type { Made } from './make-step.ts';
import type { InstallationRow } from './read.ts';

/** The installation was uninstalled, or replaced, or has come to its end: nothing is left to do for it. */
export class Over extends Error {
  constructor() {
    super('This installation is over.');
  }
}

export function creating(step: Step | undefined): string {
  return step ? `Creating ${step.label}` : '';
}

/** Throws `Over`. */
export async function assertUnderWay(db: Kysely<Database>, id: string): Promise<void> {
  const row = await db
    .selectFrom('installations')
    .select('id')
    .where('id', '=', id)
    .where('status', '=', 'installing')
    .executeTakeFirst();
  if (!row) throw new Over();
}

/** The row of an installation that is under way, kept from everyone else until the transaction ends. Throws `Over`. */
export async function lockUnderWay(trx: Kysely<Database>, id: string): Promise<InstallationRow> {
  const row = await trx
    .selectFrom('installations')
    .selectAll()
    .where('id', '=', id)
    .where('status', '=', 'installing')
    .forUpdate()
    .executeTakeFirst();
  if (!row) throw new Over();
  return row;
}

/**
 * Lets `make` make the resource of step `at` and writes it to the receipt, in one transaction: never is one there
 * without the other. What is on the receipt already is not made again.
 */
export async function recordMade(
  ctx: UserContext,
  { id, at, label }: { id: string; at: number; label: string },
  make: (inner: UserContext) => Promise<Made>,
): Promise<ReceiptEntry> {
  return inTransaction(ctx, async (inner) => {
    const { receipt, url: before } = await lockUnderWay(inner.db, id);
    const there = receipt[at];
    if (there) return there;
    const { entry, url } = await make(inner);
    await inner.db
      .updateTable('installations')
      .set({
        receipt: JSON.stringify([...receipt, entry]),
        url: url || before,
        doing: `Waiting for ${label}`,
      })
      .where('id', '=', id)
      .execute();
    return entry;
  });
}

/** Notes that step `at` is done; after the last one the item is installed. Throws `Over`. */
export async function recordDone(
  db: Kysely<Database>,
  { id, at, next }: { id: string; at: number; next: Step | undefined },
): Promise<void> {
  const { numUpdatedRows } = await db
    .updateTable('installations')
    .set({ step: at + 1, doing: creating(next), ...(!next && { status: 'installed', secretInputs: '{}' }) })
    .where('id', '=', id)
    .where('status', '=', 'installing')
    // Another run of the same job may be ahead.
    .where('step', '<=', sql<number>`${at}`)
    .executeTakeFirst();
  if (numUpdatedRows === 0n) throw new Over();
}
