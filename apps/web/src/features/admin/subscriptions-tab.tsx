import type { AdminSubscription } from '@nephos/contracts';
import { PLANS } from '@nephos/contracts/constants';
import { RefreshCw } from 'lucide-react';
import { formatCents } from '../../lib/money.ts';
import { StatusBadge } from '../../lib/status-badge.tsx';
import { trpc } from '../../lib/trpc.ts';
import type { Column } from '../../ui/data-rows.tsx';
import { firstRows, useAdminView } from './admin-search.ts';
import { Day, StatusWithNote, UserId } from './cells.tsx';
import { FRESH_PAGES } from './fresh.ts';
import { RowList } from './row-list.tsx';

const COLUMNS: readonly Column<AdminSubscription>[] = [
  {
    heading: 'User ID',
    cell: ({ userId, userEmail }) => <UserId id={userId} email={userEmail} />,
    skeleton: 'h-10 w-36',
  },
  { heading: 'Plan', cell: ({ planTier }) => PLANS[planTier].name },
  {
    heading: 'Status',
    cell: (subscription) => <SubscriptionStatus subscription={subscription} />,
    skeleton: 'h-6 w-20 rounded-full',
  },
  {
    heading: 'Amount',
    className: 'text-right tabular-nums',
    cell: ({ amount }) => formatCents(amount),
    skeleton: 'ml-auto h-5 w-16',
  },
  {
    heading: 'Renewal Date',
    cell: ({ renewalDate }) => <Day instant={renewalDate} />,
  },
  { heading: 'Created', cell: ({ createdAt }) => <Day instant={createdAt} /> },
];

function SubscriptionStatus({ subscription }: { subscription: AdminSubscription }) {
  return (
    <StatusWithNote note={noteOf(subscription)}>
      <StatusBadge status={subscription.status} />
    </StatusWithNote>
  );
}

/** Why, or what the renewal date would else hide. */
function noteOf({ status, cancelAtPeriodEnd, failure }: AdminSubscription): string {
  if (status === 'active' && cancelAtPeriodEnd) return 'Ends on the renewal date.';
  if (status === 'cancelled' && !failure) return 'Will not renew.';
  return failure;
}

export function SubscriptionsTab() {
  const { words } = useAdminView();
  const list = trpc.admin.subscriptions.useInfiniteQuery(firstRows(words), FRESH_PAGES);
  return (
    <RowList
      list={list}
      columns={COLUMNS}
      label="Subscriptions"
      nouns={['subscription', 'subscriptions']}
      icon={RefreshCw}
      loading="Loading subscriptions…"
      empty="No subscriptions found"
      explanation="Subscriptions appear here when users choose a plan."
      searchLabel="Search subscriptions by user, workspace, plan or status"
    />
  );
}
