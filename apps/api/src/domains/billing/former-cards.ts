import type { Database } from '@nephos/db';
import { type Kysely, sql } from 'kysely';
import type { Logger } from 'pino';
import { oneByOne } from './one-by-one.ts';
import type { PaymentProvider } from './provider.ts';

export interface FormerCardsDeps {
  db: Kysely<Database>;
  provider: PaymentProvider;
  log: Logger;
}

/** Cards that one run claims. */
const AT_MOST = 1000;
const RETRY_MINUTES = 30;

/** Has the provider forget a card once the transaction is committed, however long it is away by then. */
export async function giveUpCard(
  trx: Kysely<Database>,
  { info, livemode }: PaymentProvider,
  id: string,
): Promise<void> {
  await trx
    .insertInto('formerCards')
    .values({ id, provider: info.name, livemode })
    .onConflict((known) => known.doNothing())
    .execute();
}

/**
 * Has the provider forget the cards that others took the place of. One that it does not forget is tried again later,
 * at the earliest after half an hour, on whatever replica.
 */
export async function forgetFormerCards({ db, provider, log }: FormerCardsDeps): Promise<void> {
  const cards = await claimDue(db, provider);
  await oneByOne(cards, { log, failure: 'a former card is forgotten later' }, async ({ id }) => {
    await provider.forgetCard(id);
    await db.deleteFrom('formerCards').where('id', '=', id).execute();
  });
}

/** Claims each card for one caller at a time, and none that is charged. */
function claimDue(
  db: Kysely<Database>,
  { info, livemode }: PaymentProvider,
): Promise<readonly { id: string }[]> {
  const due = db
    .selectFrom('formerCards')
    .select('formerCards.id')
    .where('provider', '=', info.name)
    .where('livemode', '=', livemode)
    .where(sql<boolean>`coalesce(tried_at < now() - make_interval(mins => ${RETRY_MINUTES}), true)`)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('paymentCustomers')
            .select('userId')
            .whereRef('paymentCustomers.paymentMethodId', '=', 'formerCards.id'),
        ),
      ),
    )
    .orderBy('triedAt', (order) => order.asc().nullsFirst())
    .limit(AT_MOST)
    .forUpdate()
    .skipLocked();
  // A `with` is read once: a subquery may be read again for each row, and claim more.
  return db
    .with('due', () => due)
    .updateTable('formerCards')
    .set({ triedAt: sql<string>`now()` })
    .where('id', 'in', ({ selectFrom }) => selectFrom('due').select('due.id'))
    .returning('id')
    .execute();
}
