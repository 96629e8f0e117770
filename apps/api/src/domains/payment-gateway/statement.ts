import { MAX_PAGE, type StatementLine, type StatementPage } from '@nephos/contracts';
import type { Database } from '@nephos/db';
import { type Expression, type Kysely, type SqlBool, sql } from 'kysely';
import type { z } from 'zod';
import type { UserContext } from '../../context.ts';
import { notFound } from '../../errors.ts';
import { containing } from '../../platform/like-pattern.ts';

type Filters = z.output<typeof StatementPage>;

/** Lines that one search looks through, so that it ends soon in an account of any size. */
const SEARCHED = 100_000;

/** Whose statement it is: a virtual account's number, and the ledger account whose entries are the lines. Throws 404. */
export async function findStatement(
  { db, user }: UserContext,
  id: string,
): Promise<{ accountId: string; accountNumber: string }> {
  const account = await db
    .selectFrom('virtualAccounts')
    .select(['availableId as accountId', 'accountNumber'])
    .where('ownerId', '=', user.id)
    .where('id', '=', id)
    .executeTakeFirst();
  if (!account) throw notFound();
  return account;
}

/** A page of an account's statement, newest first. Throws 404. */
export async function readStatement(ctx: UserContext, input: Filters): Promise<StatementLine[]> {
  const { accountId } = await findStatement(ctx, input.id);
  return pageOfStatement(ctx.db, accountId, input);
}

/** Entries by their positions, of which each filter bounds or finds some by an index. */
export function pageOfStatement(
  db: Kysely<Database>,
  accountId: string,
  filters: Filters,
): Promise<StatementLine[]> {
  const { kind, search, month, limit = MAX_PAGE, cursor } = filters;
  const entries = db
    .selectFrom('ledgerEntries')
    .selectAll()
    .where('accountId', '=', accountId)
    .$if(kind !== undefined, (query) => query.where('kind', '=', kind ?? null))
    .$if(kind === undefined, (query) => query.where('kind', 'is not', null))
    .$if(cursor !== undefined, (query) => query.where(after(accountId, cursor ?? '')))
    .$if(month !== undefined, (query) => query.where(within(accountId, month ?? '')))
    .orderBy('position', 'desc')
    .limit(search ? SEARCHED : limit);
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

/** A line's id is that of its transaction, which an account is in once. An unknown one has nothing after it. */
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
