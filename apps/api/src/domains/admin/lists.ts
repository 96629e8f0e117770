import type { AdminPayment, AdminSubscription, AdminTotals, AdminUsageRecord, User } from '@nephos/contracts';
import { sql } from 'kysely';
import type { UserContext } from '../../core/context.ts';
import { trialActive, USER_COLUMNS } from '../auth/user-columns.ts';
import { dollarsOf, PAYMENT_COLUMNS } from '../billing/payments.ts';
import { SUBSCRIPTION_COLUMNS } from '../billing/subscriptions.ts';
import { USAGE_COLUMNS } from '../metering/usage.ts';
import { IN_FORCE } from '../plans/standing.ts';
import { idsOfPage, idsOfPeople, type SearchedPage } from './pages.ts';

/** The email of the user whom a row belongs to, or the name of the workspace that several have. */
const USER_EMAIL = sql<string>`(
  select coalesce(users.email, workspaces.name, '') from workspaces left join users on users.id = workspaces.id
  where workspaces.id = user_id)`.as('userEmail');

/** Everyone, newest first. */
export async function listPeople({ db }: UserContext, page: SearchedPage = {}): Promise<User[]> {
  const ids = await idsOfPeople(db, page);
  return db
    .selectFrom('users')
    .select(USER_COLUMNS)
    .select(trialActive)
    .where('id', '=', sql<string>`any(${ids}::uuid[])`)
    .orderBy('id', 'desc')
    .execute();
}

/** Everyone's subscriptions, newest first; amounts in cents. */
export async function listAllSubscriptions(
  { db }: UserContext,
  page: SearchedPage = {},
): Promise<AdminSubscription[]> {
  const texts = [sql`row.plan_tier`, sql`row.status`];
  const ids = await idsOfPage(db, { table: 'subscriptions', texts }, page);
  return db
    .selectFrom('subscriptions')
    .select(SUBSCRIPTION_COLUMNS)
    .select(USER_EMAIL)
    .where('id', '=', sql<string>`any(${ids}::uuid[])`)
    .orderBy('id', 'desc')
    .execute();
}

/** Everyone's payments, newest first; amounts in dollars. */
export async function listAllPayments({ db }: UserContext, page: SearchedPage = {}): Promise<AdminPayment[]> {
  const texts = [sql`row.invoice_id`, sql`row.payment_method`, sql`row.status`];
  const ids = await idsOfPage(db, { table: 'payments', texts }, page);
  const rows = await db
    .selectFrom('payments')
    .select(PAYMENT_COLUMNS)
    .select(USER_EMAIL)
    .where('id', '=', sql<string>`any(${ids}::uuid[])`)
    .orderBy('id', 'desc')
    .execute();
  return rows.map((row) => ({ ...row, amount: dollarsOf(row.amount) }));
}

/** Everyone's usage records, newest first; costs in dollars. */
export async function listAllUsage(
  { db }: UserContext,
  page: SearchedPage = {},
): Promise<AdminUsageRecord[]> {
  const texts = [sql`row.resource_type`, sql`row.resource_id`];
  const ids = await idsOfPage(db, { table: 'usageRecords', texts }, page);
  const rows = await db
    .selectFrom('usageRecords')
    .select(USAGE_COLUMNS)
    .select(USER_EMAIL)
    .where('id', '=', sql<string>`any(${ids}::uuid[])`)
    .orderBy('id', 'desc')
    .execute();
  return rows.map((row) => ({ ...row, cost: dollarsOf(row.cost) }));
}

/**
 * The whole installation in numbers. A subscription that is past due is not active, nor is one that has run out; revenue
 * is of completed payments.
 */
export async function readTotals({ db }: UserContext): Promise<AdminTotals> {
  const { rows } = await sql<AdminTotals>`
    select
      (select count(*) from users where not service) as users,
      (select count(*) from users where role = 'admin') as admins,
      (select count(*) from subscriptions) as subscriptions,
      (select count(*) from subscriptions where status = 'active' and ${IN_FORCE}) as "activeSubscriptions",
      (select coalesce(sum(amount), 0) from payments where status = 'completed') as revenue,
      (select count(*) from payments) as payments,
      (select records from usage_metering) as "usageRecords"`.execute(db);
  const [totals] = rows;
  if (!totals) throw new Error('a query without a table has a row');
  return totals;
}
