import type { BillingSummary, UsageType } from '@nephos/contracts';
import type { Tracked } from '@nephos/contracts/kit';
import type { Database } from '@nephos/db';
import { type Kysely, sql } from 'kysely';
import type { UserContext } from '../../core/context.ts';
import { follow } from '../../platform/follow.ts';
import type { Notifications } from '../../platform/notifications.ts';
import { readCard } from './customers.ts';
import type { PaymentProvider } from './provider.ts';

/** "<user id>": their subscription, card or payments changed. Sent by triggers, see migration 0015. */
const BILLING_CHANGED = 'billing_changed';
const NOTHING_USED: Record<UsageType, number> = {
  deployment: 0,
  database: 0,
  storage: 0,
  container: 0,
  egress: 0,
};
const MONTHS = 6;
const DAYS = 30;

/** What the owner was charged and what their resources used, by month and by day in UTC, and what they have now. */
export async function readSummary(
  { db, ownerId }: UserContext,
  provider: PaymentProvider,
): Promise<BillingSummary> {
  const [hasHistory, months, days, activeResources, paymentMethod] = await Promise.all([
    hasBeenBilled(db, ownerId),
    readMonths(db, ownerId),
    costsByDay(db, ownerId),
    countResources(db, ownerId),
    readCard(db, ownerId, provider),
  ]);
  return {
    hasHistory,
    months,
    ...spendOf(months.map(({ charged }) => charged)),
    ...usageOf(months.map(({ cost }) => cost)),
    days,
    activeResources,
    paymentMethod,
  };
}

/** Whether anything of theirs was metered or charged. */
async function hasBeenBilled(db: Kysely<Database>, userId: string): Promise<boolean> {
  const { rows } = await sql<{ found: boolean }>`
    select exists (select from usage_days where user_id = ${userId})
      or exists (select from payments where user_id = ${userId} and status = 'completed') as found`.execute(
    db,
  );
  return rows[0]?.found ?? false;
}

async function readMonths(db: Kysely<Database>, userId: string): Promise<BillingSummary['months']> {
  const { rows } = await sql<BillingSummary['months'][number]>`
    select to_char(month, 'YYYY-MM') as month, coalesce((
      select sum(amount)::bigint from payments
      where user_id = ${userId} and status = 'completed'
        and payment_date >= month at time zone 'UTC'
        and payment_date < (month + interval '1 month') at time zone 'UTC'
    ), 0) as charged, coalesce((
      select sum(cost) from usage_days
      where user_id = ${userId} and day >= month and day < month + interval '1 month'
    ), 0) as cost
    from (
      select date_trunc('month', usage_clock() at time zone 'UTC') - make_interval(months => back) as month
      from generate_series(0, ${MONTHS - 1}::int) back
    ) months
    order by month`.execute(db);
  return rows;
}

function spendOf(charges: readonly number[]) {
  return { percentChange: changeOf(charges), totalSpend: sumOf(charges) };
}

function usageOf(costs: readonly number[]) {
  return { usageChange: changeOf(costs), totalUsage: sumOf(costs) };
}

function sumOf(months: readonly number[]): number {
  return months.reduce((sum, cents) => sum + cents, 0);
}

/** How the last month differs from the one before, in percent; null where that has nothing. */
function changeOf(months: readonly number[]): number | null {
  const [before = 0, current = 0] = months.slice(-2);
  return before === 0 ? null : ((current - before) / before) * 100;
}

async function costsByDay(db: Kysely<Database>, userId: string): Promise<BillingSummary['days']> {
  const { rows } = await sql<{ day: string; costs: Partial<Record<UsageType, number>> }>`
    select to_char(days.day, 'YYYY-MM-DD') as day,
      coalesce(jsonb_object_agg(resource_type, cost) filter (where resource_type is not null), '{}') as costs
    from (
      select (usage_clock() at time zone 'UTC')::date - back as day from generate_series(0, ${DAYS - 1}::int) back
    ) days
    left join usage_days used on used.user_id = ${userId} and used.day = days.day
    group by days.day order by days.day`.execute(db);
  return rows.map(({ day, costs }) => ({ day, costs: { ...NOTHING_USED, ...costs } }));
}

/** Running apps, databases, files, and images that were pushed. */
async function countResources(db: Kysely<Database>, userId: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select (select count(*) from projects where owner_id = ${userId} and live_deployment_id is not null)
      + (select count(*) from managed_databases where owner_id = ${userId} and status = 'available')
      + (select count(*) from stored_files where owner_id = ${userId})
      + (select count(*) from container_images where owner_id = ${userId} and digest is not null) as count`.execute(
    db,
  );
  return rows[0]?.count ?? 0;
}

/** An event at first, and whenever something that the owner's billing page shows has changed. */
export async function* followBilling(
  { ownerId, signal }: UserContext,
  notifications: Notifications,
): AsyncGenerator<Tracked<Record<string, never>>> {
  const concerns = (userId: string) => userId === ownerId;
  const follower = follow(notifications, { channels: [BILLING_CHANGED], concerns, signal });
  try {
    do {
      yield { id: ownerId, data: {} };
    } while ((await follower.turn()) === 'news');
  } finally {
    follower.end();
  }
}
