import type { AdminUsageRecord } from '@nephos/contracts';
import { Gauge } from 'lucide-react';
import { formatDollars } from '../../lib/money.ts';
import { trpc } from '../../lib/trpc.ts';
import { formatAmount, USAGE_NAMES } from '../../lib/usage-units.ts';
import { useIsSelling } from '../../lib/use-is-selling.ts';
import type { Column } from '../../ui/data-rows.tsx';
import { firstRows, useAdminView } from './admin-search.ts';
import { Day, ShortId, UserId } from './cells.tsx';
import { FRESH_PAGES } from './fresh.ts';
import { RowList } from './row-list.tsx';

const COLUMNS: readonly Column<AdminUsageRecord>[] = [
  {
    heading: 'User ID',
    cell: ({ userId, userEmail }) => <UserId id={userId} email={userEmail} />,
    skeleton: 'h-10 w-36',
  },
  {
    heading: 'Resource Type',
    cell: ({ resourceType }) => USAGE_NAMES[resourceType],
  },
  {
    heading: 'Resource ID',
    cell: ({ resourceId }) =>
      resourceId ? <ShortId id={resourceId} what="resource ID" /> : <span className="text-muted">N/A</span>,
    skeleton: 'h-5 w-28',
  },
  {
    heading: 'Amount',
    className: 'text-right tabular-nums',
    cell: ({ resourceType, amount }) => (
      <span className="whitespace-nowrap">{formatAmount(resourceType, amount)}</span>
    ),
    skeleton: 'ml-auto h-5 w-20',
  },
  {
    heading: 'Cost',
    className: 'text-right tabular-nums',
    cell: ({ cost }) => formatDollars(cost),
    skeleton: 'ml-auto h-5 w-16',
  },
  { heading: 'Timestamp', cell: ({ timestamp }) => <Day instant={timestamp} /> },
];

/** Where nothing is sold, nothing has a price. */
const UNPRICED = COLUMNS.filter(({ heading }) => heading !== 'Cost');

export function UsageTab() {
  const { words } = useAdminView();
  const selling = useIsSelling();
  const list = trpc.admin.usage.useInfiniteQuery(firstRows(words), FRESH_PAGES);
  return (
    <RowList
      list={list}
      columns={selling ? COLUMNS : UNPRICED}
      label="Usage"
      nouns={['usage record', 'usage records']}
      icon={Gauge}
      loading="Loading usage data…"
      empty="No usage data found"
      explanation="Hourly usage of apps, databases, files and images appears here."
      searchLabel="Search usage by user, workspace, resource type or ID"
    />
  );
}
