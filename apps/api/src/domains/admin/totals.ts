import type { AdminTotals } from '@nephos/contracts';
import { sql } from 'kysely';
import type { UserContext } from '../../context.ts';
import { IN_FORCE } from '../billing/standing.ts';

/**
 * The whole installation in numbers. A subscription that is past due is not active, nor is one that has run out; revenue
 * is of completed payments.
 */
export async function readTotals({ db }: UserContext): Promise<AdminTotals> {
  const { rows } = await sql<AdminTotals>`
    select
      (select count(*) from users) as users,
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
