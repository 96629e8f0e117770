import {
  MAX_PAGE,
  MAX_SEARCHED_LINES,
  type StatementLine,
  type StatementLines,
  type StatementPage,
} from '@nephos/contracts';
import { atomically, type Database } from '@nephos/db';
import { type Expression, type Kysely, type SqlBool, sql } from 'kysely';
import type { z } from 'zod';
import type { UserContext } from '../../core/context.ts';
import { notFound } from '../../core/errors.ts';
import { containing } from '../../platform/like-pattern.ts';

type Filters = z.output<typeof StatementPage>;

/** Finds a virtual account's number, and the ledger account whose entries are its statement's lines. Throws 404. */
export async function findStatement(
  { db, ownerId }: Pick<UserContext, 'db' | 'ownerId'>,
  id: string,
): Promise<{ accountId: string; accountNumber: string }> {
  const account = await db
    .selectFrom('virtualAccounts')
    .select(['availableId as accountId', 'accountNumber'])
    .where('ownerId', '=', ownerId)
    .where('id', '=', id)
    .executeTakeFirst();
  if (!account) throw notFound();
  return account;
}

/** A page of an account's statement, newest first. Throws 404. */
export async function readStatement(ctx: UserContext, input: Filters): Promise<StatementLines> {
  const { accountId } = await findStatement(ctx, input.id);
  if (input.search) return searchStatement(ctx.db, accountId, input);
  return { lines: await pageOfStatement(ctx.db, accountId, input), stoppedAt: null };
}

/** Searches in one snapshot, so that it stops at the last line that it looked at, whatever is added meanwhile. */
function searchStatement(db: Kysely<Database>, accountId: string, filters: Filters): Promise<StatementLines> {
  const { limit = MAX_PAGE } = filters;
  return atomically(db, async (trx) => {
    await sql`set transaction isolation level repeatable read, read only`.execute(trx);
    const lines = await pageOfStatement(trx, accountId, filters);
    return { lines, stoppedAt: lines.length < limit ? await endOfSearch(trx, accountId, filters) : null };
  });
}

/** The last line that a search looks at; null where none comes after it. */
async function endOfSearch(
  db: Kysely<Database>,
  accountId: string,
  filters: Filters,
): Promise<string | null> {
  const [last, next] = await entriesOf(db, accountId, filters)
    .select('transactionId')
    .offset(MAX_SEARCHED_LINES - 1)
    .limit(2)
    .execute();
  return last && next ? last.transactionId : null;
}

/** The entries by their positions, newest first; each filter bounds or finds some by an index. */
function entriesOf(db: Kysely<Database>, accountId: string, { kind, month, cursor }: Filters) {
  return db
    .selectFrom('ledgerEntries')
    .where('accountId', '=', accountId)
    .$if(kind !== undefined, (query) => query.where('kind', '=', kind ?? null))
    .$if(kind === undefined, (query) => query.where('kind', 'is not', null))
    .$if(cursor !== undefined, (query) => query.where(after(accountId, cursor ?? '')))
    .$if(month !== undefined, (query) => query.where(within(accountId, month ?? '')))
    .orderBy('position', 'desc');
}

/** Lines by the newest entries; with a search, those of them that hold what is looked for. */
export function pageOfStatement(
  db: Kysely<Database>,
  accountId: string,
  filters: Filters,
): Promise<StatementLine[]> {
  const { search, limit = MAX_PAGE } = filters;
  const entries = entriesOf(db, accountId, filters)
    .selectAll()
    .limit(search ? MAX_SEARCHED_LINES : limit);
  return db
    .selectFrom(entries.as('entry'))
    .innerJoin('gatewayPayments as payment', 'payment.id', 'entry.paymentId')
    .select([
      'entry.transactionId as id',
      'payment.id as transactionId',
      sql<StatementLine['kind']>`entry.kind`.as('kind'),
      'payment.reference',
      'payment.description',
      party.as('party'),
      'entry.amount',
      'entry.balanceAfter as balance',
      'entry.createdAt',
    ])
    .$if(Boolean(search), (query) => query.where(mentions(search ?? '')))
    .orderBy('entry.position', 'desc')
    .limit(limit)
    .execute();
}

const party = sql<string>`case payment.type
  when 'send' then payment.receiver_account_name else payment.sender_account_name end`;

/** What comes after a line, by its transaction's id: that has one entry of the account. Nothing comes after an unknown one. */
function after(accountId: string, cursor: string): Expression<SqlBool> {
  return sql`position < (
    select position from ledger_entries where transaction_id = ${cursor} and account_id = ${accountId})`;
}

/** Times never fall along positions, so a month is a range of them. */
function within(accountId: string, month: string): Expression<SqlBool> {
  const start = sql`(${`${month}-01`}::timestamp at time zone 'UTC')`;
  const end = sql`((${`${month}-01`}::timestamp + interval '1 month') at time zone 'UTC')`;
  const firstFrom = (instant: Expression<unknown>) => sql`(
    select position from ledger_entries
    where account_id = ${accountId} and kind is not null and created_at >= ${instant}
    order by created_at, position limit 1)`;
  return sql`position >= ${firstFrom(start)}
    and position < coalesce(${firstFrom(end)}, 9223372036854775807)`;
}

function mentions(search: string): Expression<SqlBool> {
  const pattern = containing(search);
  return sql`(payment.reference ilike ${pattern} or payment.description ilike ${pattern}
    or ${party} ilike ${pattern})`;
}
